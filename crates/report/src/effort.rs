//! An estimate of the memory and time that a report takes, not counting stored results.

use prodmax_jobs::Effort;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory, in_memory_or_blocks};
use prodmax_spec::{Experiment, Task};

use crate::cache::Cache;
use crate::run::{Inputs, golden_key, spec_key};

/// Bytes for the blocks of a deep model, see [`prodmax_mass::deep::Options::new`].
const BLOCK_BYTES: u64 = 1 << 30;

/// The effort of [`crate::run::run`] on this many threads: results that are in the cache cost nothing.
pub fn effort(inputs: &Inputs<'_>, cache: &Cache, threads: usize) -> Effort {
    let specs = inputs.specs.iter().filter(|spec| spec.settings.cost <= inputs.most);
    let fresh = specs.filter(|spec| {
        let (id, input) = spec_key(spec);
        !cache.has(&id, &input)
    });
    let experiments = fresh.map(|spec| experiment(spec, threads)).fold(Effort::NONE, Effort::then);
    let simulations = inputs.simulations.iter().filter(|spec| !cache.has(&spec.id, &format!("{spec:?}")));
    let simulated =
        simulations.map(|spec| prodmax_simulate::effort::of(spec, threads)).fold(Effort::NONE, Effort::then);
    let files = inputs.golden.iter().filter(|file| {
        let (id, input) = golden_key(file, inputs.most);
        !cache.has(&id, &input)
    });
    let entries = files.flat_map(|file| &file.golden.entries).filter(|entry| entry.cost <= inputs.most);
    experiments.then(simulated).then(prodmax_check::effort(entries, threads))
}

fn experiment(spec: &Experiment, threads: usize) -> Effort {
    let asks = |task| spec.settings.asks_for(task);
    let rules = spec.settings.rules.as_ref().map_or(2, |rules| rules.rules().len());
    let one = |model| {
        let mut effort = Effort::NONE;
        if asks(Task::Mass) {
            let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Enclosures };
            effort = effort.then(in_memory_or_blocks(model, &work, 1, BLOCK_BYTES, threads));
        }
        if asks(Task::Contest) {
            let work = MeasureWork {
                rankings: rules + 1,
                contests: rules * rules / 2,
                numbers: NumberCost::Enclosures,
            };
            let estimates = spec.settings.estimates.len().max(1) as f64;
            effort =
                effort.then(in_memory_or_blocks(model, &work, rules, BLOCK_BYTES, threads).times(estimates));
        }
        if asks(Task::Truths) {
            // The rules are ranked once, the ideal rule for each truth.
            let truths = spec.settings.truths.len();
            let work =
                MeasureWork { rankings: rules + truths, contests: truths, numbers: NumberCost::Doubles };
            let estimates = spec.settings.estimates.len().max(1) as f64;
            effort =
                effort.then(in_memory_or_blocks(model, &work, rules, BLOCK_BYTES, threads).times(estimates));
        }
        if asks(Task::Crossover) {
            let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Polynomials };
            effort = effort.then(in_memory(model, &prodmax_enumerate::Plan::of(model), &work));
        }
        effort
    };
    Effort::in_parallel(spec.models().map(one), threads)
}
