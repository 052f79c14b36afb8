//! Exact counts of any size.

use std::fmt;

use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A count of things, exact whatever its size. Written in full it is `{"$count": "9"}`; in JSON for readers it is the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub BigUint);

/// As it is written in full.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(rename = "$count")]
    digits: String,
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written { digits: self.0.to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { digits } = Written::deserialize(deserializer)?;
        let unreadable = |_| de::Error::custom(format!("`{digits}` is not a count"));
        digits.parse().map(Self).map_err(unreadable)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Into<BigUint>> From<T> for Count {
    fn from(count: T) -> Self {
        Self(count.into())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Count {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "x-prodmax": "count" })
    }
}
