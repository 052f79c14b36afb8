//! What to compute for a published figure.

use prodmax_enumerate::Model;
use prodmax_mass::Curve;
use prodmax_number::possible::Kind;
use prodmax_rules::{Rule, RulePair};
use serde::{Deserialize, Serialize};

/// A published figure as something to compute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// 100 (eP - eM) / (eP + eM).
    DifferencePercent(Model),
    /// The mean of the differences over several roots.
    MeanDifferencePercent {
        /// The columns of the table.
        roots: Vec<i64>,
        /// The row.
        increments: Vec<i64>,
    },
    /// 100 (eP - eM) / number of critical trees.
    PerCasePercent(Model),
    /// 100 eM / (eM + eP).
    ShareMinimaxPercent(Model),
    /// 100 eP / (eM + eP).
    ShareProductPercent(Model),
    /// Critical ordered trees.
    Critical(Model),
    /// A figure of a contest between any two rules.
    Contest {
        /// Which figure.
        figure: ContestFigure,
        /// The first and the second rule.
        rules: RulePair,
        /// The trees.
        model: Model,
    },
    /// The share of the possible gain over random play that a rule achieves: (won - random) / (ideal - random).
    Efficiency {
        /// The rule.
        rule: Rule,
        /// The trees.
        model: Model,
    },
    /// The probability that a random tree is critical and a rule chooses wrongly in it: its error mass among all
    /// trees, as a fraction. The truth must be rational.
    ErrorProbability {
        /// The rule that errs.
        errs: Side,
        /// The rules, Minimax and Product by default.
        #[serde(default, skip_serializing_if = "RulePair::is_khs")]
        rules: RulePair,
        /// The trees.
        model: Model,
        /// The true probabilities of the leaves.
        truth: Curve,
        /// What Product believes them to be.
        estimate: Curve,
    },
    /// The uniform error rate, in percent, at which Minimax becomes superior (depth 2, formula (7)).
    ThresholdPercent(Model),
    /// N(I2) / N(I4) (depth 2).
    IntervalRatio(Model),
    /// The rule that is right in a case of Table I: `minimax`, `product` or `irrelevant`.
    Table1Case {
        /// The interval that contains the draw value: 1..=5.
        interval: usize,
        /// The wrongly evaluated leaves: M1, M2, P1, P2.
        errors: Vec<String>,
    },
    /// Critical cases that favour `minimax` or `product`.
    Table1Count(String),
    /// The number of cases.
    Table1Cases,
    /// The number of cases of an analysis like Table I at depth 3.
    Depth3Cases,
    /// A formula of KHS section IV-C.
    Formula(Formula),
    /// The probability of winning at a value by a curve, on the papers' line.
    CurveValue {
        /// The curve.
        curve: Curve,
        /// The heuristic value.
        h: i32,
    },
    /// A figure of KHS's Table III or IV: what three stored trees are expected to give, by a simulation.
    Simulated {
        /// Which table.
        table: SimulatedTable,
        /// The depth of all searches: the row.
        d: usize,
        /// The column.
        figure: SimulatedFigure,
    },
    /// A figure of a contest in stored trees, by the simulation of the reading: what so many trees are expected to give.
    Contested {
        /// The number of trees.
        trees: u64,
        /// The depth of the trees.
        tree_depth: usize,
        /// The depth of all searches.
        d: usize,
        /// Which figure, with estimated probabilities.
        figure: SimulatedFigure,
    },
    /// The number of game pairs in KHS's stored trees: from every node at which a search still fits.
    GamePairs {
        /// The number of trees.
        trees: u64,
        /// The depth of the trees.
        tree_depth: u32,
        /// The depth of all searches.
        d: u32,
    },
    /// The one-sided sign test of wins against losses, without continuity correction.
    SignTest {
        /// Critical pairs won by one player.
        wins: u64,
        /// Critical pairs won by the other.
        losses: u64,
    },
    /// The share of all games, in percent, won by a player with these numbers of critical pairs won and lost.
    TotalSharePercent {
        /// Critical pairs won.
        wins: u64,
        /// Critical pairs lost.
        losses: u64,
        /// All pairs.
        pairs: u64,
    },
    /// A figure of a match between two players of a game.
    Match {
        /// The id of its spec in `specs/play/`.
        spec: String,
        /// The bound of calls; all bounds together without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        calls: Option<u64>,
        /// Which figure.
        figure: MatchFigure,
    },
    /// What a published number of games would be expected to give, by a match whose results are recorded in
    /// `golden/play/baum.json`.
    RecordedMatch {
        /// The id of the match in the record.
        id: String,
        /// The published number of games.
        games: u64,
        /// Which figure.
        figure: MatchFigure,
    },
    /// A figure of Minimax against Product by the law of values, for models of any depth.
    Law {
        /// Which figure.
        figure: LawFigure,
        /// Certified bounds or an estimate.
        answer: LawAnswer,
        /// The true probabilities of the leaves, w_4 by default, and what Product believes them to be, w_1 by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        curves: Option<[Curve; 2]>,
        /// Steps of the grid per unit of -ln p.
        grid: u32,
        /// The trees.
        model: Model,
    },
    /// The uniform error rate, in percent, at which Minimax becomes superior, estimated by the law of values.
    LawThresholdPercent {
        /// Steps of the grid per unit of -ln p.
        grid: u32,
        /// The trees.
        model: Model,
    },
    /// A figure of a table of Luštrek, Gams and Bratko.
    Lgb {
        /// The number of the table.
        table: usize,
        /// The column: a parameter of the model, as in its heading.
        series: String,
        /// What is measured.
        figure: String,
        /// The row: the depth of search; the branching factor in Table 6, the ply in Table 8.
        row: usize,
    },
    /// A figure of eq. (9) of Luštrek, Gams and Bratko, fitted to their Table 6 as printed.
    LgbEquation9(Equation9Figure),
    /// The value of a Connect-Four board for the first player: `won`, `drawn` or `lost`.
    Connect4Value {
        /// Columns of the board.
        columns: usize,
        /// Rows of the board.
        rows: usize,
        /// The moves made before, columns from 1 on; none if the board is empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        moves: String,
    },
    /// A sentence of a paper; the names are those of the predicates in `prodmax-check`.
    Claim {
        /// Its name.
        claim: String,
        /// Whose figures decide it.
        by: Figures,
    },
    /// How many games of a recorded log the players play again move by move; logs are in `golden/play/`, named like the
    /// spec of their match.
    GamesAgain(String),
}

/// A figure of the equation g(b) = factor · base^b + constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Equation9Figure {
    /// The first coefficient.
    Factor,
    /// What is raised to the power b.
    Base,
    /// The last coefficient.
    Constant,
    /// The grains that independent values require.
    Grains {
        /// The branching factor.
        b: u32,
    },
}

/// Whose figures decide whether a sentence of a paper holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figures {
    /// Those that the paper prints.
    Printed,
    /// Ours.
    Ours,
}

/// A figure of a match, from the first player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchFigure {
    /// Games won, with the binomial error for this number of games.
    Wins,
    /// Games lost, likewise.
    Losses,
    /// Games drawn, likewise.
    Draws,
    /// Wins minus losses, likewise: positive if the first player is ahead.
    Lead,
    /// The first player's share of the decided games, in percent.
    DecidedPercent,
    /// A checksum of all moves of all games.
    Moves,
}

/// A figure by the law of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LawFigure {
    /// 100 (eP - eM) / (eP + eM).
    DifferencePercent,
    /// The share of the possible gain over random play that Minimax achieves.
    MinimaxEfficiency,
    /// The same for Product.
    ProductEfficiency,
    /// The probability that a random move is won.
    RandomWon,
}

/// The two kinds of answers of the law of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LawAnswer {
    /// An interval that is certain to contain the figure.
    Bounds,
    /// An estimate with a margin that is itself an estimate.
    Estimate,
}

/// A table of simulated game contests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimulatedTable {
    /// Table III: estimated probabilities.
    Estimated,
    /// Table IV: actual probabilities.
    Actual,
}

/// A column of a table of simulated game contests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimulatedFigure {
    /// Critical game pairs.
    Critical,
    /// Critical pairs won by Minimax.
    MinimaxWins,
    /// Critical pairs won by Product.
    ProductWins,
    /// Minimax's share of the critical pairs, in percent.
    MinimaxPercent,
}

/// A figure of a contest between two rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContestFigure {
    /// Critical ordered trees.
    Critical,
    /// 100 (e2 - e1) / (e1 + e2), positive if the first rule errs less.
    DifferencePercent,
}

/// One of the two rules of a contest. The names of KHS's two rules are accepted in place of `first` and `second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first rule.
    #[serde(alias = "minimax")]
    First,
    /// The second rule.
    #[serde(alias = "product")]
    Second,
}

/// The formulas of KHS section IV-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// (5): the draw value in I4.
    Five,
    /// (6): the draw value in I2.
    Six,
    /// g(p).
    CommonFactor,
    /// (5) / g(p).
    CofactorFive,
    /// (6) / g(p).
    CofactorSix,
}

impl Quantity {
    /// Whether it follows from other figures that the same paper prints: then agreement says that the paper is consistent
    /// with itself, not that it is reproduced.
    pub fn is_arithmetic(&self) -> bool {
        matches!(
            self,
            Self::GamePairs { .. }
                | Self::SignTest { .. }
                | Self::TotalSharePercent { .. }
                | Self::LgbEquation9(_)
        )
    }

    /// Whether the sign of the quantity tells which rule is ahead.
    pub fn is_signed(&self) -> bool {
        matches!(
            self,
            Self::DifferencePercent(_)
                | Self::MeanDifferencePercent { .. }
                | Self::PerCasePercent(_)
                | Self::Contest { figure: ContestFigure::DifferencePercent, .. }
                | Self::Match { figure: MatchFigure::Lead, .. }
                | Self::RecordedMatch { figure: MatchFigure::Lead, .. }
                | Self::Law { figure: LawFigure::DifferencePercent, .. }
        )
    }

    /// What its figure is, and so which values are possible.
    pub fn kind(&self) -> Kind {
        match self {
            Self::DifferencePercent(_)
            | Self::MeanDifferencePercent { .. }
            | Self::PerCasePercent(_)
            | Self::Contest { figure: ContestFigure::DifferencePercent, .. }
            | Self::Law { figure: LawFigure::DifferencePercent, .. } => Kind::Difference,
            Self::ShareMinimaxPercent(_)
            | Self::ShareProductPercent(_)
            | Self::ThresholdPercent(_)
            | Self::LawThresholdPercent { .. }
            | Self::TotalSharePercent { .. }
            | Self::Simulated { figure: SimulatedFigure::MinimaxPercent, .. }
            | Self::Contested { figure: SimulatedFigure::MinimaxPercent, .. }
            | Self::Match { figure: MatchFigure::DecidedPercent, .. }
            | Self::RecordedMatch { figure: MatchFigure::DecidedPercent, .. } => Kind::Percentage,
            Self::ErrorProbability { .. }
            | Self::CurveValue { .. }
            | Self::SignTest { .. }
            | Self::Law { figure: LawFigure::RandomWon, .. } => Kind::Probability,
            // A rule may be worse than a random choice.
            Self::Efficiency { .. }
            | Self::Law { figure: LawFigure::MinimaxEfficiency | LawFigure::ProductEfficiency, .. }
            | Self::Match { figure: MatchFigure::Lead, .. }
            | Self::RecordedMatch { figure: MatchFigure::Lead, .. }
            | Self::LgbEquation9(_) => Kind::Score,
            Self::Lgb { figure, .. } => match figure.as_str() {
                "move_error" | "two_value_error" | "static_move_error" | "static_two_value_error" => {
                    Kind::Probability
                }
                _ => Kind::Size,
            },
            // Numbers of things; words and formulas are no numbers.
            Self::Critical(_)
            | Self::Contest { figure: ContestFigure::Critical, .. }
            | Self::IntervalRatio(_)
            | Self::Table1Case { .. }
            | Self::Table1Count(_)
            | Self::Table1Cases
            | Self::Depth3Cases
            | Self::Formula(_)
            | Self::Simulated { .. }
            | Self::Contested { .. }
            | Self::GamePairs { .. }
            | Self::Match { .. }
            | Self::RecordedMatch { .. }
            | Self::Connect4Value { .. }
            | Self::Claim { .. }
            | Self::GamesAgain(_) => Kind::Size,
        }
    }

    /// The model, if the quantity belongs to a single one whose classes are enumerated.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Self::DifferencePercent(model)
            | Self::PerCasePercent(model)
            | Self::ShareMinimaxPercent(model)
            | Self::ShareProductPercent(model)
            | Self::Critical(model)
            | Self::Contest { model, .. }
            | Self::Efficiency { model, .. }
            | Self::ErrorProbability { model, .. }
            | Self::ThresholdPercent(model)
            | Self::IntervalRatio(model) => Some(model),
            _ => None,
        }
    }

    /// The model and the steps of the grid, if it is a figure by the law of values, and how often the law is computed.
    pub fn law(&self) -> Option<(&Model, u32, u32)> {
        match self {
            Self::Law { model, grid, .. } => Some((model, *grid, 1)),
            Self::LawThresholdPercent { model, grid } => Some((model, *grid, 13)),
            _ => None,
        }
    }
}
