//! A section of the report: its text, and the figures, tables and data that belong to it.

use maud::{Markup, PreEscaped, Render, html};
use prodmax_output::Table;
use serde_json::Value;

use crate::figure::Figure;
use crate::html;

/// A section under construction, in the order in which things are added.
#[derive(Clone, Debug)]
pub struct Section {
    /// The anchor.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The text.
    pub html: Markup,
    /// Written to `figures/`.
    pub figures: Vec<Figure>,
    /// Written to `tables/` and `data/`.
    pub tables: Vec<Table>,
    /// Written to `data/` only: too long to be shown on the page.
    pub raw: Vec<Table>,
    /// Written to `data/` under a name.
    pub data: Vec<(String, Value)>,
}

impl Section {
    /// An empty section.
    pub fn new(id: &'static str, title: &'static str) -> Self {
        Self {
            id,
            title,
            html: PreEscaped(String::new()),
            figures: Vec::new(),
            tables: Vec::new(),
            raw: Vec::new(),
            data: Vec::new(),
        }
    }

    /// Adds anything.
    pub fn add(&mut self, content: impl Render) -> &mut Self {
        content.render_to(&mut self.html.0);
        self.html.0.push('\n');
        self
    }

    /// Adds a paragraph.
    pub fn p(&mut self, content: impl Render) -> &mut Self {
        self.add(html! { p { (content) } })
    }

    /// Adds a heading within the section.
    pub fn heading(&mut self, content: impl Render) -> &mut Self {
        self.add(html! { h3 { (content) } })
    }

    /// Adds a displayed formula.
    pub fn formula(&mut self, content: impl Render) -> &mut Self {
        self.add(html! { p.formula { (content) } })
    }

    /// Adds a list.
    pub fn list(&mut self, items: &[Markup]) -> &mut Self {
        self.add(html! { ul { @for item in items { li { (item) } "\n" } } })
    }

    /// Adds figures, side by side if there is room.
    pub fn figures(&mut self, figures: impl IntoIterator<Item = Figure>) -> &mut Self {
        let figures: Vec<Figure> = figures.into_iter().collect();
        self.add(html! { div.figures { @for figure in &figures { (figure) "\n" } } });
        self.figures.extend(figures);
        self
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.add(html::table(&table));
        self.tables.push(table);
        self
    }

    /// Adds a table that is folded until the reader opens it.
    pub fn folded_table(&mut self, summary: &str, table: Table) -> &mut Self {
        self.add(html! { details { summary { (summary) } "\n" (html::table(&table)) } });
        self.tables.push(table);
        self
    }
}
