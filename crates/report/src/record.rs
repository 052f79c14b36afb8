//! Records of runs of other programs: one below the report if there is one, otherwise the recorded one.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::ReportError;

/// The longest record that is read.
const MAX_BYTES: u64 = 16 << 20;

/// Where a record comes from.
pub(crate) struct Source {
    /// The target of make that writes it.
    pub(crate) target: &'static str,
    /// The file below a report.
    pub(crate) file: &'static str,
    /// The recorded run, for reports without their own.
    pub(crate) recorded: &'static str,
}

impl Source {
    /// The record below a report, or the recorded one; and whether it is the latter. `check` says what is wrong with a
    /// record that can be read.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        out: &Path,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<(T, bool), ReportError> {
        let path = out.join(self.file);
        let own = path.exists();
        let text = match own {
            true => prodmax_jobs::read_text(&path, MAX_BYTES)?,
            false => self.recorded.to_owned(),
        };
        let record: Result<T, String> = serde_json::from_str(&text).map_err(|error| error.to_string());
        let checked = record.and_then(|record| check(&record).map(|()| record));
        let failed = |reason| ReportError::RecordedRun { path: path.clone(), target: self.target, reason };
        Ok((checked.map_err(failed)?, !own))
    }
}
