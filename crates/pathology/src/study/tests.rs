//! The record against its spec, and a part of it computed again.

use prodmax_jobs::ron_file;

use super::*;

fn recorded() -> Beyond {
    Beyond::recorded().unwrap()
}

#[test]
fn the_record_is_that_of_the_spec() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs/study/lgb.ron");
    let spec: BeyondSpec = ron_file::read(path.as_ref()).unwrap();
    let record = recorded();
    assert!(record.prodmax.contains('('), "{} has no revision", record.prodmax);
    assert_eq!(record.spec, spec);
    assert_eq!(record.map.len(), spec.map.points().len());
    assert_eq!(record.rules.len(), spec.rules.len());
    assert!(record.dependent_readings.iter().all(|reading| reading.grains.len() == spec.readings.len()));
}

#[test]
fn a_part_of_the_record_is_reproduced() {
    let record = recorded();
    for row in record.grains.iter().filter(|row| row.b <= 5) {
        assert_eq!(grains_row(row.b, 60).unwrap(), *row);
    }
    for row in record.evaluated.iter().filter(|row| row.grains.is_some_and(|grains| grains <= 2000)) {
        assert_eq!(evaluated(row.b, row.grains.unwrap()).unwrap(), *row);
    }
    let few: Vec<u32> = record.spec.readings.iter().copied().take(1).collect();
    let again = required_by_reading(Values::Independent, &few, 40, &|_, _| ()).unwrap();
    for (again, known) in again.iter().zip(&record.independent_readings) {
        assert_eq!(again.grains[0].or(known.grains[0]), known.grains[0], "{known:?}");
    }
    let spec = &record.spec.map;
    let corner =
        Regions { b: spec.b[..1].to_vec(), sigma_e: vec![0.2], grains: spec.grains[..1].to_vec(), ..*spec };
    for region in corner.map(&|| ()).unwrap() {
        assert!(record.map.contains(&region), "{region:?}");
    }
}

#[test]
fn the_rules_of_the_record_are_drawn_again_by_a_smaller_sample() {
    let record = recorded();
    let (spec, curves) = (&record.spec.rules[0], &record.rules[0]);
    let few = RulesSpec { trees: 20, model: RealModel { d_max: 3, ..spec.model.clone() }, ..spec.clone() };
    for (few, many) in few.curves().unwrap().iter().zip(curves) {
        assert_eq!(few.rule, many.rule);
        assert_eq!(many.move_error.len(), spec.model.d_max);
        assert_eq!(few.position_error.len(), 4);
    }
}

/// Rules have types, but the record holds their names.
#[test]
fn the_record_is_written_as_it_was_read() {
    assert_eq!(serde_json::to_string_pretty(&recorded()).unwrap(), RECORDED.trim_end());
}

/// Until the gate was there, the record held a probability of -1.297 and nobody saw it.
#[test]
fn a_record_with_an_impossible_figure_is_refused() {
    let refused = |change: &dyn Fn(&mut Beyond)| {
        let mut record = recorded();
        change(&mut record);
        record.check().unwrap_err().to_string()
    };
    let place = recorded().map.iter().position(|region| {
        (region.values, region.grains, region.b) == (Values::Independent, None, 3) && region.sigma_e == 2.0
    });
    let place = place.unwrap();
    let message = refused(&|record| {
        record.map[place].last = -1.297_114_344_236_605_5;
        record.map[place].error = 0.241_578_415_929_335;
    });
    let name = "the move error at b = 3, sigma_e = 2, independent values, real values,";
    assert!(message.starts_with(&format!("{name} is known only to 2.4e-1")), "{message}");
    let message = refused(&|record| record.map[place].last = -1.297_114_344_236_605_5);
    assert!(
        message.starts_with(&format!("{name} comes out as -1.2971143442366055, known to 8.8e-8")),
        "{message}"
    );
    assert!(
        refused(&|record| record.evaluated[0].first = 1.5)
            .starts_with("the move error at b = 15, 500 grains,")
    );
    assert!(refused(&|record| record.grains[0].limit.error = -1e-9).contains("stated error"));
    assert!(
        refused(&|record| record.rules[0][1].move_error[0].1 = f64::NAN)
            .starts_with("the move error of product")
    );
}
