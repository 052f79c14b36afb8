//! The figures of a column together. Searches to different depths see the same trees, so the figures of a column deviate
//! together: ten of them that are all 1.5 standard errors too high may be a single fluctuation.
//!
//! If x are the deviations of a column and C is the covariance of such columns in samples of the paper's size, x C⁻¹ x is
//! distributed like χ² with as many degrees of freedom as there are figures. C follows from the covariance between recorded
//! trees; rounding to a unit u adds u²/12 to each variance. The inverse of a covariance of n trees is on average greater
//! than that of many by (n - 1)/(n - p - 2), p being the number of figures; so much less is χ².

use prodmax_number::tails::chi_square_tail;

use super::samples::{Samples, SeriesSample};
use super::{Compared, TableError, depth, series};
use crate::figures::Quantity;
use prodmax_number::Uncertainty;

/// How far a column deviates as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnDeviation {
    /// The column: a parameter of the model.
    pub series: String,
    /// What was measured.
    pub quantity: Quantity,
    /// How many figures: the degrees of freedom.
    pub figures: usize,
    /// χ².
    pub chi_square: f64,
    /// The probability that a sample deviates at least as much.
    pub tail: f64,
    /// How many recorded trees the covariance is of.
    pub trees: u64,
}

/// The columns of a table, in the order of the published data; none for Table 6, whose rows have trees of their own.
pub fn columns(
    table: usize,
    cells: &[Compared],
    samples: &Samples,
) -> Result<Vec<ColumnDeviation>, TableError> {
    let mut found = Vec::new();
    for series in series(table) {
        let missing = || TableError::Record(format!("there is no covariance for {}", series.name));
        let sample = samples.sample(&series).ok_or_else(missing)?;
        for quantity in Quantity::ALL {
            let column: Vec<&Compared> = cells
                .iter()
                .filter(|cell| {
                    cell.published.series == series.name && cell.published.quantity == quantity.name()
                })
                .collect();
            if !column.is_empty() {
                let deviation =
                    |trees| deviation(table, &column, (sample, quantity), (trees, series.model.d_max));
                found.push(deviation(series.trees).ok_or_else(missing)?);
            }
        }
    }
    let place = |column: &ColumnDeviation| {
        let first = |cell: &Compared| {
            cell.published.series == column.series && cell.published.quantity == column.quantity.name()
        };
        cells.iter().position(first)
    };
    found.sort_by_key(place);
    Ok(found)
}

fn deviation(
    table: usize,
    column: &[&Compared],
    (sample, quantity): (&SeriesSample, Quantity),
    (paper_trees, d_max): (u64, usize),
) -> Option<ColumnDeviation> {
    let covariance = sample.covariances.iter().find(|covariance| covariance.quantity == quantity)?;
    let trees = sample.results.finished.count();
    let mut deviations = Vec::new();
    let mut matrix = Vec::new();
    for one in column {
        let ours = one.ours()?;
        deviations.push(one.published.value() - ours.value);
        let d = depth(table, d_max, one.published.row);
        // A sample of ours deviates, too; it is told by its standard error.
        let share = |variance: f64| match ours.uncertainty {
            Uncertainty::StandardError(error) if variance > 0.0 => error.powi(2) / variance,
            _ => 0.0,
        };
        let factor = 1.0 / paper_trees as f64 + share(covariance.at(d, d)?);
        let row: Option<Vec<f64>> = column
            .iter()
            .map(|other| {
                let rounding = if other.published.row == one.published.row {
                    one.published.rounding_variance()
                } else {
                    0.0
                };
                Some(covariance.at(d, depth(table, d_max, other.published.row))? * factor + rounding)
            })
            .collect();
        matrix.push(row?);
    }
    let figures = column.len();
    let shrunk = (trees as f64 - figures as f64 - 2.0) / (trees as f64 - 1.0);
    let chi_square = quadratic_form(&matrix, &deviations).filter(|_| shrunk > 0.0)? * shrunk;
    Some(ColumnDeviation {
        series: column.first()?.published.series.clone(),
        quantity,
        figures,
        chi_square,
        tail: chi_square_tail(chi_square, figures),
        trees,
    })
}

/// x C⁻¹ x, by Cholesky's decomposition C = L Lᵀ: the square of the length of L⁻¹ x. `None` unless C is positive definite.
fn quadratic_form(matrix: &[Vec<f64>], x: &[f64]) -> Option<f64> {
    let mut lower: Vec<Vec<f64>> = Vec::new();
    let mut solved: Vec<f64> = Vec::new();
    for (i, of_matrix) in matrix.iter().enumerate() {
        let mut row: Vec<f64> = Vec::new();
        for (j, above) in lower.iter().enumerate() {
            let product: f64 = row.iter().zip(above).map(|(a, b)| a * b).sum();
            row.push((of_matrix[j] - product) / above[j]);
        }
        let square = of_matrix[i] - row.iter().map(|a| a * a).sum::<f64>();
        if square.is_nan() || square <= 0.0 {
            return None;
        }
        let product: f64 = row.iter().zip(&solved).map(|(a, b)| a * b).sum();
        solved.push((x[i] - product) / square.sqrt());
        row.push(square.sqrt());
        lower.push(row);
    }
    Some(solved.iter().map(|y| y * y).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::integrate;
    use crate::model::RealModel;
    use crate::sample::{SampleResults, SampleSpec, Sampling};
    use crate::tables::{Closeness, PrintedFigure};

    /// By hand: the inverse of ((2, 1), (1, 2)) is ((2, -1), (-1, 2))/3.
    #[test]
    fn quadratic_forms_by_hand() {
        let close = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-14);
        let matrix = [vec![2.0, 1.0], vec![1.0, 2.0]];
        close(quadratic_form(&matrix, &[1.0, 1.0]), 2.0 / 3.0);
        close(quadratic_form(&matrix, &[1.0, -1.0]), 2.0);
        close(quadratic_form(&[vec![4.0]], &[6.0]), 9.0);
        assert_eq!(
            quadratic_form(&[vec![1.0, 2.0], vec![2.0, 1.0]], &[1.0, 1.0]),
            None,
            "not positive definite"
        );
    }

    /// A column as a sample of 100 trees would have been printed with four decimals.
    fn printed(sample: &SampleResults, exact: &[crate::Row], quantity: Quantity) -> Vec<Compared> {
        let rows = &sample.curves().unwrap()[0];
        let one = |d: usize| {
            Some(Compared {
                published: PrintedFigure {
                    id: String::new(),
                    source: String::new(),
                    row: d,
                    series: "b=2".to_owned(),
                    quantity: quantity.name().to_owned(),
                    printed: format!("{:.4}", rows[d].get(quantity)?.value),
                },
                integrated: exact[d].get(quantity),
                sampled: None,
                paper_standard_error: None,
                verdict: Closeness::Agrees,
            })
        };
        (0..rows.len()).filter_map(one).collect()
    }

    /// Columns of many samples deviate like χ²: their mean is the number of figures, their variance twice that, and as many
    /// as should be have a small tail. Single figures would deviate together.
    #[test]
    fn columns_of_samples_deviate_like_chi_square() {
        const SAMPLES: u64 = 150;
        let model = RealModel { d_max: 4, ..RealModel::default() };
        let integration = integrate(&model, 1e-6).unwrap();
        let median = integration.median.map(|median| median.value);
        let draw = |trees, first_tree| {
            let sampling = Sampling { trees, first_tree, seed: 7, ..Sampling::default() };
            SampleSpec::new(&model, sampling, median).draw_with_products().unwrap()
        };
        let (results, products) = draw(4000, 1 << 40);
        let covariances =
            Quantity::ALL.map(|quantity| products.of(&results.spec, quantity).unwrap()).to_vec();
        let recorded = SeriesSample { table: 1, series: "b=2".to_owned(), results, covariances };
        let samples: Vec<SampleResults> = (0..SAMPLES).map(|k| draw(400, 400 * k).0).collect();
        for quantity in Quantity::ALL {
            let found: Vec<ColumnDeviation> = samples
                .iter()
                .map(|sample| {
                    let cells = printed(sample, &integration.rows, quantity);
                    deviation(1, &cells.iter().collect::<Vec<_>>(), (&recorded, quantity), (400, 4)).unwrap()
                })
                .collect();
            let degrees = found[0].figures as f64;
            assert_eq!(found[0].figures, if quantity.exists(0) { 5 } else { 4 });
            let mean = found.iter().map(|column| column.chi_square).sum::<f64>() / SAMPLES as f64;
            assert!(
                (mean - degrees).abs() < 4.0 * (2.0 * degrees / SAMPLES as f64).sqrt(),
                "{quantity:?} {mean}"
            );
            let small = found.iter().filter(|column| column.tail < 0.1).count() as f64;
            assert!((small - 15.0).abs() < 4.0 * (150.0 * 0.1 * 0.9f64).sqrt(), "{quantity:?} {small}");
        }
    }
}
