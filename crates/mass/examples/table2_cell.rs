//! One cell of KHS's Table II, certified: row (1, 3), root -1.
//!
//!     cargo run --example table2_cell
//!
//! The paper prints +1.3, in favour of Minimax. The model as stated in its text gives an enclosure around -4.44, in
//! favour of Product.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::{Certified, Curve, Curves, Measure};
use prodmax_number::Certain;

fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::new(-1, &[1, 1, 3], ZeroMode::Skip, 42)?;
    // The truth is w_4 and Product believes w_1, equation (2).
    let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    let measured = Measure::new(&model, &curves).number::<Certified>().run()?;
    let pair = &measured.matches[0];
    println!("{} trees are critical", pair.counts().ok_or("the classes count trees")?.critical);

    let Some(Certain::Enclosed(difference)) = &pair.figures.difference_percent else {
        return Err("no tree is critical".into());
    };
    let [low, high] = difference.decimals(12);
    println!("the difference lies between {low} % and {high} %");
    Ok(())
}

#[test]
fn is_certified() {
    main().unwrap();
}
