//! The table of positions that a search has valued already.
//!
//! Different orders of moves lead to the same position, and its value depends on nothing but the position and its height. A
//! place of the table holds one position; another one that needs the place takes it. So a position may be
//! valued twice, but never wrongly, and the table never grows.

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
    /// A table for searches of a depth: more places for deeper ones.
    pub fn new(depth: usize) -> Self {
        let places = 1usize << (3 * depth).clamp(8, 18);
        Self { entries: vec![None; places], search: 0 }
    }

    /// Forgets everything: values depend on whose search it is.
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
    fn place(&self, position: &P, height: usize) -> usize {
        let hash = position.hash64().wrapping_add((height as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (hash >> 24) as usize & (self.entries.len() - 1)
    }

    /// The value of a position, if it is known.
    #[inline]
    pub fn get(&self, position: &P, height: usize) -> Option<f64> {
        let entry = self.entries[self.place(position, height)].as_ref()?;
        let known =
            entry.search == self.search && usize::from(entry.height) == height && entry.position == *position;
        known.then_some(entry.value)
    }

    /// Remembers a value.
    #[inline]
    pub fn put(&mut self, position: &P, height: usize, value: f64) {
        let place = self.place(position, height);
        self.entries[place] =
            Some(Entry { position: *position, height: height as u16, search: self.search, value });
    }
}
