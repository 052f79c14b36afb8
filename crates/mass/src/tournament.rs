//! Every rule against every other on one model, and the quality of each.

use prodmax_enumerate::Model;
use prodmax_number::possible::ImpossibleFigure;
use prodmax_number::{Enclosure, Fraction};
use prodmax_rules::Rule;
use prodmax_rules::ideal::Ideal;
use prodmax_rules::minimax::Minimax;
use rayon::prelude::*;

use crate::arithmetic::{Field, Float};
use crate::contest::Contest;
use crate::contestant::Contestant;
use crate::critical::{Counts, Mass, MassError};
use crate::deep::{self, DeepError, DeepMass, DeepWon};
use crate::figures::Figures;
use crate::forest::Forest;
use crate::measure::{CERTIFIED_BITS, Curves, MeasureError, Number, check_doubles, is_deep};
use crate::quality::{Chances, Quality, won};
use crate::ranking::{Comparisons, Ranking};

/// Two rules of a tournament against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<N> {
    /// The places of the two rules in the list of all; the smaller one is the first rule.
    pub rules: [usize; 2],
    /// The kinds of ordered trees.
    pub counts: Counts,
    /// The error masses.
    pub mass: Mass<N>,
    /// The percentages.
    pub figures: Figures<N>,
}

/// Which rules are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matches {
    /// Every rule with every other.
    All,
    /// Minimax with every other rule.
    WithMinimax,
}

/// What a tournament finds, in one kind of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings<N> {
    /// All pairs, in the order of the rules, or only those with Minimax (see [`Matches`] and
    /// [`Curves::tournament_deep`]).
    pub matches: Vec<Match<N>>,
    /// The quality of each rule.
    pub quality: Vec<Quality<N>>,
    /// What can be won.
    pub chances: Chances<N>,
}

/// The standings in the numbers asked for; exhaustive like [`crate::Measured`].
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
#[non_exhaustive]
pub struct Tournament {
    /// The rules, as given.
    pub rules: Vec<Rule>,
    /// Depth-1 classes.
    pub classes: u64,
    /// How the rankings were proved.
    pub comparisons: Comparisons,
    /// The figures.
    pub standings: Numbered,
}

impl Curves {
    /// Compares all rules with each other on a model that fits into memory.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::{Curve, Curves, Number, Numbered};
    /// use prodmax_rules::RuleList;
    ///
    /// let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42)?;
    /// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    /// let rules: RuleList = "minimax,product,ideal".parse()?;
    /// let tournament = curves.tournament(&model, &rules.rules(), Number::F64)?;
    /// let Numbered::F64(standings) = tournament.standings else { return Err("no doubles".into()) };
    /// // Three pairs; the first is Minimax against Product.
    /// assert_eq!(standings.matches.len(), 3);
    /// assert_eq!(standings.matches[0].counts.critical, 26_896u32.into());
    /// // The ideal rule wins all that can be won.
    /// assert_eq!(standings.quality[2].efficiency, Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tournament(
        &self,
        model: &Model,
        rules: &[Rule],
        number: Number,
    ) -> Result<Tournament, MeasureError> {
        self.tournament_of(model, rules, number, Matches::All)
    }

    /// Compares rules with each other on a model that fits into memory.
    pub fn tournament_of(
        &self,
        model: &Model,
        rules: &[Rule],
        number: Number,
        matches: Matches,
    ) -> Result<Tournament, MeasureError> {
        // Refuse before the work starts.
        let exact = (number == Number::Exact).then(|| self.exact()).transpose()?;
        check_doubles(model, number)?;
        let forest = Forest::of(model).map_err(MassError::from)?;
        let rank = |rule: &Rule| forest.rank(&Contestant::new(rule.clone(), self));
        let (rankings, ideal) =
            rayon::join(|| rules.par_iter().map(rank).collect::<Result<Vec<_>, _>>(), || rank(&Ideal.into()));
        let (rankings, ideal) = (rankings?, ideal?);
        let mut comparisons = Comparisons::default();
        rankings.iter().for_each(|ranking| comparisons.merge(&ranking.comparisons()));
        let minimax = Rule::from(Minimax);
        let pairs: Vec<[usize; 2]> = (0..rankings.len())
            .flat_map(|first| (first + 1..rankings.len()).map(move |second| [first, second]))
            .filter(|pair| matches == Matches::All || pair.iter().any(|&place| rules[place] == minimax))
            .collect();
        for &[first, second] in &pairs {
            Contest::new(&forest, &rankings[first], &rankings[second]).check()?;
        }
        let pairings = Pairings { forest: &forest, rankings: &rankings, ideal: &ideal, pairs: &pairs };
        let standings = match (number, exact) {
            (Number::Exact, Some(exact)) => Numbered::Exact(pairings.play(&exact)?),
            (Number::Certified, _) => Numbered::Certified(pairings.play(&self.certified())?),
            _ => Numbered::F64(pairings.play(&Float(&self.truth))?),
        };
        Ok(Tournament {
            rules: rules.to_vec(),
            classes: forest.classes().len() as u64,
            comparisons,
            standings,
        })
    }
}

impl Curves {
    /// Compares rules with each other, in memory if the classes of the model fit, otherwise block by block.
    pub fn tournament_any(
        &self,
        model: &Model,
        rules: &[Rule],
        number: Number,
        options: &deep::Options<'_>,
    ) -> Result<Tournament, MeasureError> {
        if is_deep(model) {
            Ok(self.tournament_deep(model, rules, number, options)?)
        } else {
            self.tournament(model, rules, number)
        }
    }

    /// Compares all rules with Minimax, which must be one of them, on a model whose depth-1 classes do not fit into
    /// memory: one sweep along each, and one along the ideal rule for their quality. Rules other than Minimax are not
    /// compared with each other.
    pub fn tournament_deep(
        &self,
        model: &Model,
        rules: &[Rule],
        number: Number,
        options: &deep::Options<'_>,
    ) -> Result<Tournament, DeepError> {
        deep::check_model(model)?;
        deep::check_tournament(rules)?;
        if number == Number::Exact {
            return Err(DeepError::Exact);
        }
        let minimax = Rule::from(Minimax);
        let mut sweeps: Vec<Option<DeepMass>> = Vec::new();
        for rule in rules {
            sweeps.push(if *rule == minimax { None } else { Some(self.sweep(model, rule, options)?) });
        }
        let known =
            rules.iter().position(|rule| *rule == Ideal.into()).and_then(|place| sweeps[place].as_ref());
        let ideal = match known {
            Some(deep) => deep.won.clone(),
            None => self.sweep(model, &Ideal.into(), options)?.won,
        };
        let standings = if number == Number::Certified {
            let (field, bits) = (self.certified(), CERTIFIED_BITS);
            Numbered::Certified(deep_standings(&field, rules, &sweeps, &ideal, &|v, bound| {
                deep::within(bound, v, bits)
            })?)
        } else {
            Numbered::F64(deep_standings(&Float(&self.truth), rules, &sweeps, &ideal, &|v, _| v)?)
        };
        let mut comparisons = Comparisons::default();
        sweeps.iter().flatten().for_each(|deep| comparisons.merge(&deep.comparisons));
        let classes = sweeps.iter().flatten().map(|deep| deep.pairs).max().unwrap_or(0);
        Ok(Tournament { rules: rules.to_vec(), classes, comparisons, standings })
    }
}

/// The standings from a sweep along each rule except Minimax; `number` makes a number from a double and its error
/// bound.
fn deep_standings<F: Field>(
    field: &F,
    rules: &[Rule],
    sweeps: &[Option<DeepMass>],
    ideal: &DeepWon,
    number: &dyn Fn(f64, f64) -> F::Number,
) -> Result<Standings<F::Number>, MassError> {
    let minimax = sweeps.iter().position(Option::is_none).unwrap_or(0);
    let chances =
        Chances::new(field, number(ideal.rules[1], ideal.bound), number(ideal.random, ideal.bound))?;
    let won = |sweep: &Option<DeepMass>| match sweep {
        Some(deep) => number(deep.won.rules[1], deep.won.bound),
        None => number(ideal.rules[0], ideal.bound),
    };
    let game = |(place, deep): (usize, &DeepMass)| {
        let (counts, bound) = (deep.counts.clone(), deep.bound);
        let mass = Mass {
            first_error: number(deep.mass.first_error, bound),
            second_error: number(deep.mass.second_error, bound),
        };
        let mass = if minimax < place { mass } else { mass.swapped() }.possible(field)?;
        let figures = Figures::of(field, &mass, &counts.critical)?;
        Ok(Match { rules: [minimax.min(place), minimax.max(place)], counts, mass, figures })
    };
    let quality = sweeps.iter().map(|sweep| chances.quality(field, won(sweep))).collect::<Result<_, _>>()?;
    let swept = (0..rules.len()).filter_map(|place| Some((place, sweeps[place].as_ref()?)));
    let matches = swept.map(game).collect::<Result<_, ImpossibleFigure>>()?;
    Ok(Standings { matches, quality, chances })
}

/// The rankings of all rules.
struct Pairings<'a> {
    forest: &'a Forest,
    rankings: &'a [Ranking],
    ideal: &'a Ranking,
    pairs: &'a [[usize; 2]],
}

impl Pairings<'_> {
    fn play<F: Field>(&self, field: &F) -> Result<Standings<F::Number>, MassError> {
        let truth = self.forest.truth(field);
        let rankings = self.rankings;
        let chances = Chances::of(field, self.forest, self.ideal, &truth)?;
        let quality = rankings
            .par_iter()
            .map(|ranking| chances.quality(field, won(field, self.forest, ranking, &truth)));
        let play = |&[first, second]: &[usize; 2]| {
            let contest = Contest::new(self.forest, &rankings[first], &rankings[second]);
            let (counts, mass) = (contest.counts(), contest.mass(field, &truth).possible(field)?);
            let figures = Figures::of(field, &mass, &counts.critical)?;
            Ok(Match { rules: [first, second], counts, mass, figures })
        };
        let matches = self.pairs.par_iter().map(play).collect::<Result<_, ImpossibleFigure>>()?;
        Ok(Standings { matches, quality: quality.collect::<Result<_, _>>()?, chances })
    }
}
