//! The board as text: the second player above, from right to left, the stores at the ends.

use std::fmt;

use super::Kalah;
use crate::position::{Position, Side};

impl fmt::Display for Kalah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |stones: Vec<u8>| stones.iter().map(|n| format!("{n:>4}")).collect::<String>();
        let mut above = self.stones(Side::Second);
        above.reverse();
        let numbers: Vec<u8> = (1..=self.holes() as u8).collect();
        let mut numbers_above = numbers.clone();
        numbers_above.reverse();
        let gap = " ".repeat(4 * self.holes());
        let to_move = |side| if self.outcome().is_none() && self.side() == side { "  to move" } else { "" };
        writeln!(f, "hole {}", row(numbers_above))?;
        writeln!(f, "     {}{}", row(above), to_move(Side::Second))?;
        writeln!(f, "{:>4} {gap}  {:>4}", self.store(Side::Second), self.store(Side::First))?;
        writeln!(f, "     {}{}", row(self.stones(Side::First)), to_move(Side::First))?;
        write!(f, "hole {}", row(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn() {
        let position = Kalah::start(6, 4).unwrap().play(2).play(5);
        let lines = [
            "hole    6   5   4   3   2   1",
            "        4   4   5   5   5   5  to move",
            "   0                              2",
            "        4   4   0   5   5   0",
            "hole    1   2   3   4   5   6",
        ];
        assert_eq!(position.to_string(), lines.join("\n"));
    }
}
