//! Which commands and options may be asked for, and how a request becomes the words of the command line.

use percent_encoding::percent_decode_str;
use thiserror::Error;

/// A command that may be asked for.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Options with a value. None of them names a file.
    pub values: &'static [&'static str],
    /// Options without one.
    pub flags: &'static [&'static str],
    /// Options that are always given.
    pub always: &'static [&'static str],
}

/// All of them.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "enumerate",
        values: &["root", "increments", "zero", "h-max", "branching"],
        flags: &["plan"],
        always: &[],
    },
    Command {
        name: "mass",
        values: &[
            "root",
            "increments",
            "zero",
            "h-max",
            "branching",
            "truth",
            "estimate",
            "number",
            "rules",
            "engine",
            "grid",
        ],
        flags: &["quality"],
        always: &[],
    },
    Command {
        name: "contest",
        values: &["root", "increments", "zero", "h-max", "branching", "truth", "estimate", "number", "rules"],
        flags: &[],
        always: &[],
    },
    Command {
        name: "crossover",
        values: &["root", "increments", "zero", "h-max", "branching", "estimate", "rules"],
        flags: &[],
        always: &[],
    },
    Command {
        name: "critical",
        values: &["root", "increments", "zero", "h-max", "truth", "estimate", "rules", "top", "draw", "seed"],
        flags: &[],
        always: &[],
    },
    Command {
        name: "show",
        values: &["example", "tree", "truth", "estimate", "rules", "zero", "h-max"],
        flags: &[],
        always: &[],
    },
    Command { name: "rules", values: &[], flags: &[], always: &[] },
    Command { name: "table1", values: &[], flags: &[], always: &[] },
    Command { name: "formulas", values: &[], flags: &[], always: &[] },
    Command { name: "table2", values: &["number"], flags: &[], always: &[] },
    Command { name: "check", values: &["only"], flags: &["each"], always: &["recorded"] },
];

/// The forms an answer can have, and their content types.
const FORMATS: [(&str, &str); 6] = [
    ("json", "application/json"),
    ("csv", "text/csv; charset=utf-8"),
    ("markdown", "text/markdown; charset=utf-8"),
    ("latex", "text/plain; charset=utf-8"),
    ("table", "text/plain; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

/// The maximum number of options in a request.
const MAX_OPTIONS: usize = 64;

/// The longest name of a page.
const LONGEST_PAGE: usize = 64;

/// Why a request is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuestionError {
    /// Not one of [`COMMANDS`].
    #[error("`{0}` cannot be asked for here; ask for {known}", known = names(COMMANDS.iter().map(|command| command.name)))]
    Command(String),
    /// Not an option of the command, or not one that may be used here.
    #[error("`{option}` cannot be used with {command} here{known}")]
    Option {
        /// The command.
        command: &'static str,
        /// What was asked for.
        option: String,
        /// Which options there are.
        known: String,
    },
    /// A flag with a value, or a value missing.
    #[error("`{option}` {needs}")]
    Value {
        /// The option.
        option: String,
        /// What is wrong.
        needs: &'static str,
    },
    /// Not one of the formats.
    #[error("`{0}` is not a format; ask for {known}", known = names(FORMATS.iter().map(|(name, _)| *name)))]
    Format(String),
    /// Not text.
    #[error("the request is not UTF-8 text without control characters")]
    Text,
    /// Too many options.
    #[error("a request has at most {MAX_OPTIONS} options")]
    Many,
    /// A bad name of a page.
    #[error("the name of a page has at most {LONGEST_PAGE} letters, digits, dots and hyphens")]
    Page,
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The words of the command line.
    pub words: Vec<String>,
    /// The content type of the answer.
    pub content_type: &'static str,
    /// The page that asks: a newer question of it replaces this one.
    pub page: Option<String>,
    /// The name of the file to save the answer as.
    pub file: Option<String>,
}

impl Question {
    /// Reads the name of a command and a query.
    ///
    /// ```
    /// use prodmax_explorer::question::Question;
    /// let question = Question::read("mass", "root=-1&increments=3,3,3&quality").unwrap();
    /// assert_eq!(question.words, ["mass", "--root=-1", "--increments=3,3,3", "--quality", "--format=json"]);
    /// assert!(Question::read("mass", "root=-1&spec=/etc/passwd").is_err());
    /// ```
    pub fn read(command: &str, query: &str) -> Result<Self, QuestionError> {
        let found = COMMANDS.iter().find(|known| known.name == command);
        let command = found.ok_or_else(|| QuestionError::Command(shortened(command)))?;
        let mut words = vec![command.name.to_owned()];
        words.extend(command.always.iter().map(|name| format!("--{name}")));
        let (mut format, mut page, mut download) = (FORMATS[0], None, false);
        for (name, value) in pairs(query)? {
            match (name.as_str(), value) {
                ("format", Some(value)) => {
                    let known = FORMATS.into_iter().find(|(name, _)| *name == value);
                    format = known.ok_or_else(|| QuestionError::Format(shortened(&value)))?;
                }
                ("page", Some(value)) => page = Some(checked_page(value)?),
                ("download", None) => download = true,
                ("digits", Some(value)) => words.push(format!("--digits={value}")),
                (name, value) if command.values.contains(&name) => {
                    let needs = "needs a value";
                    let value =
                        value.ok_or_else(|| QuestionError::Value { option: name.to_owned(), needs })?;
                    words.push(format!("--{name}={value}"));
                }
                (name, value) if command.flags.contains(&name) => {
                    if value.is_some() {
                        let needs = "has no value";
                        return Err(QuestionError::Value { option: name.to_owned(), needs });
                    }
                    words.push(format!("--{name}"));
                }
                (name, _) => {
                    let known: Vec<&str> = command.values.iter().chain(command.flags).copied().collect();
                    let known = match known[..] {
                        [] => "; it takes no options".to_owned(),
                        _ => format!("; use {}", known.join(", ")),
                    };
                    let option = shortened(name);
                    return Err(QuestionError::Option { command: command.name, option, known });
                }
            }
        }
        words.push(format!("--format={}", format.0));
        let extension = match format.0 {
            "markdown" => "md",
            "latex" => "tex",
            "table" => "txt",
            same => same,
        };
        let file = download.then(|| format!("prodmax-{}.{extension}", command.name));
        Ok(Self { words, content_type: format.1, page, file })
    }
}

/// The name of the page in a query that has nothing else.
pub(crate) fn page(query: &str) -> Result<String, QuestionError> {
    match &pairs(query)?[..] {
        [(name, Some(page))] if name == "page" => checked_page(page.clone()),
        _ => Err(QuestionError::Page),
    }
}

fn checked_page(page: String) -> Result<String, QuestionError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let is_name = !page.is_empty() && page.len() <= LONGEST_PAGE && page.chars().all(fits);
    if is_name { Ok(page) } else { Err(QuestionError::Page) }
}

/// The names and values of a query.
fn pairs(query: &str) -> Result<Vec<(String, Option<String>)>, QuestionError> {
    let parts: Vec<&str> = query.split('&').filter(|part| !part.is_empty()).collect();
    if parts.len() > MAX_OPTIONS {
        return Err(QuestionError::Many);
    }
    let pair = |part: &&str| match part.split_once('=') {
        Some((name, value)) => Ok((decoded(name)?, Some(decoded(value)?))),
        None => Ok((decoded(part)?, None)),
    };
    parts.iter().map(pair).collect()
}

fn decoded(text: &str) -> Result<String, QuestionError> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().map_err(|_| QuestionError::Text)?;
    if decoded.chars().any(char::is_control) {
        return Err(QuestionError::Text);
    }
    Ok(decoded.into_owned())
}

/// The beginning of what a client sent, for a sentence.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(command: &str, query: &str) -> String {
        Question::read(command, query).unwrap_err().to_string()
    }

    #[test]
    fn questions_become_words() {
        let question =
            Question::read("show", "tree=((8+-3)%20(1+2))&page=a.tree&format=csv&download").unwrap();
        assert_eq!(question.words, ["show", "--tree=((8 -3) (1 2))", "--format=csv"]);
        assert_eq!(question.page.as_deref(), Some("a.tree"));
        assert_eq!(question.file.as_deref(), Some("prodmax-show.csv"));
        assert_eq!(question.content_type, "text/csv; charset=utf-8");
        let question = Question::read("check", "").unwrap();
        assert_eq!(question.words, ["check", "--recorded", "--format=json"]);
    }

    #[test]
    fn what_cannot_be_asked_is_refused_with_advice() {
        assert!(
            refused("reproduce", "")
                .starts_with("`reproduce` cannot be asked for here; ask for enumerate, mass")
        );
        assert_eq!(refused("rules", "root=1"), "`root` cannot be used with rules here; it takes no options");
        assert_eq!(refused("check", "bless"), "`bless` cannot be used with check here; use only, each");
        assert!(refused("mass", "output=x").starts_with("`output` cannot be used with mass here; use root"));
        assert_eq!(refused("mass", "root"), "`root` needs a value");
        assert_eq!(refused("mass", "quality=1"), "`quality` has no value");
        assert_eq!(
            refused("mass", "format=junit"),
            "`junit` is not a format; ask for json, csv, markdown, latex, table, svg"
        );
        assert_eq!(refused("mass", "root=%ff"), QuestionError::Text.to_string());
        assert_eq!(refused("mass", "root=%00"), QuestionError::Text.to_string());
        assert_eq!(refused("mass", "page=a/b"), QuestionError::Page.to_string());
        assert_eq!(refused("mass", &"root=1&".repeat(65)), QuestionError::Many.to_string());
        assert!(refused("mass", &format!("{}=1", "é".repeat(999))).contains("é…` cannot be used"));
    }

    #[test]
    fn a_value_cannot_become_an_option() {
        let question = Question::read("mass", "root=-1+--spec%3D/etc/passwd").unwrap();
        assert_eq!(question.words, ["mass", "--root=-1 --spec=/etc/passwd", "--format=json"]);
    }
}
