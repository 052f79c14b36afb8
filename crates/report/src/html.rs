//! The pieces of HTML that several sections use. maud checks templates when the program is compiled and escapes data.

use maud::{Markup, html};
use prodmax_mass::Curve;
use prodmax_output::{Align, Table};

use crate::figure::with_minus;

/// A table that scrolls by itself if it is too wide. A column called `verdict` contains verdicts.
pub fn table(table: &Table) -> Markup {
    let title = format!("title-{}", table.id);
    let class = |align: Align| match align {
        Align::Left => None,
        Align::Right => Some("n"),
    };
    html! {
        p.title id=(title) { (table.title) } "\n"
        div.scroll tabindex="0" role="region" aria-labelledby=(title) {
            table id={ "table-" (table.id) } {
                thead {
                    tr {
                        @for column in &table.columns {
                            th scope="col" class=[class(column.align)] { (column.name) }
                        }
                    }
                }
                "\n"
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (cell, column) in row.iter().zip(&table.columns) {
                                td class=[class(column.align)] {
                                    @if column.name == "verdict" { (verdict(&cell.text)) }
                                    @else { (with_minus(&cell.text)) }
                                }
                            }
                        }
                        "\n"
                    }
                }
            }
        }
        "\n"
        @for note in &table.notes {
            p.note { (note) } "\n"
        }
    }
}

/// A verdict by its name.
pub fn verdict(name: &str) -> Markup {
    html! { span class={ "verdict " (name) } { (name) } }
}

/// A variable of a formula.
pub fn var(name: &str) -> Markup {
    html! { i { (name) } }
}

/// A letter with an index, e.g. the leaf P₁ or the interval I₂.
pub fn indexed(letter: &str, index: impl maud::Render) -> Markup {
    html! { (letter) sub { (index) } }
}

/// N(Iₖ), the number of critical trees whose draw value lies in Iₖ.
pub fn n_interval(k: usize) -> Markup {
    html! { "N(" (indexed("I", k)) ")" }
}

/// A curve by the paper's letter, w with the steepness as its index; other curves by their names.
pub fn curve(curve: &Curve) -> Markup {
    match curve {
        Curve::Arctan(c) => html! { (var("w")) sub { (c) } },
        other => html! { code { (other.to_string()) } },
    }
}

/// Several pieces, one after another, with a separator between them.
pub fn join<'a>(pieces: impl IntoIterator<Item = &'a Markup>, between: &str) -> Markup {
    html! {
        @for (index, piece) in pieces.into_iter().enumerate() {
            @if index > 0 { (between) }
            (piece)
        }
    }
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
        let html = table(&evil).into_string();
        assert!(!html.contains("<script") && !html.contains("\"'"), "{html}");
        assert!(html.contains("<p class=\"note\">&lt;script&gt;&quot;'&amp;</p>"), "{html}");
    }
}
