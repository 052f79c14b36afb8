//! A block's sums as a line of a checkpoint or part. The name of a block is the number of pairs below it.

use std::fmt::Write as _;
use std::str::SplitAsciiWhitespace;

use prodmax_jobs::part::Section;

use super::DeepError;
use super::partition::Block;
use super::running::BlockSums;
use prodmax_jobs::checkpoint::{Checkpoint, bits, double};

/// Changes whenever the format changes, or anything that affects a block's sums.
pub(super) const MAGIC: &str = "prodmax-deep-checkpoint 3";

/// Where finished blocks are kept.
pub(super) enum Keep<'a> {
    /// In memory only.
    Nowhere,
    /// In the checkpoint of the sweep.
    Checkpoint(Checkpoint),
    /// In the part of a shard.
    Part(Section<'a>),
}

impl Keep<'_> {
    /// Keeps a finished block.
    pub(super) fn append(&self, block: &Block, sums: &BlockSums) -> Result<(), DeepError> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Checkpoint(file) => {
                Ok(file.append(&format!("block {} {}", block.start, format_block(block.pairs, sums)))?)
            }
            Self::Part(section) => Ok(section.append(block.start, &format_block(block.pairs, sums))?),
        }
    }
}

/// A finished block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finished {
    /// The number of its pairs, as in [`Block`].
    pub(super) pairs: u64,
    pub(super) sums: BlockSums,
}

fn format_block(pairs: u64, sums: &BlockSums) -> String {
    let mut line = format!(
        "{pairs} {} {} {} {} {} {}",
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

/// A block of a checkpoint, with its name.
pub(super) fn parse_named(mut words: SplitAsciiWhitespace<'_>, ranks: usize) -> Option<(u64, Finished)> {
    if words.next()? != "block" {
        return None;
    }
    Some((words.next()?.parse().ok()?, parse_block(words, ranks)?))
}

/// A block of a run with `ranks` minimax values.
pub(super) fn parse_block(mut words: SplitAsciiWhitespace<'_>, ranks: usize) -> Option<Finished> {
    let pairs = words.next()?.parse().ok()?;
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
    words.next().is_none().then_some(Finished { pairs, sums })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_with_another_number_of_values_is_refused() {
        let sums = BlockSums { critical: 7, count: vec![1, 2], won: vec![0.5, 1.5], ..BlockSums::default() };
        let text = format_block(30, &sums);
        let parse = |ranks| parse_block(text.split_ascii_whitespace(), ranks);
        assert_eq!(parse(2), Some(Finished { pairs: 30, sums: sums.clone() }));
        assert_eq!([parse(3), parse(1)], [None, None]);
        let named = format!("block 12 {text}");
        let parse = |text: &str| parse_named(text.split_ascii_whitespace(), 2);
        assert_eq!(parse(&named), Some((12, Finished { pairs: 30, sums })));
        assert_eq!(parse(&named.replace("block", "bloc")), None);
    }
}
