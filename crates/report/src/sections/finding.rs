//! A finding: a sentence with its number, what it holds for, and what varying the rest does.

use maud::{Markup, Render, html};

/// One of the main results. Every number in it is computed.
pub(super) struct Finding {
    /// The sentence, with its measure and its condition.
    pub(super) sentence: Markup,
    /// The models, curves and depths over which it was tried.
    pub(super) holds_for: Markup,
    /// What becomes of it where it does not hold.
    pub(super) otherwise: Markup,
    /// The command that shows it.
    pub(super) command: String,
    /// The anchor of the section that has more.
    pub(super) more: &'static str,
}

impl Render for Finding {
    fn render(&self) -> Markup {
        html! {
            li {
                p { b { (self.sentence) } }
                p { i { "Holds for. " } (self.holds_for) }
                p { i { "Otherwise. " } (self.otherwise) }
                p.note { code { (self.command) } " · " a href={ "#" (self.more) } { "more" } }
            }
        }
    }
}
