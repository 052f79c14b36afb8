//! The argument that makes a command compute one shard.

use std::str::FromStr;

use clap::Args;
use prodmax_jobs::Shard;

use crate::error::Error;

/// Which share of the work is done.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "More than one machine")]
pub(crate) struct ShardArgs {
    /// Compute only share K of N and write it to the part that --output names; prodmax merge prints the figures from all
    /// parts. slurm takes K and N from the job array in which the command runs
    #[arg(long, value_name = "K/N|slurm")]
    pub(crate) shard: Option<ShardArg>,
}

/// A shard as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardArg {
    /// K/N.
    Named(Shard),
    /// From the variables of a job array.
    Slurm,
}

impl FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "slurm" { Ok(Self::Slurm) } else { text.parse().map(Self::Named) }
    }
}

impl ShardArg {
    /// The shard; `variable` looks up a variable of the environment.
    pub(crate) fn resolve(self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Error> {
        let named = match self {
            Self::Named(shard) => return Ok(shard),
            Self::Slurm => ["ID", "MIN", "MAX", "STEP", "COUNT"].map(|name| {
                let name = format!("SLURM_ARRAY_TASK_{name}");
                let value = variable(&name);
                (name, value)
            }),
        };
        let [id, min, max, step, count] = named;
        let number = |(name, value): (String, Option<String>)| -> Result<u32, Error> {
            let value = value.ok_or_else(|| Error::NoArray { name: name.clone() })?;
            value.parse().map_err(|_| Error::BadArray { reason: format!("{name} is `{value}`") })
        };
        // Slurm leaves the step out in some versions if it is 1.
        let step = if step.1.is_some() { number(step)? } else { 1 };
        let (id, min, max) = (number(id)?, number(min)?, number(max)?);
        let bad = |reason: String| Error::BadArray { reason };
        if step == 0 || min > max || !(min..=max).contains(&id) || (id - min) % step != 0 {
            return Err(bad(format!("task {id} is not among {min}-{max}:{step}")));
        }
        let (of, number_of_task) = ((max - min) / step + 1, (id - min) / step + 1);
        if let Some(tasks) = count.1
            && tasks != of.to_string()
        {
            return Err(bad(format!("it has {tasks} tasks, but {min}-{max}:{step} are {of}")));
        }
        Shard::new(number_of_task, of).ok_or_else(|| bad(format!("it has {of} tasks")))
    }

    /// The number of threads that the job has been given.
    pub(crate) fn threads(self, variable: impl Fn(&str) -> Option<String>) -> Option<usize> {
        match self {
            Self::Named(_) => None,
            Self::Slurm => variable("SLURM_CPUS_PER_TASK")?.parse().ok().filter(|&threads| threads > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array<'a>(values: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
        move |name| {
            let short = name.strip_prefix("SLURM_ARRAY_TASK_").unwrap_or(name);
            values.iter().find(|(key, _)| *key == short).map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn the_shard_follows_from_the_job_array() {
        let shard = |values: &[(&str, &str)]| {
            ShardArg::Slurm.resolve(array(values)).map(|shard| shard.to_string()).map_err(|e| e.to_string())
        };
        let typical = [("ID", "3"), ("MIN", "1"), ("MAX", "16"), ("STEP", "1"), ("COUNT", "16")];
        assert_eq!(shard(&typical), Ok("3/16".to_owned()));
        // Slurm's `--array=10-50:20` has the tasks 10, 30 and 50.
        let steps = [("ID", "30"), ("MIN", "10"), ("MAX", "50"), ("STEP", "20"), ("COUNT", "3")];
        assert_eq!(shard(&steps), Ok("2/3".to_owned()));
        // `--array=1,3,7` has no even step.
        let list = [("ID", "3"), ("MIN", "1"), ("MAX", "7"), ("STEP", "1"), ("COUNT", "3")];
        assert!(shard(&list).unwrap_err().contains("it has 3 tasks, but 1-7:1 are 7"));
        let beside = [("ID", "4"), ("MIN", "1"), ("MAX", "9"), ("STEP", "2"), ("COUNT", "5")];
        assert!(shard(&beside).unwrap_err().contains("task 4 is not among 1-9:2"));
        assert!(shard(&[]).unwrap_err().contains("SLURM_ARRAY_TASK_ID is not set"));
        assert!(shard(&[("ID", "x"), ("MIN", "1"), ("MAX", "2")]).unwrap_err().contains("is `x`"));
    }

    #[test]
    fn a_named_shard_and_its_threads_ignore_the_environment() {
        let named: ShardArg = "2/5".parse().unwrap();
        let job = [("ID", "3"), ("MIN", "1"), ("MAX", "16"), ("SLURM_CPUS_PER_TASK", "4")];
        assert_eq!(named.resolve(array(&job)).unwrap().to_string(), "2/5");
        assert_eq!((named.threads(array(&job)), ShardArg::Slurm.threads(array(&job))), (None, Some(4)));
        assert_eq!(ShardArg::Slurm.threads(array(&[])), None);
    }
}
