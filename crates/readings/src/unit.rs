//! The readings of a block as one line of text, so that a search can be divided: everything is read back exactly.

use std::fmt::Write as _;
use std::str::SplitAsciiWhitespace;

use crate::score::{FactScore, Score};
use crate::search::Evaluated;

/// The text for a missing number.
const NONE: &str = "-";

/// A block as a line; with `cells` the value of every cell is in it, too.
pub fn to_line(block: &[Evaluated], cells: bool) -> String {
    let mut line = String::new();
    let mut word = |text: &str| {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(text);
    };
    for Evaluated { score, values } in block {
        word(&bits(Some(score.rms)));
        word(&score.within.to_string());
        word(&score.signs.to_string());
        match &score.facts {
            None => word(NONE),
            Some(facts) => {
                word(&facts.matched.to_string());
                word(&facts.root.to_string());
                let numbers =
                    [Some(facts.critical), facts.minimax_percent, facts.threshold_percent, facts.ratio];
                numbers.into_iter().for_each(|number| word(&bits(number)));
            }
        }
        if cells {
            word(&values.len().to_string());
            values.iter().for_each(|value| word(&bits(*value)));
        }
    }
    line
}

fn bits(number: Option<f64>) -> String {
    let mut text = String::new();
    match number {
        // Writing to a string cannot fail.
        Some(number) => drop(write!(text, "{:x}", number.to_bits())),
        None => text.push_str(NONE),
    }
    text
}

/// The block of `readings` readings in a line; nothing if there is no such block in it.
pub fn from_line(line: &str, readings: usize, cells: bool) -> Option<Vec<Evaluated>> {
    let mut words = line.split_ascii_whitespace();
    let block: Vec<Evaluated> = (0..readings).map_while(|_| evaluated(&mut words, cells)).collect();
    (block.len() == readings && words.next().is_none()).then_some(block)
}

fn evaluated(words: &mut SplitAsciiWhitespace<'_>, cells: bool) -> Option<Evaluated> {
    let (rms, within, signs) = (double(words)??, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let facts = match words.next()? {
        NONE => None,
        matched => Some(FactScore {
            matched: matched.parse().ok()?,
            root: words.next()?.parse().ok()?,
            critical: double(words)??,
            minimax_percent: double(words)?,
            threshold_percent: double(words)?,
            ratio: double(words)?,
        }),
    };
    let length = if cells { words.next()?.parse().ok()? } else { 0 };
    let values: Vec<Option<f64>> = (0..length).map_while(|_: usize| double(words)).collect();
    (values.len() == length).then_some(Evaluated { score: Score { rms, within, signs, facts }, values })
}

fn double(words: &mut SplitAsciiWhitespace<'_>) -> Option<Option<f64>> {
    match words.next()? {
        NONE => Some(None),
        word => u64::from_str_radix(word, 16).ok().map(|bits| Some(f64::from_bits(bits))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_back_exactly() {
        let facts = FactScore {
            matched: 2,
            root: -3,
            critical: 28992.0,
            minimax_percent: Some(0.1 + 0.2),
            threshold_percent: None,
            ratio: Some(f64::INFINITY),
        };
        let block = [
            Evaluated {
                score: Score { rms: f64::INFINITY, within: 0, signs: 3, facts: None },
                values: vec![None, Some(-0.0)],
            },
            Evaluated { score: Score { rms: 1.5, within: 7, signs: 1, facts: Some(facts) }, values: vec![] },
        ];
        let line = to_line(&block, true);
        let read = from_line(&line, 2, true).unwrap();
        assert_eq!(read, block);
        assert_eq!(read[0].values[1].map(f64::to_bits), Some((-0.0f64).to_bits()));
        let short = from_line(&to_line(&block, false), 2, false).unwrap();
        assert!(short.iter().zip(&block).all(|(a, b)| a.score == b.score && a.values.is_empty()));
        for (readings, cells) in [(1, true), (3, true), (2, false)] {
            assert_eq!(from_line(&line, readings, cells), None);
        }
        assert_eq!(from_line("", 0, true), Some(Vec::new()));
        assert_eq!(from_line("3ff0000000000000 1", 1, false), None);
    }
}
