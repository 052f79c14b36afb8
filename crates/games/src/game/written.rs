//! Games as texts and in files.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeStructVariant;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Game, GameError, games, quoted};

impl FromStr for Game {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let text = text.trim();
        let unknown = || GameError::Unknown(quoted(text));
        let (name, settings) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let mut game = Self::named(name).ok_or_else(unknown)?;
        let Some(settings) = settings else { return Ok(game) };
        // Sizes are numbers, so anything else at the end is an evaluator.
        let (before, last) = settings.rsplit_once(':').map_or((None, settings), |(a, b)| (Some(a), b));
        let is_size = last.starts_with(|c: char| c.is_ascii_digit()) || game.evaluator.is_none();
        let (sizes, evaluator) = if is_size { (Some(settings), None) } else { (before, Some(last)) };
        if let Some(sizes) = sizes {
            let read = sizes.split(game.about().separator).map(str::parse).collect::<Result<Vec<usize>, _>>();
            let right_number = |sizes: &Vec<usize>| sizes.len() == game.sizes.len();
            game.sizes = read.ok().filter(right_number).ok_or_else(unknown)?;
        }
        evaluator.map_or_else(|| Ok(game.clone()), |name| game.clone().with_evaluator(name))
    }
}

impl Game {
    fn named(name: &str) -> Option<Self> {
        games().find(|game| game.about().name == name).map(Self::usual)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = self.about();
        let sizes: Vec<String> = self.sizes.iter().map(ToString::to_string).collect();
        let sizes = (!sizes.is_empty()).then(|| sizes.join(about.separator));
        let parts = [Some(about.name.to_owned()), sizes, self.named_evaluator().map(str::to_owned)];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(":"))
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({self})")
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        (self.about().name, &self.sizes, self.evaluator)
            == (other.about().name, &other.sizes, other.evaluator)
    }
}

impl Eq for Game {}

/// What a game is written as, for those of them that are described.
#[cfg(feature = "schema")]
fn schema_of<'a>(games: impl Iterator<Item = &'a dyn crate::any::AnyGame>) -> schemars::Schema {
    use serde_json::{Map, json};
    let of_game = |about: &crate::board::About| {
        let mut settings: Map<String, Value> = about
            .sizes
            .iter()
            .map(|size| (size.name.to_owned(), json!({ "type": "integer", "description": size.meaning })))
            .collect();
        if about.names_usual_evaluator {
            let evaluator = json!({ "type": "string", "description": "the static evaluator" });
            settings.insert(EVALUATOR.to_owned(), evaluator);
        }
        json!({ "type": "object", "description": about.title, "properties": settings })
    };
    let all: Map<String, Value> =
        games.map(|game| (game.about().name.to_owned(), of_game(game.about()))).collect();
    schemars::json_schema!({ "type": "object", "properties": all })
}

/// The schema of games that can be solved.
#[cfg(feature = "schema")]
pub(crate) fn solved_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schema_of(games().filter(|game| game.is_solved()))
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Game {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Game".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schema_of(games())
    }
}

/// In files a game is its name and its settings, `{"kalah":{"holes":6,"stones":6}}`.
impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (about, evaluator) = (self.about(), self.named_evaluator());
        let settings = about.sizes.len() + usize::from(evaluator.is_some());
        let mut written = serializer.serialize_struct_variant("Game", 0, about.name, settings)?;
        for (size, number) in about.sizes.iter().zip(&self.sizes) {
            written.serialize_field(size.name, number)?;
        }
        if let Some(evaluator) = evaluator {
            written.serialize_field(EVALUATOR, evaluator)?;
        }
        written.end()
    }
}

/// The setting beside the sizes.
const EVALUATOR: &str = "evaluator";

/// What a file says, whatever it is, so that the error is about games. (Untagged, because RON keeps the name before the
/// brackets only then.)
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Games(Entries<Settings>),
    Other(IgnoredAny),
}

/// What stands in the brackets of a game.
#[derive(Deserialize)]
#[serde(untagged)]
enum Settings {
    Named(Entries<Value>),
    Other(Value),
}

/// The entries of a map in their order; a map of serde_json would keep only the last of two with the same name.
struct Entries<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Listed<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Listed<T> {
            type Value = Entries<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("settings by their names")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Listed(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_written(Written::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Game {
    fn from_written(written: Written) -> Result<Self, GameError> {
        let Entries(games) = match written {
            Written::Text(text) => return text.parse(),
            Written::Games(games) => games,
            Written::Other(_) => return Err(GameError::NotWritten),
        };
        let [(name, settings)] = <[_; 1]>::try_from(games).map_err(|_| GameError::NotWritten)?;
        let mut game = Self::named(&name).ok_or_else(|| GameError::Unknown(quoted(&name)))?;
        let settings = match settings {
            Settings::Named(Entries(settings)) => settings,
            // Brackets with nothing in them, or none.
            Settings::Other(Value::Null) => Vec::new(),
            Settings::Other(Value::Array(settings)) if settings.is_empty() => Vec::new(),
            Settings::Other(_) => return Err(GameError::NotWritten),
        };
        for (place, (setting, value)) in settings.iter().enumerate() {
            if settings[..place].iter().any(|(earlier, _)| earlier == setting) {
                return Err(GameError::SettingTwice(quoted(setting)));
            }
            let wrong = |kind| GameError::SettingKind { setting: quoted(setting), kind };
            game = if setting == EVALUATOR {
                game.with_evaluator(value.as_str().ok_or_else(|| wrong("the name of an evaluator"))?)?
            } else {
                // A setting that the game does not have is wrong whatever its value is.
                let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
                let sized = game.with_size(setting, size.unwrap_or_default())?;
                size.map(|_| sized).ok_or_else(|| wrong("a whole number"))?
            };
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Game {
        text.parse().unwrap()
    }

    #[test]
    fn games_are_read_and_printed() {
        for (text, printed, title) in [
            ("kalah", "kalah:6:6", "Kalah, 6 holes of 6 stones"),
            (" kalah:6:4 ", "kalah:6:4", "Kalah, 6 holes of 4 stones"),
            ("kalah:stores", "kalah:6:6:stores", "Kalah, 6 holes of 6 stones, evaluator stores"),
            ("kalah:3:6:unclamped", "kalah:3:6:unclamped", "Kalah, 3 holes of 6 stones, evaluator unclamped"),
            ("connect4", "connect4:7x6:lines", "Connect-Four, 7 x 6, evaluator lines"),
            ("connect4:8x7", "connect4:8x7:lines", "Connect-Four, 8 x 7, evaluator lines"),
            ("connect4:7x6:squares", "connect4:7x6:squares", "Connect-Four, 7 x 6, evaluator squares"),
        ] {
            let game = read(text);
            assert_eq!((game.to_string().as_str(), game.title().as_str()), (printed, title));
            assert_eq!(read(printed), game);
        }
    }

    #[test]
    fn bad_games_are_explained_in_a_sentence() {
        let message = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        let all = "the games are kalah[:HOLES:STONES][:EVALUATOR] and connect4[:COLUMNSxROWS][:EVALUATOR]";
        assert_eq!(message("chess"), format!("`chess` is not a game; {all}"));
        assert_eq!(message("kala:6:4"), format!("`kala:6:4` is not a game; did you mean kalah? {all}"));
        for bad in [
            "",
            ":",
            "kalah:6",
            "kalah:6:4:3",
            "kalah:6x4",
            "kalah:-1:4",
            "kalah:6:4x",
            "connect4:7:6",
            "connect4:7x",
            "connect4:7x6x5",
            "connect4:99999999999999999999x6",
            "Kalah",
        ] {
            assert!(message(bad).starts_with(&format!("`{bad}` is not a game; ")), "{}", message(bad));
        }
        assert_eq!(
            message("kalah:6:4:lines"),
            "`lines` is not an evaluator of Kalah; write clamped, unclamped or stores"
        );
        assert_eq!(message("connect4:"), "`` is not an evaluator of Connect-Four; write lines or squares");
        assert!(message(&"x".repeat(1000)).len() < 250, "long texts are shortened");
        let impossible = read("kalah:9:4").begin().err().unwrap().to_string();
        assert!(impossible.starts_with("9 holes are not possible"), "{impossible}");
    }

    #[test]
    fn files_name_the_game_or_its_settings() {
        let json = |text: &str| serde_json::from_str::<Game>(text).map_err(|error| error.to_string());
        for (text, game) in [
            (r#""kalah:6:4""#, "kalah:6:4"),
            (r#"{"kalah":{"holes":6,"stones":4}}"#, "kalah:6:4"),
            (r#"{"kalah":{"stones":5}}"#, "kalah:6:5"),
            (r#"{"kalah":{"holes":6,"stones":6,"evaluator":"unclamped"}}"#, "kalah:unclamped"),
            (r#"{"connect4":{"columns":8,"rows":7,"evaluator":"lines"}}"#, "connect4:8x7"),
            (r#"{"connect4":{}}"#, "connect4"),
        ] {
            assert_eq!(json(text), Ok(read(game)), "{text}");
        }
        let written = |game: &str| serde_json::to_string(&read(game)).unwrap();
        assert_eq!(written("kalah:6:4"), r#"{"kalah":{"holes":6,"stones":4}}"#);
        assert_eq!(written("kalah:unclamped"), r#"{"kalah":{"holes":6,"stones":6,"evaluator":"unclamped"}}"#);
        assert_eq!(written("connect4"), r#"{"connect4":{"columns":7,"rows":6,"evaluator":"lines"}}"#);
        for (text, message) in [
            (r#"{"chess":{}}"#, "`chess` is not a game; the games are kalah["),
            (r#"{"kalah":7}"#, "a game is written as a text in quotes; the games are kalah["),
            (r#"7"#, "a game is written as a text in quotes; the games are kalah["),
            (r#"{"kalah":{},"connect4":{}}"#, "a game is written as a text in quotes; "),
            (r#"{"kalah":{"columns":7}}"#, "Kalah has no setting `columns`; leave it out"),
            (r#"{"kalah":{"columns":[]}}"#, "Kalah has no setting `columns`; leave it out"),
            (r#"{"kalah":{"stones":"many"}}"#, "the setting `stones` must be a whole number"),
            (r#"{"kalah":{"stones":-1}}"#, "the setting `stones` must be a whole number"),
            (r#"{"kalah":{"evaluator":1}}"#, "the setting `evaluator` must be the name of an evaluator"),
            (r#"{"kalah":{"evaluator":"lines"}}"#, "`lines` is not an evaluator of Kalah; "),
        ] {
            let found = json(text).unwrap_err();
            assert!(found.starts_with(message), "{text}: {found}");
        }
    }

    /// The form of settings is older than the texts.
    #[test]
    fn specs_name_the_game_or_its_settings() {
        let ron = |text: &str| {
            let spec = prodmax_jobs::ron_file::parse::<Vec<Game>>(&format!("[\n  {text}\n]"), "a.ron");
            spec.map_err(|error| error.to_string())
        };
        for (text, game) in [
            (r#""kalah:6:4""#, "kalah:6:4"),
            (r#""connect4:8x7:squares""#, "connect4:8x7:squares"),
            ("kalah(holes: 6, stones: 4)", "kalah:6:4"),
            ("kalah(stones: 5, evaluator: unclamped)", "kalah:6:5:unclamped"),
            ("connect4(columns: 8, rows: 7, evaluator: squares)", "connect4:8x7:squares"),
            ("connect4()", "connect4"),
            ("connect4", "connect4"),
        ] {
            assert_eq!(ron(text), Ok(vec![read(game)]), "{text}");
        }
        for (text, message) in [
            (r#""kalah:6""#, "`kalah:6` is not a game; "),
            ("chess(size: 8)", "`chess` is not a game; "),
            ("kalah(columns: 7)", "Kalah has no setting `columns`; leave it out"),
            ("kalah(holes: -6)", "the setting `holes` must be a whole number"),
            ("kalah(evaluator: lines)", "`lines` is not an evaluator of Kalah; "),
            ("(holes: 6)", "`holes` is not a game; "),
            ("kalah([6, 6])", "a game is written as a text in quotes; "),
            ("[6, 6]", "a game is written as a text in quotes; "),
        ] {
            let found = ron(text).unwrap_err();
            assert!(found.starts_with("a.ron:") && found.contains(message), "{text}: {found}");
        }
    }

    /// Neither value is more right than the other.
    #[test]
    fn a_setting_that_is_given_twice_is_refused() {
        let json = r#"{"kalah":{"holes":6,"stones":4,"stones":5}}"#;
        let message = serde_json::from_str::<Game>(json).unwrap_err().to_string();
        assert!(message.contains("the setting `stones` is given twice"), "{message}");
        let games = r#"{"kalah":{"stones":4},"kalah":{"stones":5}}"#;
        assert!(serde_json::from_str::<Game>(games).is_err());
        assert_eq!(serde_json::from_str::<Game>(r#"{"kalah":{"stones":4}}"#).unwrap(), read("kalah:6:4"));
    }
}
