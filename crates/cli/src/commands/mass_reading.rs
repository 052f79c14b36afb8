//! `prodmax mass --reading`: models under another reading of the paper.

use std::path::PathBuf;

use prodmax_enumerate::Model;
use prodmax_jobs::Effort;
use prodmax_readings::answer::{ReadAnswer, ReadAnswers};
use prodmax_readings::{ReadingFigures, ReadingFile};
use rayon::prelude::*;

use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::guard;
use crate::model_args::Models;
use crate::output::{CommandResult, Output};

/// The file of a reading, if it is not built in.
pub(crate) fn file(reading: Option<&str>) -> Option<PathBuf> {
    reading.filter(|reading| reading.ends_with(".ron")).map(PathBuf::from)
}

/// Measures models under the reading of this name or file, in parallel, in order.
pub(crate) fn measure(
    context: &Context,
    reading: &str,
    models: &[&Model],
) -> Result<(ReadingFile, Vec<ReadingFigures>), Error> {
    let file = ReadingFile::load(reading).map_err(Error::Reading)?;
    for model in models {
        effort::check(model)?;
    }
    let efforts = models.iter().map(|model| prodmax_readings::effort::of_one(model));
    let effort = Effort::in_parallel(efforts, rayon::current_num_threads());
    let instead = "use smaller increments or fewer levels";
    let _meter = guard::admit(context, &effort::names(models), effort, instead)?;
    let one = |model: &&Model| {
        file.choices.measure(model).map_err(|source| {
            let (root, increments) = effort::name(model);
            Error::ReadModel { root, increments, source }
        })
    };
    let measured = models.par_iter().map(one).collect::<Result<_, _>>()?;
    Ok((file, measured))
}

/// The figures of all models.
pub(crate) fn run(context: &Context, reading: &str, models: &Models) -> Result<CommandResult, Error> {
    let all: Vec<&Model> = models.iter().collect();
    let (file, measured) = measure(context, reading, &all)?;
    let answers = measured.into_iter().map(|one| ReadAnswer::new(&file, one)).collect();
    Ok(CommandResult::Figures(Output::answer(&ReadAnswers::new(models.listed(answers), file))))
}
