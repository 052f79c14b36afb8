//! The recorded study of Rivest's search: matches and decision quality, as `make record-games` writes them.

use prodmax_games::study::StudyResults;

use crate::error::ReportError;

/// The last run that was recorded.
const RECORDED: &str = prodmax_data::text("golden/play/study.json");

/// The recorded study.
pub fn recorded() -> Result<StudyResults, ReportError> {
    StudyResults::read(RECORDED).map_err(|source| ReportError::Study(Box::new(source)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use prodmax_games::play::{MatchResults, MatchSpec, play_match};
    use prodmax_games::player::Resource;
    use prodmax_games::quality::QualitySpec;
    use prodmax_games::study::{MatchRecord, StudySpec};
    use prodmax_golden::GoldenFile;
    use prodmax_jobs::ron_file;

    use super::*;

    fn spec() -> StudySpec {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs/study/rivest.ron");
        ron_file::read(path.as_ref()).unwrap()
    }

    #[test]
    fn the_record_is_that_of_the_spec() {
        let (spec, record) = (spec(), recorded().unwrap());
        assert!(record.prodmax.contains('('), "{} has no revision", record.prodmax);
        assert!(record.matches.iter().map(|record| &record.spec).eq(&spec.matches));
        assert!(record.qualities.iter().map(|results| &results.spec).eq(&spec.qualities));
    }

    /// The bounds of 1000 and 3000 calls were played twice: for the golden entries, and for the record.
    #[test]
    fn the_record_and_the_golden_entries_hold_the_same_games() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/rivest.ron");
        let golden = GoldenFile::read(golden.as_ref()).unwrap().golden;
        let record = recorded().unwrap();
        for (evaluator, scheme) in
            [("lines", "means"), ("lines", "reverse"), ("squares", "means"), ("squares", "reverse")]
        {
            let played = record.find_match(&format!("calls-{evaluator}-{scheme}")).unwrap();
            for bound in [1000, 3000] {
                let score = played.score(Resource::Calls(bound)).unwrap();
                let counts =
                    [("approximation", score.wins), ("alphabeta", score.losses), ("ties", score.draws)];
                for (figure, count) in counts {
                    let id = format!("rivest.{evaluator}.{scheme}.calls{bound}.{figure}");
                    let entry = golden.entries.iter().find(|entry| entry.id == id).unwrap();
                    assert!(entry.ours.starts_with(&format!("{count}.000000 ± ")), "{id}: {count}");
                }
            }
        }
    }

    /// One start of every match and two positions of every measurement, with no more calls than take a moment.
    #[test]
    fn a_part_of_the_record_is_reproduced() {
        let cheap = |resource: &Resource| match resource {
            Resource::Calls(calls) => *calls <= 1000,
            Resource::Depth(depth) => *depth <= 5,
            // Never the same twice.
            Resource::Milliseconds(_) => false,
        };
        let (never, record) = (AtomicBool::new(false), recorded().unwrap());
        let mut compared = 0;
        for known in &record.matches {
            let resources: Vec<Resource> = known.spec.resources.iter().copied().filter(cheap).collect();
            if resources.is_empty() {
                continue;
            }
            let few = MatchSpec { starts: 1, resources, ..known.spec.clone() };
            let played = play_match(MatchResults::new(few), &never, &mut |_, _| {}).unwrap();
            for games in MatchRecord::of(&played).results {
                let recorded = known.results.iter().find(|other| other.resource == games.resource).unwrap();
                assert_eq!(games.games.0[..], recorded.games.0[..1], "{} {}", known.spec.id, games.resource);
                compared += 1;
            }
        }
        for known in &record.qualities {
            let resources: Vec<Resource> = known.spec.resources.iter().copied().filter(cheap).collect();
            if resources.is_empty() {
                continue;
            }
            let few = QualitySpec { positions: 2, resources, ..known.spec.clone() };
            for row in few.measure(&never, &|| {}).unwrap().rows {
                let recorded = known.row(&row.player, row.resource).unwrap();
                assert_eq!(row.found.0, recorded.found.0[..2], "{} {}", row.player, row.resource);
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }
}
