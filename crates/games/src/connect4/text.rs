//! The board as text: x for the first player, o for the second.

use std::fmt;

use super::Connect4;
use crate::position::{Position, Side};

impl fmt::Display for Connect4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..u32::from(self.rows)).rev() {
            let square = |column: u32| {
                let bit = 1u64 << (column * self.stride() + row);
                match self.discs.map(|discs| discs & bit != 0) {
                    [true, _] => "x",
                    [_, true] => "o",
                    _ => ".",
                }
            };
            writeln!(f, "{}", (0..u32::from(self.columns)).map(square).collect::<Vec<_>>().join(" "))?;
        }
        let numbers: Vec<String> = (1..=self.columns).map(|column| column.to_string()).collect();
        write!(f, "{}", numbers.join(" "))?;
        if self.outcome().is_none() {
            let disc = if self.side() == Side::First { "x" } else { "o" };
            write!(f, "  {disc} to move")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Evaluator;
    use super::*;

    #[test]
    fn a_board_is_drawn() {
        let position = Connect4::start(4, 3, Evaluator::Lines).unwrap().play(1).play(1).play(2);
        assert_eq!(position.to_string(), ". . . .\n. o . .\n. x x .\n1 2 3 4  o to move");
    }
}
