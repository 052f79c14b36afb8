//! The page: one file that contains everything and loads nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::run::Findings;
use crate::section::Section;

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub fn page(findings: &Findings, sections: &[Section]) -> String {
    let document = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { "Minimax or Product? The published figures, recomputed" }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
            body { (body(findings, sections)) }
        }
        "\n"
    };
    document.into_string()
}

fn body(findings: &Findings, sections: &[Section]) -> Markup {
    html! {
        header {
            p.kicker { "prodmax report" }
            h1 { "Minimax or Product?" }
            p.lead {
                "The figures of Kaindl, Horacek and Scheucher on minimaxing and product propagation, recomputed over \
                 all trees of their model"
            }
        }
        "\n"
        div.columns {
            nav aria-label="Contents" {
                ol {
                    @for section in sections {
                        li { a href={ "#" (section.id) } { (section.title) } }
                    }
                }
            }
            "\n"
            main {
                @for section in sections {
                    section id=(section.id) {
                        h2 { (section.title) } "\n"
                        (section.html)
                    }
                    "\n"
                }
            }
        }
        "\n"
        footer {
            p {
                "Made by prodmax " (findings.version) ". The numbers behind every figure and table are in "
                code { "data/" } ", the tables in " code { "tables/" } " (Markdown and LaTeX), the drawings in "
                code { "figures/" } ", next to this page."
            }
        }
    }
}
