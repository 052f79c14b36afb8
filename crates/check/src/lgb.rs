//! Figures of Luštrek, Gams and Bratko's tables, each table computed once.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use prodmax_number::Approximate;
use prodmax_pathology::Sampling;
use prodmax_pathology::tables::{Compared, Method, TableError, compare};

/// Tables that were computed.
#[derive(Default)]
pub(crate) struct Tables {
    computed: Mutex<HashMap<usize, Arc<Vec<Compared>>>>,
}

impl Tables {
    /// A table with our figures.
    pub(crate) fn table(&self, number: usize) -> Result<Arc<Vec<Compared>>, TableError> {
        let kept = || self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().get(&number).cloned();
        if let Some(table) = known {
            return Ok(table);
        }
        let table = Arc::new(compare(number, Method::Integrate, &|_| Sampling::default())?);
        kept().insert(number, Arc::clone(&table));
        Ok(table)
    }

    fn compared(
        &self,
        number: usize,
        (series, figure, row): (&str, &str, usize),
    ) -> Result<Option<Compared>, TableError> {
        let table = self.table(number)?;
        let found = table.iter().find(|compared| {
            let published = &compared.published;
            published.series == series && published.quantity == figure && published.row == row
        });
        Ok(found.cloned())
    }

    /// One figure of ours, with the error of the computation.
    pub(crate) fn computed(
        &self,
        number: usize,
        figure: (&str, &str, usize),
    ) -> Result<Option<Approximate>, TableError> {
        Ok(self.compared(number, figure)?.and_then(|compared| compared.ours()))
    }

    /// One figure, with the standard error of a sample of the paper's size.
    pub(crate) fn figure(
        &self,
        number: usize,
        (series, figure, row): (&str, &str, usize),
    ) -> Result<Option<Approximate>, TableError> {
        let found = self.compared(number, (series, figure, row))?;
        let ours = found.and_then(|compared| Some((compared.ours()?.value, compared.paper_standard_error)));
        Ok(ours.map(|(value, error)| match error {
            Some(error) => Approximate::sampled(value, error),
            None => Approximate::unstated(value),
        }))
    }
}
