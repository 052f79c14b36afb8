//! A block's sums as a line of a checkpoint.

use std::fmt::Write as _;
use std::str::SplitAsciiWhitespace;

use super::running::BlockSums;
use crate::checkpoint::{bits, double};

/// Changes whenever the format changes, or anything that affects a block's sums.
pub(super) const MAGIC: &str = "prodmax-deep-checkpoint 2";

pub(super) fn format_block(number: usize, sums: &BlockSums) -> String {
    let mut line = format!(
        "block {number} {} {} {} {} {} {}",
        sums.critical, sums.agreeing, sums.product_tied, sums.pairs, sums.escalated, sums.unresolved
    );
    // Writing to a string cannot fail.
    for count in &sums.count {
        let _ = write!(line, " {count}");
    }
    for &mass in sums.masses.iter().chain(&sums.won) {
        let _ = write!(line, " {}", bits(mass));
    }
    line
}

/// A block of a run with `blocks` blocks and `ranks` minimax values.
pub(super) fn parse_block(
    mut words: SplitAsciiWhitespace<'_>,
    blocks: usize,
    ranks: usize,
) -> Option<(usize, BlockSums)> {
    if words.next()? != "block" {
        return None;
    }
    let number = words.next()?.parse().ok().filter(|&number| number < blocks)?;
    let mut sums = BlockSums {
        critical: words.next()?.parse().ok()?,
        agreeing: words.next()?.parse().ok()?,
        product_tied: words.next()?.parse().ok()?,
        pairs: words.next()?.parse().ok()?,
        escalated: words.next()?.parse().ok()?,
        unresolved: words.next()?.parse().ok()?,
        ..BlockSums::default()
    };
    for _ in 0..ranks {
        sums.count.push(words.next()?.parse().ok()?);
    }
    for mass in &mut sums.masses {
        *mass = double(&mut words)?;
    }
    for _ in 0..ranks {
        sums.won.push(double(&mut words)?);
    }
    words.next().is_none().then_some((number, sums))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_is_not_part_of_the_run_is_refused() {
        let sums = BlockSums { critical: 7, count: vec![1, 2], won: vec![0.5, 1.5], ..BlockSums::default() };
        let line = format_block(3, &sums);
        let parse = |blocks, ranks| parse_block(line.split_ascii_whitespace(), blocks, ranks);
        assert_eq!(parse(4, 2), Some((3, sums)));
        assert_eq!(parse(3, 2), None, "there are blocks 0, 1 and 2");
        assert_eq!(parse(4, 3), None, "with another number of values");
    }
}
