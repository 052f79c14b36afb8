//! The sections of docs/json.md that follow from the types of answers.

use std::fmt::Write as _;

use prodmax_games::answer::{
    ListedGame, PerftAnswer, PlayAnswer, QualityAnswer, ReplayedGame, SearchAnswer, StudyAnswer,
};
use prodmax_mass::answer::{
    ContestAnswer, CriticalAnswer, CrossoverAnswer, EnumerateAnswer, MassAnswer, ShowAnswer,
};
use prodmax_pathology::answer::{ComparedAnswer, ErrorsAnswer, MapAnswer, RulesAnswer};
use prodmax_readings::answer::{ReadAnswer, SearchAnswer as ReadingsAnswer};
use prodmax_simulate::answer::SimulationAnswer;
use schemars::{Schema, schema_for};
use serde_json::Value;

/// The answers of commands by the names of their sections.
fn answers() -> Vec<(&'static str, Schema)> {
    vec![
        ("enumerate", schema_for!(EnumerateAnswer)),
        ("mass", schema_for!(MassAnswer)),
        ("contest", schema_for!(ContestAnswer)),
        ("crossover", schema_for!(CrossoverAnswer)),
        ("critical", schema_for!(CriticalAnswer)),
        ("show", schema_for!(ShowAnswer)),
        ("perft", schema_for!(PerftAnswer)),
        ("search", schema_for!(SearchAnswer)),
        ("play", schema_for!(PlayAnswer)),
        ("play --replay", schema_for!(ListedGame)),
        ("play --replay --number", schema_for!(ReplayedGame)),
        ("play quality", schema_for!(QualityAnswer)),
        ("play study", schema_for!(StudyAnswer)),
        ("mass --reading", schema_for!(ReadAnswer)),
        ("pathology", schema_for!(ErrorsAnswer)),
        ("pathology --table", schema_for!(ComparedAnswer)),
        ("pathology --rules", schema_for!(RulesAnswer)),
        ("pathology map", schema_for!(MapAnswer)),
        ("readings", schema_for!(ReadingsAnswer)),
        ("simulate", schema_for!(SimulationAnswer)),
    ]
}

/// A section: what the answer is, and a line for each path.
fn section(name: &str, schema: &Schema) -> String {
    let root = schema.as_value();
    let mut text = format!("## `prodmax {name}`\n\n");
    if let Some(description) = root.get("description").and_then(Value::as_str) {
        let _ = write!(text, "{}\n\n", description.replace('\n', " "));
    }
    lines(&mut text, "", root, root);
    text
}

/// What a reference stands for.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap_or(schema),
        None => schema,
    }
}

/// The schemas one of which holds; the schema itself if there is no choice.
fn choices<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let schema = resolved(root, schema);
    let any = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
    any.map_or_else(|| vec![schema], |any| any.iter().flat_map(|one| choices(root, one)).collect())
}

/// The types of a value, as the page names them. Every number can be null, which the page says once.
fn types(root: &Value, schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for schema in choices(root, schema) {
        if schema.get("x-prodmax").and_then(Value::as_str) == Some("figure") {
            names.push("number".to_owned());
            continue;
        }
        let of_type = |name: &str| match (name, schema.get("items")) {
            ("array", Some(items)) => {
                types(root, items).iter().map(|inner| format!("array of {inner}")).collect()
            }
            _ => vec![name.to_owned()],
        };
        match schema.get("type") {
            Some(Value::String(name)) => names.extend(of_type(name)),
            Some(Value::Array(several)) => {
                names.extend(several.iter().filter_map(Value::as_str).flat_map(of_type));
            }
            _ => names.push("any".to_owned()),
        }
    }
    if names.iter().any(|name| name == "number") {
        names.retain(|name| name != "null");
    }
    names.dedup();
    names
}

/// A line for each key below a path.
fn lines(text: &mut String, prefix: &str, root: &Value, schema: &Value) {
    for schema in choices(root, schema) {
        if let Some(items) = schema.get("items") {
            lines(text, prefix, root, items);
        }
        if let Some(of_rule) = schema.get("additionalProperties").filter(|inner| inner.is_object()) {
            let is_by_rule = schema.get("x-prodmax").and_then(Value::as_str) == Some("by_rule");
            let (key, what) = if is_by_rule { ("RULE", "rule") } else { ("ID", "cell") };
            let _ =
                writeln!(text, "- `{prefix}{key}` ({}): for this {what}", types(root, of_rule).join(" or "));
            lines(text, &format!("{prefix}{key}."), root, of_rule);
        }
        for (key, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let described = inner.get("description").or_else(|| resolved(root, inner).get("description"));
            // A choice with one key is described as a whole.
            let described = described.or_else(|| schema.get("description"));
            let description = described.and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
            let types = types(root, inner).join(" or ");
            let _ = writeln!(text, "- `{prefix}{key}` ({types}): {description}");
            lines(text, &format!("{prefix}{key}."), root, inner);
        }
    }
}

/// `BLESS=1` writes the sections.
#[test]
fn the_page_is_that_of_the_answers() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut written = page.clone();
    for (name, schema) in answers() {
        let head = format!("## `prodmax {name}`\n");
        let start = written.find(&head).unwrap_or_else(|| panic!("docs/json.md has no section {head}"));
        let end = written[start + 1..].find("\n## ").map_or(written.len(), |end| start + 1 + end);
        written.replace_range(start..end, &section(name, &schema));
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    assert!(
        written == page,
        "docs/json.md is not what the types of answers say; write it with `BLESS=1 cargo test -p prodmax --test integration page`"
    );
}
