//! Messages repeat what the user typed; long parts are shortened here, for all messages.

/// Longer parts of a message are shortened.
const MAX_CHARACTERS: usize = 200;

/// The number of characters that are kept.
const LEFT: usize = 60;

/// A message in which long arguments, and long words that came from files, are shortened.
pub(crate) fn shortened(message: &str) -> String {
    shortened_with(
        message,
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()),
    )
}

/// The same for a message that was not caused by the arguments of the program.
pub(crate) fn shortened_words(message: &str) -> String {
    shortened_with(message, std::iter::empty())
}

fn shortened_with(message: &str, arguments: impl Iterator<Item = String>) -> String {
    let mut message = message.to_owned();
    for argument in arguments.filter(|argument| argument.chars().count() > MAX_CHARACTERS) {
        message = message.replace(&argument, &cut(&argument));
    }
    let words = message.split_inclusive(char::is_whitespace).map(|word| {
        let text = word.trim_end();
        if text.chars().count() > MAX_CHARACTERS { cut(text) + &word[text.len()..] } else { word.to_owned() }
    });
    words.collect()
}

/// The beginning of a text and how long it is.
fn cut(text: &str) -> String {
    let begin: String = text.chars().take(LEFT).collect();
    let end: String = text.chars().last().filter(|last| "'`\":;,".contains(*last)).into_iter().collect();
    format!("{begin}…[{} characters]{end}", text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_parts_are_shortened() {
        let message = "invalid value 'x' for '--root': `x` is not a whole number\n";
        assert_eq!(shortened_with(message, ["x".to_owned()].into_iter()), message);
        let long = "9 ".repeat(150);
        let message = format!("invalid value '{long}' for '--root'\n\n  tip: --help");
        let begin = "9 ".repeat(30);
        let expected = format!("invalid value '{begin}…[300 characters]' for '--root'\n\n  tip: --help");
        assert_eq!(shortened_with(&message, [long].into_iter()), expected);
        let word = "é".repeat(1000);
        let expected = format!("in `a`: {}…[1001 characters]: no rule\n", "é".repeat(60));
        assert_eq!(shortened_with(&format!("in `a`: {word}: no rule\n"), std::iter::empty()), expected);
    }
}
