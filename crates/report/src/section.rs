//! A section of the report: what it says, and the figures, tables and data that belong to it.

use prodmax_output::Table;
use serde_json::Value;

use crate::figure::Figure;
use crate::html;

/// A section under construction; what is added first comes first.
#[derive(Clone, Debug)]
pub struct Section {
    /// The anchor.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The text.
    pub html: String,
    /// Written to `figures/`.
    pub figures: Vec<Figure>,
    /// Written to `tables/` and `data/`.
    pub tables: Vec<Table>,
    /// Written to `data/` under a name.
    pub data: Vec<(String, Value)>,
}

impl Section {
    /// An empty section.
    pub fn new(id: &'static str, title: &'static str) -> Self {
        Self { id, title, html: String::new(), figures: Vec::new(), tables: Vec::new(), data: Vec::new() }
    }

    /// A paragraph of HTML.
    pub fn p(&mut self, html: &str) -> &mut Self {
        self.html += &format!("<p>{html}</p>\n");
        self
    }

    /// A displayed formula, as HTML.
    pub fn formula(&mut self, html: &str) -> &mut Self {
        self.html += &format!("<p class=\"formula\">{html}</p>\n");
        self
    }

    /// A list of HTML items.
    pub fn list(&mut self, items: &[String]) -> &mut Self {
        let items: String = items.iter().map(|item| format!("<li>{item}</li>\n")).collect();
        self.html += &format!("<ul>\n{items}</ul>\n");
        self
    }

    /// Figures side by side where there is room.
    pub fn figures(&mut self, figures: impl IntoIterator<Item = Figure>) -> &mut Self {
        self.html += "<div class=\"figures\">\n";
        for figure in figures {
            self.html += &figure.inline();
            self.figures.push(figure);
        }
        self.html += "</div>\n";
        self
    }

    /// A table.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.html += &html::table(&table);
        self.tables.push(table);
        self
    }

    /// A table that is shown only to those who ask for it.
    pub fn folded_table(&mut self, summary: &str, table: Table) -> &mut Self {
        self.html += &format!("<details><summary>{}</summary>\n", html::escape(summary));
        self.table(table);
        self.html += "</details>\n";
        self
    }
}
