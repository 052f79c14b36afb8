//! The page: files that are part of the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    path: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) bytes: &'static [u8],
}

macro_rules! asset {
    ($path:literal, $file:literal, $type:expr) => {
        Asset { path: $path, content_type: $type, bytes: include_bytes!(concat!("../assets/", $file)) }
    };
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// All of them. uPlot, which draws the plots, comes as its authors publish it.
const ASSETS: &[Asset] = &[
    asset!("/", "index.html", HTML),
    asset!("/style.css", "style.css", STYLE),
    asset!("/main.js", "main.js", SCRIPT),
    asset!("/state.js", "state.js", SCRIPT),
    asset!("/api.js", "api.js", SCRIPT),
    asset!("/dom.js", "dom.js", SCRIPT),
    asset!("/controls.js", "controls.js", SCRIPT),
    asset!("/figures.js", "figures.js", SCRIPT),
    asset!("/plots.js", "plots.js", SCRIPT),
    asset!("/export.js", "export.js", SCRIPT),
    asset!("/tree.js", "tree.js", SCRIPT),
    asset!("/tables.js", "tables.js", SCRIPT),
    asset!("/verdicts.js", "verdicts.js", SCRIPT),
    asset!("/icon.svg", "icon.svg", SVG),
    asset!("/uplot.js", "uplot.js", SCRIPT),
    asset!("/uplot.css", "uplot.css", STYLE),
    asset!("/uplot-license.txt", "uplot-license.txt", TEXT),
];

/// The file at a path.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
