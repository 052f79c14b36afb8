//! The resource of a search: calls of the move routine, or processor time. A call generates one child position. Bounded
//! searches generate children only here.

use std::time::Duration;

use cpu_time::ThreadTime;

use crate::position::{Move, Position};
use crate::search::SearchError;

/// How many children a search may still generate.
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    bound: u64,
    left: u64,
    clock: Option<Clock>,
}

/// The processor time of the searching thread: what other programs and threads do does not count.
#[derive(Clone, Copy, Debug)]
struct Clock {
    start: ThreadTime,
    limit: Duration,
    /// After how many calls the clock is read next.
    next: u64,
    over: bool,
}

impl Calls {
    /// Calls from one reading of the clock to the next: reading it takes as long as a few calls.
    const PER_READING: u64 = 64;

    /// With a bound on the number of children.
    pub fn new(bound: u64) -> Self {
        Self { bound, left: bound, clock: None }
    }

    /// Any number of children.
    pub fn unbounded() -> Self {
        Self::new(u64::MAX)
    }

    /// Any number of children within some processor time of this thread, which is counted from now on. Their number
    /// depends on the machine and its load.
    pub fn within(limit: Duration) -> Result<Self, SearchError> {
        let start = ThreadTime::try_now().map_err(|error| SearchError::NoClock(error.to_string()))?;
        let clock = Clock { start, limit, next: Self::PER_READING, over: false };
        Ok(Self { clock: Some(clock), ..Self::unbounded() })
    }

    /// The same, with at most `bound` children.
    #[must_use]
    pub fn at_most(self, bound: u64) -> Self {
        let bound = self.bound.min(bound);
        Self { bound, left: bound, ..self }
    }

    /// Whether `children` more children may be generated: there are calls left for all of them, and there is time.
    #[inline]
    pub fn allow(&mut self, children: u64) -> bool {
        if self.left < children {
            return false;
        }
        let used = self.used();
        let Some(clock) = &mut self.clock else { return true };
        if used >= clock.next {
            clock.next = used + Self::PER_READING;
            clock.over = clock.start.try_elapsed().is_ok_and(|elapsed| elapsed >= clock.limit);
        }
        !clock.over
    }

    /// Generates a child; `None` if the bound on their number is reached.
    #[inline]
    pub fn child<P: Position>(&mut self, position: &P, chosen: Move) -> Option<P> {
        self.left = self.left.checked_sub(1)?;
        Some(position.play(chosen))
    }

    /// How many children were generated.
    pub fn used(&self) -> u64 {
        self.bound - self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::Kalah;

    fn made(mut calls: Calls) -> u64 {
        let start = Kalah::start(6, 4).unwrap();
        while calls.allow(1) && calls.child(&start, 0).is_some() {}
        calls.used()
    }

    #[test]
    fn calls_end_with_their_number_or_with_the_time() {
        assert_eq!(made(Calls::new(0)), 0);
        assert_eq!(made(Calls::new(1000)), 1000);
        // Without any time the first reading of the clock ends it.
        assert_eq!(made(Calls::within(Duration::ZERO).unwrap()), Calls::PER_READING);
        assert_eq!(made(Calls::within(Duration::from_secs(3600)).unwrap().at_most(1000)), 1000);
        assert!(made(Calls::within(Duration::from_millis(1)).unwrap()) > Calls::PER_READING);
        let mut few = Calls::new(5);
        assert!(few.allow(5) && !few.allow(6));
    }

    #[test]
    fn time_spent_waiting_does_not_count() {
        let mut calls = Calls::within(Duration::from_millis(200)).unwrap();
        let start = Kalah::start(6, 4).unwrap();
        for _ in 0..=Calls::PER_READING {
            calls.child(&start, 0);
        }
        std::thread::sleep(Duration::from_millis(250));
        assert!(calls.allow(1));
    }
}
