//! FNV-1a with 64 bits: small, and unlike the hash of the standard library the same in every version of it. It notices
//! damage, not malice.

/// A checksum in the making.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self::seeded(0)
    }
}

impl Checksum {
    /// One that depends on something else, too: another checksum, say.
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

    /// Adds a part. Its end counts too, so that parts cannot be shifted against each other.
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

    /// As it is written into files.
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of FNV-1a's authors.
    #[test]
    fn the_checksum_is_fnv_1a() {
        let of = |text: &str| Checksum::default().bytes(text.as_bytes()).value();
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(Checksum::seeded(5).text(), "cbf29ce484222320");
    }

    #[test]
    fn parts_cannot_be_shifted() {
        let of =
            |parts: [&str; 2]| parts.iter().fold(Checksum::default(), |sum, part| sum.part(part.as_bytes()));
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
