//! 64-bit FNV-1a: small and, unlike the standard library's hash, the same in every release. It detects damage, not
//! tampering.

/// A running checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self::seeded(0)
    }
}

impl Checksum {
    /// A checksum that also depends on something else, such as another checksum.
    pub fn seeded(seed: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ seed)
    }

    /// Adds bytes.
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> Self {
        Self(
            bytes
                .iter()
                .fold(self.0, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)),
        )
    }

    /// Adds a part and a mark for its end, so that moving bytes from one part to the next changes the checksum.
    #[must_use]
    pub fn part(self, part: &[u8]) -> Self {
        self.bytes(part).bytes(&[0xff])
    }

    /// Adds a number.
    #[must_use]
    pub fn number(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    /// The checksum.
    pub fn value(self) -> u64 {
        self.0
    }

    /// The form written to files: 16 hexadecimal digits.
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors by the authors of FNV-1a.
    #[test]
    fn the_checksum_is_fnv_1a() {
        let of = |text: &str| Checksum::default().bytes(text.as_bytes()).value();
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(Checksum::seeded(5).text(), "cbf29ce484222320");
    }

    #[test]
    fn the_boundaries_of_parts_count() {
        let of =
            |parts: [&str; 2]| parts.iter().fold(Checksum::default(), |sum, part| sum.part(part.as_bytes()));
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
