//! What work costs in memory and time, and how much memory there is.
//!
//! Every engine has a module `effort` next to its plan that gives an [`Effort`]; the command line compares it with
//! [`memory::available`](crate::memory::available) before the work starts. The constants in these modules were measured
//! with release builds on one server core at 2.4 GHz (`getrusage` of the whole program: peak resident memory and
//! processor time) and rounded up. They are good to a factor of about two: enough to tell seconds from hours and megabytes from gigabytes.

/// What some work takes. Both numbers can be infinite: what doubles cannot hold is too much in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Peak memory.
    pub bytes: f64,
    /// Processor time of one thread.
    pub seconds: f64,
}

impl Effort {
    /// Negligible work.
    pub const NONE: Self = Self { bytes: 0.0, seconds: 0.0 };

    /// One after the other: the memory of the first is free again before the second starts.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self { bytes: self.bytes.max(next.bytes), seconds: self.seconds + next.seconds }
    }

    /// The second while the result of the first is still in memory.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        Self { bytes: self.bytes + more.bytes, seconds: self.seconds + more.seconds }
    }

    /// The same work `count` times, one after the other.
    #[must_use]
    pub fn times(self, count: f64) -> Self {
        Self { bytes: self.bytes, seconds: self.seconds * count }
    }

    /// Divided among `threads` threads, which share the memory.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { bytes: self.bytes, seconds: self.seconds / threads.max(1) as f64 }
    }

    /// Pieces of work on `threads` threads, each piece on one of them: the largest are in memory at the same time,
    /// and the whole takes at least as long as the longest piece.
    pub fn in_parallel(works: impl IntoIterator<Item = Self>, threads: usize) -> Self {
        let works: Vec<Self> = works.into_iter().collect();
        let threads = threads.max(1);
        let mut bytes: Vec<f64> = works.iter().map(|work| work.bytes).collect();
        bytes.sort_by(|a, b| b.total_cmp(a));
        let longest = works.iter().map(|work| work.seconds).fold(0.0, f64::max);
        let all: f64 = works.iter().map(|work| work.seconds).sum();
        Self { bytes: bytes.iter().take(threads).sum(), seconds: longest.max(all / threads as f64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Effort = Effort { bytes: 10.0, seconds: 1.0 };
    const B: Effort = Effort { bytes: 4.0, seconds: 5.0 };

    #[test]
    fn work_adds_up() {
        assert_eq!(A.then(B), Effort { bytes: 10.0, seconds: 6.0 });
        assert_eq!(A.and(B), Effort { bytes: 14.0, seconds: 6.0 });
        assert_eq!(A.times(3.0), Effort { bytes: 10.0, seconds: 3.0 });
        assert_eq!(B.on_threads(2), Effort { bytes: 4.0, seconds: 2.5 });
    }

    #[test]
    fn the_largest_pieces_are_in_memory_together() {
        let all = [A, B, A, A];
        assert_eq!(Effort::in_parallel(all, 1), Effort { bytes: 10.0, seconds: 8.0 });
        assert_eq!(Effort::in_parallel(all, 2), Effort { bytes: 20.0, seconds: 5.0 });
        assert_eq!(Effort::in_parallel(all, 8), Effort { bytes: 34.0, seconds: 5.0 });
        assert_eq!(Effort::in_parallel([], 2), Effort::NONE);
    }
}
