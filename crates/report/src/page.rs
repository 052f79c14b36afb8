//! The page: one file with everything in it, that asks for nothing else.

use crate::html::escape;
use crate::run::Findings;
use crate::section::Section;

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub fn page(findings: &Findings, sections: &[Section]) -> String {
    let contents: String = sections
        .iter()
        .map(|section| format!("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title))
        .collect();
    let body: String = sections
        .iter()
        .map(|section| {
            format!(
                "<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n",
                section.id, section.title, section.html
            )
        })
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>Minimax or Product? The published figures, recomputed</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<header>\n<p class=\"kicker\">prodmax report</p>\n<h1>Minimax or Product?</h1>\n\
         <p class=\"lead\">The figures of Kaindl, Horacek and Scheucher on minimaxing and product propagation, \
         recomputed over all trees of their model</p>\n</header>\n\
         <div class=\"columns\">\n<nav aria-label=\"Contents\">\n<ol>\n{contents}</ol>\n</nav>\n<main>\n{body}</main>\n\
         </div>\n<footer>\n<p>Made by prodmax {}. The numbers behind every figure and table are in <code>data/</code>, \
         the tables in <code>tables/</code> (Markdown and LaTeX), the drawings in <code>figures/</code>, beside this \
         page.</p>\n</footer>\n</body>\n</html>\n",
        escape(&findings.version)
    )
}
