//! Figures in the JSON of a measurement.

use prodmax_mass::Measurement;
use prodmax_number::Figure;
use serde_json::{Map, Value, json};

/// Significant digits of the ends of a printed enclosure.
const ENCLOSURE_DIGITS: u32 = 14;

/// How figures are named in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys<'a> {
    /// Minimax against Product, with the keys they have always had.
    Khs,
    /// By the names of the rules.
    Rules([&'a str; 2]),
}

/// A figure and its path in the JSON; `None` if there is nothing to divide by.
pub(crate) type Placed<'a> = (Vec<String>, Option<&'a Figure>);

/// A path in the JSON.
pub(crate) fn path(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

/// The figures of two rules that were swept, and their paths in the JSON.
pub(crate) fn placed<'a>(
    measured: &'a Measurement<Figure>,
    names: [&str; 2],
    keys: Keys<'_>,
) -> Vec<Placed<'a>> {
    let pair = &measured.matches[0];
    let [first, second, share] = match keys {
        Keys::Khs => [path(&["minimax_error"]), path(&["product_error"]), path(&["share_minimax"])],
        Keys::Rules([first, second]) => {
            [path(&["errors", first]), path(&["errors", second]), path(&["share_first"])]
        }
    };
    let [first_error, second_error] = pair.errors();
    // What is won comes first: the difference is relative to the errors, and leaves ties out.
    let mut placed: Vec<Placed<'a>> = vec![
        (path(&["quality", names[0], "won"]), Some(&measured.quality[0].won)),
        (path(&["quality", names[1], "won"]), Some(&measured.quality[1].won)),
        (path(&["ties_points"]), pair.ties_points.as_ref()),
        (path(&["difference_percent"]), pair.figures.difference_percent.as_ref()),
        (first, Some(first_error)),
        (second, Some(second_error)),
        (share, pair.figures.share_first.as_ref()),
        (path(&["per_case_percent"]), pair.figures.per_case_percent.as_ref()),
    ];
    if let Some(chances) = &measured.chances {
        for (name, quality) in names.into_iter().zip(&measured.quality) {
            placed.push((path(&["quality", name, "efficiency"]), quality.efficiency.as_ref()));
        }
        placed.push((path(&["won_ideal"]), Some(&chances.ideal)));
        placed.push((path(&["won_random"]), Some(&chances.random)));
    }
    placed
}

/// What programs get in addition to the double: the key of its group in the JSON, and the value there.
pub(crate) fn certificate(figure: &Figure) -> Option<(&'static str, Value)> {
    match figure {
        Figure::Enclosed(enclosure) => {
            let ends = enclosure.decimals(ENCLOSURE_DIGITS).map(|end| end.parse::<f64>().unwrap_or(f64::NAN));
            Some(("enclosure", json!(ends)))
        }
        Figure::Fraction(fraction) => Some(("fractions", json!(fraction.to_string()))),
        Figure::Integer(_) | Figure::Between(_) | Figure::Approximate(_) => None,
    }
}

/// Puts figures into a JSON object: each as a number (or null) at its path, and its certificate at the same path in a
/// group of its own.
pub(crate) fn insert(object: &mut Map<String, Value>, placed: &[Placed<'_>]) {
    let group = placed.iter().find_map(|(_, figure)| figure.and_then(certificate)).map(|(key, _)| key);
    let mut certificates = Map::new();
    for (path, figure) in placed {
        put(object, path, figure.map_or(Value::Null, |figure| json!(figure.double())));
        let certificate = figure.and_then(certificate).map_or(Value::Null, |(_, value)| value);
        put(&mut certificates, path, certificate);
    }
    if let Some(key) = group {
        object.insert(key.to_owned(), Value::Object(certificates));
    }
}

/// Puts a value into a JSON object at a path.
pub(crate) fn put(object: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [key] => {
            object.insert(key.clone(), value);
        }
        [key, rest @ ..] => {
            let inner = object.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}
