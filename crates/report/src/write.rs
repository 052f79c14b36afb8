//! The report as files. Each is complete or not there at all, and the same findings give the same bytes.

use std::path::{Path, PathBuf};

use prodmax_output::{Format, Output, Table, file};
use serde_json::{Value, json};

use crate::error::ReportError;
use crate::page::page;
use crate::run::Findings;
use crate::section::Section;
use crate::sections;

/// Where finished experiments are kept below the report.
pub const CACHE: &str = ".cache";

const FOLDERS: [&str; 4] = ["data", "tables", "figures", CACHE];

/// Makes the folders of a report, so that a place that cannot be written to is told before any work.
pub fn prepare(out: &Path) -> Result<(), ReportError> {
    if out.exists() && !out.is_dir() {
        return Err(ReportError::File(out.to_owned()));
    }
    for folder in FOLDERS {
        let path = out.join(folder);
        std::fs::create_dir_all(&path).map_err(|source| ReportError::Write { path, source })?;
    }
    Ok(())
}

/// Writes the report; the number of files.
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
            for (folder, ending, format) in formats {
                files.push((format!("{folder}/{}.{ending}", table.id).into(), render(table, format)));
            }
        }
        for table in &section.raw {
            files.push((format!("data/{}.csv", table.id).into(), render(table, Format::Csv)));
        }
        for (name, value) in &section.data {
            files.push((format!("data/{name}.json").into(), json_text(value)));
        }
    }
    // Experiments that no section tells of are not lost.
    for results in &findings.experiments {
        let name = file_name(&results.id);
        let told = ["", "experiment-"].map(|kind| PathBuf::from(format!("data/{kind}{name}.json")));
        if !files.iter().any(|(path, _)| told.contains(path)) {
            let [path, _] = told;
            files.push((path, json_text(&json!(results))));
        }
    }
    // The page comes last: it is there only if everything it speaks of is.
    files.push(("index.html".into(), page(findings, &sections)));
    for (path, text) in &files {
        let path = out.join(path);
        file::write(&path, text.as_bytes()).map_err(|source| ReportError::Write { path, source })?;
    }
    Ok(files.len())
}

/// All sections that have something to say.
pub fn sections(findings: &Findings) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    for section in sections::ALL {
        sections.extend(section(findings)?);
    }
    Ok(sections)
}

fn render(table: &Table, format: Format) -> String {
    Output::figures(Value::Null, vec![table.clone()]).render(format).unwrap_or_default()
}

fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

/// An id is free text, a file name is not.
pub(crate) fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
