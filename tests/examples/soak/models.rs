//! Random small models, measured and visited tree by tree.

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::{Certified, Curve, Curves, Doubles, Measure, MeasureError, Measurement, NumberKind};
use prodmax_number::Figure;
use prodmax_rules::Rule;

use crate::random::Random;

#[path = "../../../crates/mass/tests/integration/twin/mod.rs"]
mod twin;

use twin::{Twin, visit};

const RULES: [&str; 12] = [
    "minimax",
    "product",
    "average:1/2",
    "average:1/7",
    "mean:1",
    "mean:2",
    "mean:5",
    "baum:4/5:4/5",
    "baum:1:1",
    "baum:3/4:1/2",
    "hints:9/10",
    "ideal",
];

const CURVES: [&str; 8] =
    ["arctan:1", "arctan:4", "arctan:1/2", "arctan:3", "pearl:2", "pearl:16", "uniform:1/20", "uniform:1/3"];

/// The maximum number of ordered trees that are visited.
const MAX_TREES: u32 = 300_000;

/// The greatest number of leaves below a move of the root.
const MAX_LEAVES: usize = 16;

fn model(random: &mut Random) -> Model {
    loop {
        let depth = random.between(1, 4);
        let most = [12, 12, 6, 3, 1][depth as usize];
        let increments: Vec<i64> = (0..depth).map(|_| random.between(0, most)).collect();
        let zero = random.one_of(&[ZeroMode::Skip, ZeroMode::Allow]);
        let (root, h_max) = (random.between(-9, 9), random.one_of(&[42, 42, 30, 20, 14]));
        let branching = random.one_of(&[2, 2, 2, 1, 3, 4]);
        match Model::new(root, &increments, zero, h_max).and_then(|model| model.with_branching(branching)) {
            // Doubles cannot tell values apart that are closer to 1 than their precision: few leaves below a move.
            Ok(model)
                if model.trees() <= MAX_TREES.into()
                    && model.branching().pow(depth as u32 - 1) <= MAX_LEAVES =>
            {
                return model;
            }
            _ => {}
        }
    }
}

fn measure<K: NumberKind>(
    model: &Model,
    curves: &Curves,
    rules: &[Rule; 2],
) -> Result<Measurement<Figure>, MeasureError> {
    Ok(Measure::new(model, curves).rules(rules.clone()).number::<K>().run()?.map(Into::into))
}

/// Measures a model in doubles and in enclosures and compares both with what visiting every tree finds.
pub(crate) fn compare(random: &mut Random) -> Result<(), String> {
    let model = model(random);
    let rules = [random.one_of(&RULES), random.one_of(&RULES)];
    let [truth, estimate] = [random.one_of(&CURVES), random.one_of(&CURVES)];
    let what = || format!("{model:?}, rules {rules:?}, truth {truth}, estimate {estimate}");
    let curve = |text: &str| text.parse::<Curve>().map_err(|error| error.to_string());
    let curves = Curves::new(curve(truth)?, curve(estimate)?, model.line().h_max());
    let named: Result<Vec<Rule>, String> =
        rules.iter().map(|rule| rule.parse::<Rule>().map_err(|error| error.to_string())).collect();
    let named: [Rule; 2] = named?.try_into().map_err(|_| "two rules".to_owned())?;
    let seen = |rule: &str| if rule == "ideal" { &curves.truth } else { &curves.estimate };
    let leaves = rules.map(|rule| move |h| seen(rule).double(h));
    let (depth, branching) = (model.depth(), model.branching());
    let [first, second] =
        [0, 1].map(|index| Twin { rule: rules[index], leaf: &leaves[index], depth, branching });
    let visited = visit(&model, &first, &second, &|h| curves.truth.double(h));
    for measured in
        [measure::<Doubles>(&model, &curves, &named), measure::<Certified>(&model, &curves, &named)]
    {
        let measured = measured.map_err(|error| format!("{}: {error}", what()))?;
        let pair = &measured.matches[0];
        if pair.counts() != Some(&visited.counts) {
            return Err(format!("{}: {:?}, but {:?} by visiting", what(), pair.counts(), visited.counts));
        }
        for (found, expected) in pair.errors().each_ref().map(Figure::double).iter().zip(&visited.errors) {
            if (found - expected).abs() > 1e-10 * expected.abs().max(1e-3) {
                return Err(format!("{}: error mass {found}, but {expected} by visiting", what()));
            }
        }
    }
    Ok(())
}
