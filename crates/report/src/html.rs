//! The little HTML that is generated: what comes from data is escaped here, what a section says in its own words is
//! written as HTML there.

use prodmax_output::{Align, Table};

use crate::figure::with_minus;

/// A text inside an element or an attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A table that scrolls by itself where it is too wide. A column called `verdict` holds verdicts.
pub fn table(table: &Table) -> String {
    let mut html = format!(
        "<p class=\"title\" id=\"title-{1}\">{0}</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-labelledby=\"title-{1}\">\n<table id=\"table-{1}\">\n<thead><tr>",
        escape(&table.title),
        escape(&table.id)
    );
    for column in &table.columns {
        html += &format!("<th scope=\"col\"{}>{}</th>", class(column.align), escape(&column.name));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        html += "<tr>";
        for (cell, column) in row.iter().zip(&table.columns) {
            let content = match column.name.as_str() {
                "verdict" => verdict(&cell.text),
                _ => escape(&with_minus(&cell.text)),
            };
            html += &format!("<td{}>{content}</td>", class(column.align));
        }
        html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n</div>\n";
    for note in &table.notes {
        html += &format!("<p class=\"note\">{}</p>\n", escape(note));
    }
    html
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"n\"",
    }
}

/// A verdict by its name.
pub fn verdict(name: &str) -> String {
    format!("<span class=\"verdict {0}\">{0}</span>", escape(name))
}

#[cfg(test)]
mod tests {
    use prodmax_output::Column;

    use super::*;

    #[test]
    fn everything_from_a_table_is_escaped() {
        let evil = "<script>\"'&";
        let evil = Table {
            id: evil.into(),
            title: evil.into(),
            columns: vec![Column::left(evil), Column::right("verdict")],
            rows: vec![vec![evil.into(), evil.into()]],
            notes: vec![evil.into()],
        };
        let html = table(&evil);
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(escape("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
    }
}
