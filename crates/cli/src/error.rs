//! Every way in which a command can fail, as one sentence each.

use std::path::PathBuf;

use prodmax_check::QuantityError;
use prodmax_check::verify::VerifyError;
use prodmax_enumerate::{EnumerateError, ModelError};
use prodmax_games::analysis::AnalysisError;
use prodmax_games::game::GameError;
use prodmax_games::play::LogError;
use prodmax_games::quality::QualityError;
use prodmax_games::study::StudyError;
use prodmax_golden::GoldenError;
use prodmax_jobs::ron_file::RonError;
use prodmax_mass::MeasureError;
use prodmax_pathology::SampleResultsError;
use prodmax_pathology::formulas::{Section4Error, TwoValuesError};
use prodmax_pathology::tables::TableError;
use prodmax_prism::PrismError;
use prodmax_readings::{GridSearchError, ReadingError, ScoreFileError, TargetError};
use prodmax_report::ReportError;
use prodmax_simulate::SpecError;
use thiserror::Error;

/// Why a command failed. Printed once, in `main`, after `prodmax: `.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error(
        "no model is given; name one with --root and --increments (e.g. --root -1 --increments 8,8) \
         or a file of models with --spec"
    )]
    NoModel,
    #[error("--root is missing; give the value of the root, e.g. --root -1")]
    NoRoot,
    #[error("--increments is missing; give the greatest increment of each level, e.g. --increments 8,8")]
    NoIncrements,
    #[error("the range {from}..{to} has no value on the line, which goes from -{h_max} to +{h_max}{zero}")]
    EmptyRange { from: i64, to: i64, h_max: i64, zero: &'static str },
    #[error("{0} models are too many at once; name at most {most}", most = crate::model_args::MAX_MODELS)]
    ManyModels(usize),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("root {root}, increments {increments}: {source}")]
    OneOfModels { root: String, increments: String, source: ModelError },
    #[error(transparent)]
    Spec(#[from] RonError),
    #[error("{name}: the experiment has no models")]
    EmptySpec { name: String },
    #[error("root {root}, increments {increments}: {source}")]
    Enumerate { root: String, increments: String, source: EnumerateError },
    #[error("root {root}, increments {increments}: {source}")]
    Measure { root: String, increments: String, source: MeasureError },
    #[error("root {root}, increments {increments}: {source}; the same command continues from there")]
    Continued { root: String, increments: String, source: MeasureError },
    #[error(
        "no rules are named; name them with --rules, or in the spec's settings as rules: [\"minimax\", \"product\"]"
    )]
    NoRules,
    #[error(
        "a reading is an interpretation of the text of KHS, which is about minimax and product and says nothing about other \
         rules or quality; leave out --reading, or the rules and --quality"
    )]
    ReadingOfRules,
    #[error(
        "{rule} sees the true probabilities, so its choices change with the error rate p and its error mass is not a \
         polynomial in p; compare it at one rate, e.g. prodmax mass --rules minimax,{rule} --truth uniform:1/20"
    )]
    RuleSeesTruth { rule: String },
    #[error(
        "root {root}, increments {increments}: single critical trees are listed for two moves everywhere, not for {moves}; \
         leave out --branching"
    )]
    ManyMoves { root: String, increments: String, moves: usize },
    #[error(
        "root {root}, increments {increments}: the model has too many depth-1 classes to look at pairs of them; use smaller \
         increments or fewer levels"
    )]
    ManyTrees { root: String, increments: String },
    #[error(
        "root {root}, increments {increments}: interrupted; the same command resumes from the checkpoint"
    )]
    LawContinued { root: String, increments: String },
    #[error("an interval cannot be narrower than {width} points; use a positive width, e.g. --width 0.5")]
    LawWidth { width: f64 },
    #[error(
        "estimates have no certified interval to narrow; add --number certified, or name a grid with --grid"
    )]
    LawWidthOfEstimate,
    #[error("{seconds} is not a time; give a number of seconds, e.g. --time-limit 600")]
    LawTime { seconds: f64 },
    #[error("{what}: this needs about {needed} of memory, but only {given} are available {place}; {instead}")]
    Memory { what: String, needed: String, given: String, place: &'static str, instead: String },
    #[error("this command prints nothing but its address; leave out --format, --output, --digits and --sort")]
    NothingToFormat,
    #[cfg(feature = "serve")]
    #[error(
        "the server cannot listen at {address}: {source}; name another port with --port, or 0 for any free one"
    )]
    Bind { address: std::net::SocketAddr, source: std::io::Error },
    #[cfg(feature = "serve")]
    #[error("the explorer can only be started from the command line")]
    ServedTwice,
    #[error(
        "{what}: this takes {time}, but an immediate answer may take at most {time_limit}; run it as a job, or \
         {instead}"
    )]
    TooLong { what: String, time: String, time_limit: String, instead: String },
    #[error("{what}: this would take {time}; {instead}")]
    Forever { what: String, time: String, instead: String },
    #[error("{} and {} name the same file, {}; name another one", options[0], options[1], path.display())]
    SameFile { path: PathBuf, options: [&'static str; 2] },
    #[error("interrupted after {done} of {all} readings{}", if *kept { "; the same command continues from there" } else { "" })]
    ReadingsInterrupted { done: u64, all: u64, kept: bool },
    #[error(
        "a checkpoint is for one deep model, but there are {models}; measure them one by one, each with its own checkpoint"
    )]
    OneCheckpoint { models: usize },
    #[error(
        "root {root}, increments {increments}: counting the classes would take about {steps:.0e} steps, \
         too many to wait for; use fewer levels or smaller increments"
    )]
    Hopeless { root: String, increments: String, steps: f64 },
    #[error(transparent)]
    Golden(#[from] GoldenError),
    #[error("no golden entry is called `{id}` or begins with it; {hint}")]
    NoEntry { id: String, hint: String },
    #[error("all entries with this name are {cost}, so nothing would be checked; add {option}")]
    AllLeftOut { cost: &'static str, option: &'static str },
    #[error("the built-in golden files cannot be changed; name a folder with --golden")]
    BuiltIn,
    #[error("the golden entry {id}: {source}")]
    Entry { id: String, source: Box<QuantityError> },
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("this text has only one format; leave out --format, --digits and --sort")]
    OneForm,
    #[error("this list is printed while it is computed and cannot be sorted; sort the lines of --format csv")]
    SortedList,
    #[error(transparent)]
    Sort(#[from] prodmax_output::sort::SortError),
    #[error("--format junit is for checks only; use it with `prodmax check` or `prodmax reproduce`")]
    NotJunit,
    #[error("there is nothing to draw; --format svg is for prodmax mass, crossover and contest")]
    NotDrawn,
    #[error("{0}")]
    Draw(String),
    #[error(transparent)]
    Reading(ReadingError),
    #[error("root {root}, increments {increments}: {source}")]
    ReadModel { root: String, increments: String, source: ReadingError },
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Search(#[from] GridSearchError),
    #[error(transparent)]
    ReadingsFile(#[from] ScoreFileError),
    #[error(transparent)]
    Simulation(#[from] SpecError),
    #[error(transparent)]
    Pathology(#[from] TableError),
    #[error("--checkpoint keeps sampled trees, but nothing is sampled; add --method sample")]
    NothingSampled,
    #[error(
        "exact fractions of {plies} plies with b = {b} have thousands of digits; use fewer plies, or intervals \
         (--root-losses or --fixed-point)"
    )]
    LongFractions { b: u32, plies: usize },
    #[error(
        "there are {leaves} leaves; all trees are enumerated with at most 8, so use fewer plies or moves"
    )]
    ManySmallTrees { leaves: f64 },
    #[error(transparent)]
    TwoValues(#[from] TwoValuesError),
    #[error(transparent)]
    Section4(#[from] Section4Error),
    #[error("these files hold no work of prodmax {command}; name its checkpoints, parts or answers in JSON")]
    NothingKept { command: &'static str },
    #[error("no file is named; name the results to merge")]
    NothingToMerge,
    #[error(transparent)]
    Sampling(#[from] SampleResultsError),
    #[error("the tree cannot be read: {0}")]
    Tree(prodmax_enumerate::TreeError),
    #[error("there is no such example with these curves; try others")]
    NoExample,
    #[error(transparent)]
    Prism(#[from] PrismError),
    #[error("a file in the PRISM language holds one model; name it with one --root and one --increments")]
    OneModel,
    #[error("root {root}, increments {increments}: {source}")]
    Verify { root: String, increments: String, source: VerifyError },
    #[error("the formulas hold for every model; to compare them with one, add --verify")]
    ModelWithoutVerify,
    #[error("there is only one order type at depth 2; --types belongs to --depth 3")]
    TypesOfDepth2,
    #[error(transparent)]
    Stored(#[from] prodmax_jobs::ReadError),
    #[error(transparent)]
    Part(#[from] prodmax_jobs::PartError),
    #[error("--shard: {why}; leave it out")]
    NotDivided { why: &'static str },
    #[error("interrupted after {done} of {all} {name} of the shard; the same command continues from there")]
    ShardInterrupted { done: u64, all: u64, name: &'static str },
    #[error("--shard needs --output: name the file of the part, which prodmax merge reads")]
    NoPart,
    #[error("{option} cannot be used with --shard: {why}")]
    NotOfShards { option: String, why: &'static str },
    #[error("the value of {option} is not valid UTF-8, so a part cannot hold it; use another name")]
    NotText { option: String },
    #[error(
        "--shard slurm: {name} is not set; run the command in a job array (sbatch --array=1-16), or name the shard, e.g. --shard 3/16"
    )]
    NoArray { name: String },
    #[error(
        "--shard slurm: the job array cannot be used as shards: {reason}; use an array like 1-16, or name the shard, \
         e.g. --shard 3/16"
    )]
    BadArray { reason: String },
    #[error("the parts come from a command that this program does not know: {reason}")]
    PartCommand { reason: String },
    #[error("the parts do not come from prodmax {command}; prodmax merge takes parts of any command")]
    OtherParts { command: &'static str },
    #[error("{option}: a job script cannot hold a line end or another control character here; leave it out")]
    NotOneLine { option: &'static str },
    #[error("the command after -- cannot be divided: {reason}")]
    DividedCommand { reason: String },
    #[error("the script could not be run: {0}")]
    Script(std::io::Error),
    #[error(
        "the jobs were not submitted (sbatch ended with {status}); is this a machine from which jobs can be submitted?"
    )]
    NotSubmitted { status: String },
    #[error("no temporary folder could be made: {0}")]
    Folder(std::io::Error),
    #[error("no game is named; write {0}")]
    NoGame(String),
    #[error("{option} belongs to {game}; leave it out")]
    ForeignOption { option: String, game: &'static str },
    #[error("there are more sequences than 64 bits can count; give a smaller depth")]
    TooManySequences,
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    #[error("no players are named; write e.g. --players hints:9/10,minimax")]
    NoPlayers,
    #[error(transparent)]
    Match(#[from] LogError),
    #[error(transparent)]
    Quality(#[from] QualityError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error("{}: {source}", path.display())]
    GameLog { path: PathBuf, source: Box<LogError> },
    #[error("{}: {source}", path.display())]
    StudyRecord { path: PathBuf, source: Box<StudyError> },
    #[error(
        "{}: holds games of another match (`{id}`: {difference}); name another file, or remove it to start over",
        path.display()
    )]
    OtherMatch { path: PathBuf, id: String, difference: String },
    #[error("there is no game {number}; the file has {games} games, numbered from 1")]
    NoSuchGame { number: usize, games: usize },
    #[error("{}: cannot be written: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("standard output cannot be written: {0}")]
    Stdout(std::io::Error),
    #[cfg(feature = "man")]
    #[error("there is no command `{0}`; `prodmax --help` lists them")]
    NoCommand(String),
    #[error(
        "the threads cannot be started: {0}; raise the limits of the system (ulimit) or use fewer of them (--threads)"
    )]
    Threads(rayon::ThreadPoolBuildError),
}

impl Error {
    /// No game is named: all that can be.
    pub(crate) fn no_game() -> Self {
        let all = prodmax_games::game::games().map(|game| format!("--game {}", game.about().name));
        Self::NoGame(all.collect::<Vec<_>>().join(" or "))
    }
}
