//! The report as files: the same findings give the same bytes.

use std::path::{Path, PathBuf};

use prodmax_output::{Format, Output, Table};
use serde_json::{Value, json};

use crate::error::ReportError;
use crate::folder;
use crate::page::page;
use crate::run::Findings;
use crate::section::Section;
use crate::sections;

/// The subfolder of the report that contains stored results.
pub const CACHE: &str = ".cache";

/// Writes the report and returns the number of files.
pub fn write(findings: &Findings, out: &Path) -> Result<usize, ReportError> {
    let sections = sections(findings)?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for section in &sections {
        for figure in &section.figures {
            files.push((format!("figures/{}.svg", figure.name).into(), figure.file()));
        }
        for table in &section.tables {
            let formats = [
                ("tables", "md", Format::Markdown),
                ("tables", "tex", Format::Latex),
                ("data", "csv", Format::Csv),
            ];
            for (folder, extension, format) in formats {
                files.push((format!("{folder}/{}.{extension}", table.id).into(), render(table, format)));
            }
        }
        for table in &section.raw {
            files.push((format!("data/{}.csv", table.id).into(), render(table, Format::Csv)));
        }
        for (name, value) in &section.data {
            files.push((format!("data/{name}.json").into(), json_text(value)));
        }
    }
    // Experiments without a section are written too.
    for results in &findings.experiments {
        let name = file_name(&results.id);
        let names = ["", "experiment-"].map(|kind| PathBuf::from(format!("data/{kind}{name}.json")));
        if !files.iter().any(|(path, _)| names.contains(path)) {
            let [path, _] = names;
            files.push((path, json_text(&json!(results))));
        }
    }
    // The page comes last, so that it exists only if everything it refers to does.
    files.push(("index.html".into(), page(findings, &sections)));
    folder::replace(out, &files)?;
    Ok(files.len())
}

/// All sections that are not empty.
pub fn sections(findings: &Findings) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    for section in sections::ALL {
        sections.extend((section.write)(findings)?);
    }
    Ok(sections)
}

fn render(table: &Table, format: Format) -> String {
    Output::figures(Value::Null, vec![table.clone()]).render(format).unwrap_or_default()
}

fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

/// A file name for an id, which may contain any characters.
pub(crate) fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
