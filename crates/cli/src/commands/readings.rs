//! `prodmax readings`: which reading of the papers' text comes closest to their figures?

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use prodmax_golden::GoldenFile;
use prodmax_jobs::{Effort, Run as Finished, Work, file};
use prodmax_readings::answer::SearchAnswer;
use prodmax_readings::{
    Evaluated, Grid, GridFile, GridSearch, RankBy, ReadingFile, Score, ScoreFile, Target, effort,
};

use super::Run;
use crate::args::continued_file;
use crate::context::Context;
use crate::divided::{self, Checkpoint};
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::model_args::Increments;
use crate::output::{CommandResult, Output};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;
use crate::whole_number::within;

/// Search readings of the paper for one that reproduces its Table II.
///
/// The model as KHS state it gives other numbers than their Table II. A reading is
/// one choice in each dimension where the text leaves room:
///
///   estimate, truth  the curves: arctan:C is eq. (2), pearl:C has no normalisation;
///                    arctan:C@H has another h_max than 42
///   zero             skip, allow, drop (no trees with a leaf at 0), plus, minus (a
///                    leaf at 0 counts as +1, -1)
///   weights          ordered trees, kinds (up to the order of siblings), merged
///                    (equal subtrees once per first increment), classes (once)
///   ties             of minimax values: strict, counted, half, first, later (the
///                    branch with the lesser, greater first increment is chosen)
///   same_increment   trees whose branches have equal first increments: once, twice,
///                    half, excluded
///   positive, mixed, negative
///                    truth of a node by the signs of its leaves: independent,
///                    all_wrong, best_leaf, worst_leaf, mean
///   min_node         at depth 2: product, or mirrored (the same forms for MIN)
///   sharing          leaves of equal value have one truth in a node, branch, tree
///   statistic        share, per_case, per_tree, per_minimax_error,
///                    per_product_error, majority
///
/// A grid lists choices per dimension; all combinations are measured and ranked by
/// their distance from the published cells. Without --grid the readings that come
/// with prodmax are measured (stated, per-case, sign-wise, error-product). For each reading:
///
///   rms     root mean square of the differences, in percentage points
///   within  cells that would be printed as they are
///   signs   cells with the printed sign
///   facts   figures of depth 2 that would be printed as they are, at the root that
///           suits best (the paper does not name it)
///
/// The best of many readings describes the published numbers; it does not confirm
/// how they were made. How many were tried is always printed.
///
/// Examples:
///
///     prodmax readings
///
///     prodmax readings --target golden/table2.ron --grid specs/readings/search-1.ron \
///       --output-all search-1.csv
///
/// keeps every reading's figures in a file. If the search is interrupted, the same
/// command continues where it stopped.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Readings {
    /// Published figures to compare with; may be given several times [default: Table II and the figures of depth 2]
    #[arg(long, value_name = "FILE")]
    target: Vec<PathBuf>,

    /// The readings to try, e.g. specs/readings/search-1.ron.
    #[arg(long, value_name = "FILE")]
    grid: Option<PathBuf>,

    /// How many of the best readings are listed.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        allow_negative_numbers = true,
        value_parser = within::<usize>(0..=u32::MAX.into())
    )]
    top: usize,

    /// How many of them are printed cell by cell next to the published table.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        allow_negative_numbers = true,
        value_parser = within::<usize>(0..=u32::MAX.into())
    )]
    tables: usize,

    /// How readings are ranked.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    rank_by: Rank,

    /// Leave a published cell out, by its id (e.g. table2.4-2.root+1); may be given several times.
    #[arg(long, value_name = "ID")]
    without: Vec<String>,

    /// Compare only the cells of these increments (e.g. 1,1,3); may be given several times.
    #[arg(long, value_name = "A,B,C")]
    row: Vec<Increments>,

    /// Write every reading's figures to this CSV file. Finished readings are kept next to it, in FILE.checkpoint, from which
    /// the same command continues an interrupted search.
    #[arg(long, value_name = "FILE", value_parser = continued_file())]
    output_all: Option<PathBuf>,

    /// Put the value of every cell into that file too.
    #[arg(long, requires = "output_all")]
    cells: bool,

    #[command(flatten)]
    shard: ShardArgs,
}

/// [`RankBy`] for clap.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Rank {
    /// The least root mean square.
    #[default]
    Rms,
    /// The most cells within the printed rounding.
    Digits,
    /// The most cells with the printed sign.
    Signs,
    /// The most figures of depth 2.
    Facts,
}

impl From<Rank> for RankBy {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::Rms => Self::Rms,
            Rank::Digits => Self::Digits,
            Rank::Signs => Self::Signs,
            Rank::Facts => Self::Facts,
        }
    }
}

impl Run for Readings {
    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, _: u32) -> Result<WorkPlan, Error> {
        let (_, grids) = self.grids()?;
        let target = self.read_target()?;
        let all = effort::of(&grids, &target, 1);
        let seconds: f64 = effort::block_seconds(&grids, &target).iter().sum();
        // What readings share is prepared by every shard; scores are kept by the merge only.
        let shared = effort::shared(&grids, &target);
        Ok(WorkPlan {
            set_up: shared,
            units: Effort { bytes: 0.0, seconds },
            merge: Effort { seconds: shared.seconds, ..all },
        })
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        self.search(context).map(|_| ())
    }

    fn files(&self) -> Files {
        let files = Files::default().reads("--target", &self.target).reads("--grid", &self.grid);
        let files = files.keeps("--output-all", self.output_all.as_deref());
        files.keeps("--output-all", self.checkpoint().as_deref())
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let (search, names, found) = self.search(context)?;
        let evaluated = match found {
            Finished::Whole(evaluated) => evaluated,
            Finished::Partial { done, all, .. } | Finished::Shard { done, all } => {
                return Err(Error::ReadingsInterrupted { done, all, kept: self.output_all.is_some() });
            }
        };
        if let Some(path) = &self.output_all {
            let rows = ScoreFile::new(&search);
            file::write_with(path, &|out| rows.write(&evaluated, out))
                .map_err(|source| Error::Write { path: path.clone(), source })?;
        }
        let scores: Vec<Score> = evaluated.into_iter().map(|evaluated| evaluated.score).collect();
        let answer = SearchAnswer::new(&search, &scores, &names, self.rank_by.into(), self.top, self.tables);
        Ok(CommandResult::Figures(Output::answer(&answer)))
    }
}

/// A search, the names of its readings if they have any, and what it found.
type Searched = (GridSearch, Vec<String>, Finished<Vec<Evaluated>>);

impl Readings {
    /// The file next to that of the results.
    fn checkpoint(&self) -> Option<PathBuf> {
        let mut name = self.output_all.as_ref()?.as_os_str().to_owned();
        name.push(".checkpoint");
        Some(name.into())
    }

    /// Evaluates the readings that are asked for.
    fn search(&self, context: &Context) -> Result<Searched, Error> {
        let (names, grids) = self.grids()?;
        let target = self.read_target()?;
        let effort = effort::of(&grids, &target, rayon::current_num_threads());
        let effort = if self.cells { effort.and(effort::cells(&grids, &target)) } else { effort };
        // All readings share the classes, so memory is not divided.
        let seconds = match context.work() {
            Work::Whole => effort.seconds,
            Work::Shard(part) => effort.seconds / f64::from(part.shard().of()),
            Work::Merge(_) => 0.0,
        };
        let effort = Effort { seconds, ..effort };
        let meter = guard::admit(context, "readings", effort, "use smaller grids or a smaller target")?;
        let search = GridSearch::new(grids, target)?.with_cells(self.cells);
        if let Some(path) = &self.output_all {
            ScoreFile::new(&search).check(path)?;
        }
        let checkpoint = Checkpoint::open(context, self.checkpoint().as_deref(), "readings", &search)?;
        let found = divided::run(context, &search, checkpoint.as_ref(), context.interrupt(), &meter)?;
        Ok((search, names, found))
    }

    /// The grids and, if they are single readings, their names.
    fn grids(&self) -> Result<(Vec<String>, Vec<Grid>), Error> {
        if let Some(path) = &self.grid {
            return Ok((Vec::new(), GridFile::read(path)?.grids));
        }
        let named = prodmax_readings::Reading::NAMES.map(ReadingFile::load);
        let mut all = (Vec::new(), Vec::new());
        for file in named {
            let file = file.map_err(Error::Reading)?;
            all.0.push(file.id);
            all.1.push(file.choices.into());
        }
        Ok(all)
    }

    fn read_target(&self) -> Result<Target, Error> {
        let files: Vec<GoldenFile> = if self.target.is_empty() {
            GoldenFile::built_in_table2_and_depth2()?.into()
        } else {
            self.target.iter().map(|path| GoldenFile::read(path)).collect::<Result<_, _>>()?
        };
        let mut target = Target::of(&files)?;
        for id in &self.without {
            target = target.without(id)?;
        }
        if !self.row.is_empty() {
            let rows: Vec<Vec<i64>> = self.row.iter().map(|row| row.0.clone()).collect();
            target = target.only_rows(&rows)?;
        }
        Ok(target)
    }
}
