//! Every rule against every other on one model, and the quality of each.

use prodmax_enumerate::Model;
use prodmax_number::{Enclosure, Fraction};
use prodmax_rules::Rule;
use prodmax_rules::ideal::Ideal;
use rayon::prelude::*;

use crate::arithmetic::{Field, Float};
use crate::contest::Contest;
use crate::contestant::Contestant;
use crate::critical::{Counts, Mass, MassError};
use crate::figures::Figures;
use crate::forest::Forest;
use crate::measure::{Curves, MeasureError, Number};
use crate::quality::{Chances, Quality, won};
use crate::ranking::{Comparisons, Ranking};

/// Two rules of a tournament against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<N> {
    /// The places of the two rules in the list of all; the lesser one is the first rule.
    pub rules: [usize; 2],
    /// Where the ordered trees belong.
    pub counts: Counts,
    /// The error masses.
    pub mass: Mass<N>,
    /// The percentages.
    pub figures: Figures<N>,
}

/// What a tournament finds, in one kind of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings<N> {
    /// All pairs, in the order of the rules.
    pub matches: Vec<Match<N>>,
    /// The quality of each rule.
    pub quality: Vec<Quality<N>>,
    /// What can be won.
    pub chances: Chances<N>,
}

/// The standings in the numbers asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbered {
    /// Doubles.
    F64(Standings<f64>),
    /// Enclosures.
    Certified(Standings<Enclosure>),
    /// Fractions.
    Exact(Standings<Fraction>),
}

/// A tournament of some rules on one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// The rules, as they were given.
    pub rules: Vec<Rule>,
    /// Depth-1 classes.
    pub classes: u64,
    /// How the rankings were proved.
    pub comparisons: Comparisons,
    /// The figures.
    pub standings: Numbered,
}

impl Curves {
    /// Sets all rules against each other on a model that fits into memory.
    pub fn tournament(
        &self,
        model: &Model,
        rules: &[Rule],
        number: Number,
    ) -> Result<Tournament, MeasureError> {
        // A refusal comes before the work.
        let exact = (number == Number::Exact).then(|| self.exact()).transpose()?;
        let forest = Forest::of(model).map_err(MassError::from)?;
        let rank = |rule: &Rule| forest.rank(&Contestant::new(rule.clone(), self));
        let (rankings, ideal) =
            rayon::join(|| rules.par_iter().map(rank).collect::<Result<Vec<_>, _>>(), || rank(&Ideal.into()));
        let (rankings, ideal) = (rankings?, ideal?);
        let mut comparisons = Comparisons::default();
        rankings.iter().for_each(|ranking| comparisons.merge(&ranking.comparisons()));
        let hall = Hall { forest: &forest, rankings: &rankings, ideal: &ideal };
        let standings = match (number, exact) {
            (Number::Exact, Some(exact)) => Numbered::Exact(hall.play(&exact)),
            (Number::Certified, _) => Numbered::Certified(hall.play(&self.certified())),
            _ => Numbered::F64(hall.play(&Float(&self.truth))),
        };
        Ok(Tournament {
            rules: rules.to_vec(),
            classes: forest.classes().len() as u64,
            comparisons,
            standings,
        })
    }
}

/// The rankings of all rules.
struct Hall<'a> {
    forest: &'a Forest,
    rankings: &'a [Ranking],
    ideal: &'a Ranking,
}

impl Hall<'_> {
    fn play<F: Field>(&self, field: &F) -> Standings<F::Number> {
        let truth = self.forest.truth(field);
        let rankings = self.rankings;
        let chances = Chances::of(field, self.forest, self.ideal, &truth);
        let quality = rankings
            .par_iter()
            .map(|ranking| chances.quality(field, won(field, self.forest, ranking, &truth)));
        let pairs: Vec<[usize; 2]> = (0..rankings.len())
            .flat_map(|first| (first + 1..rankings.len()).map(move |second| [first, second]))
            .collect();
        let play = |&[first, second]: &[usize; 2]| {
            let contest = Contest::new(self.forest, &rankings[first], &rankings[second]);
            let (counts, mass) = (contest.counts(), contest.mass(field, &truth));
            let figures = Figures::of(field, &mass, counts.critical);
            Match { rules: [first, second], counts, mass, figures }
        };
        Standings { matches: pairs.par_iter().map(play).collect(), quality: quality.collect(), chances }
    }
}
