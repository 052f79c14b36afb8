//! What is said of rules that are set against each other.

use serde::{Serialize, Serializer};

/// Values of rules by the names that were typed, in their order: an object in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByRule<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for ByRule<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(rule, value)| (rule, value)))
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for ByRule<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("ByRule_{}", T::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let of_rule = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "object", "x-prodmax": "by_rule", "additionalProperties": of_rule })
    }
}

/// Percentages and shares of the errors of two rules; `None` where there is no error (or case) to divide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percentages<N> {
    /// The first rule's share of all errors: e1 / (e1 + e2).
    pub share_first: Option<N>,
    /// 100 (e2 - e1) / (e2 + e1), positive if the first rule errs less: the statistic "share" of Table II.
    pub difference_percent: Option<N>,
    /// 100 (e2 - e1) / number of critical trees: the statistic "per-case".
    pub per_case_percent: Option<N>,
}

impl<N> Percentages<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> Percentages<T> {
        Percentages {
            share_first: self.share_first.map(&to),
            difference_percent: self.difference_percent.map(&to),
            per_case_percent: self.per_case_percent.map(&to),
        }
    }
}
