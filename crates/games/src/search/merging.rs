//! The table of positions that a search has already valued.
//!
//! Different orders of moves lead to the same position, and its value depends only on the position and its height. A
//! slot of the table holds one position and is overwritten by the next one that needs it. So a position may be valued
//! twice, but never wrongly, and the table never grows.

use crate::position::Position;

/// Values by position and height.
#[derive(Clone, Debug)]
pub struct MergeTable<P> {
    entries: Vec<Option<Entry<P>>>,
    search: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry<P> {
    position: P,
    height: u16,
    search: u32,
    value: f64,
}

impl<P: Position> MergeTable<P> {
    /// A table for searches to a given depth: more slots for deeper ones.
    pub fn new(depth: usize) -> Self {
        let slots = 1usize << (3 * depth).clamp(8, 18);
        Self { entries: vec![None; slots], search: 0 }
    }

    /// Forgets everything: values depend on the side that searches.
    pub fn forget(&mut self) {
        match self.search.checked_add(1) {
            Some(next) => self.search = next,
            None => {
                self.entries.fill(None);
                self.search = 0;
            }
        }
    }

    #[inline]
    fn slot(&self, position: &P, height: usize) -> usize {
        let hash = position.hash64().wrapping_add((height as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (hash >> 24) as usize & (self.entries.len() - 1)
    }

    /// The value of a position, if it is known.
    #[inline]
    pub fn get(&self, position: &P, height: usize) -> Option<f64> {
        let entry = self.entries[self.slot(position, height)].as_ref()?;
        let known =
            entry.search == self.search && usize::from(entry.height) == height && entry.position == *position;
        known.then_some(entry.value)
    }

    /// Remembers a value.
    #[inline]
    pub fn put(&mut self, position: &P, height: usize, value: f64) {
        let slot = self.slot(position, height);
        self.entries[slot] =
            Some(Entry { position: *position, height: height as u16, search: self.search, value });
    }
}
