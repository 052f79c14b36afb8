//! Random numbers that are the same everywhere: SplitMix64.

/// A stream of numbers.
pub(crate) struct Random(u64);

impl Random {
    /// The stream of one case.
    pub(crate) fn new(seed: u64, case: u64) -> Self {
        let mut random = Self(seed ^ case.wrapping_mul(0xd134_2543_de82_ef95));
        // Neighbouring seeds have nothing to do with each other.
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A place in something of this length; 0 if it is empty.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.below(length.max(1) as u64) as usize
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// One of some things.
    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.place(all.len())]
    }
}
