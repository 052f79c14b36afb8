//! The classes of a model as numpy arrays.

use std::sync::Arc;

use num_bigint::BigUint;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use prodmax_commands::host;
use prodmax_enumerate::{HeuristicValue, Nodes, Place};
use prodmax_mass::{Contestant, Curve, Curves, Forest};
use prodmax_rules::Rule;
use prodmax_rules::numbers::Doubles;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::workers::{self, Listeners};

/// A checked model.
#[pyclass(frozen, module = "prodmax._engine")]
pub(crate) struct Model {
    model: prodmax_enumerate::Model,
}

#[pymethods]
impl Model {
    /// A model from its parts as text. A refusal is a `ValueError` with its sentence.
    #[new]
    #[allow(clippy::needless_pass_by_value, reason = "a list of Python")]
    fn new(root: &str, increments: Vec<String>, zero: &str, h_max: &str, branching: &str) -> PyResult<Self> {
        let model = host::model(root, &increments, zero, h_max, branching);
        Ok(Self { model: model.map_err(PyValueError::new_err)? })
    }

    /// The number of ordered trees.
    #[getter]
    fn trees(&self) -> BigUint {
        self.model.trees()
    }

    /// Enumerates the classes.
    #[pyo3(signature = (note=None))]
    fn classes(&self, py: Python<'_>, note: Option<&Bound<'_, PyAny>>) -> PyResult<Classes> {
        let model = self.model.clone();
        let listeners = Listeners { note, progress: None };
        let forest = workers::run(py, listeners, move |host| host::forest(&model, host))?;
        Ok(Classes { forest: Arc::new(forest.map_err(PyValueError::new_err)?) })
    }
}

/// The classes of an enumerated model.
#[pyclass(frozen, module = "prodmax._engine")]
pub(crate) struct Classes {
    forest: Arc<Forest>,
}

/// Arrays of numbers for which numpy has a type, or of Python ints.
#[derive(IntoPyObject)]
enum Counts<'py> {
    Small(Bound<'py, PyArray1<i64>>),
    Large(Bound<'py, PyArray1<Py<PyAny>>>),
}

fn curve(text: &str) -> PyResult<Curve> {
    text.parse::<Curve>().map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl Classes {
    fn __len__(&self) -> usize {
        self.forest.classes().len()
    }

    /// In how many ways one move of the root and the subtree below it lead to each class.
    fn multiplicities<'py>(&self, py: Python<'py>) -> PyResult<Counts<'py>> {
        let counts = self.forest.classes().multiplicities();
        let small: Result<Vec<i64>, _> = counts.iter().map(|&count| i64::try_from(count)).collect();
        if let Ok(small) = small {
            return Ok(Counts::Small(small.into_pyarray(py)));
        }
        let large = counts.iter().map(|count| Ok(count.into_pyobject(py)?.into_any().unbind()));
        Ok(Counts::Large(large.collect::<PyResult<Vec<_>>>()?.into_pyarray(py)))
    }

    /// The leaves of each class from left to right, a row for each class.
    fn leaves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let forest = Arc::clone(&self.forest);
        let (rows, flat) = workers::run(py, Listeners::default(), move |_| {
            let rows = forest.classes().len();
            let leaves = (0..rows).flat_map(|class| forest.leaves(class));
            (rows, leaves.map(HeuristicValue::get).collect::<Vec<i32>>())
        })?;
        let columns = flat.len().checked_div(rows).unwrap_or(0);
        flat.into_pyarray(py).reshape([rows, columns])
    }

    /// The levels from the leaves upwards, the depth-1 classes last: the values of the leaves, then for each level the
    /// children of each class, which are classes of the level before.
    #[allow(clippy::type_complexity, reason = "arrays for Python")]
    fn levels<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i32>>, Vec<Bound<'py, PyArray2<u32>>>)> {
        let forest = &self.forest;
        let leaves = forest.table().leaf_values().iter().map(|value| value.get()).collect::<Vec<i32>>();
        let stored = forest.table().bottom_up().map(|(_, level)| level.nodes());
        let mut levels = Vec::new();
        for nodes in stored.chain([forest.classes().nodes()]) {
            if let Nodes::Inner(children) = nodes {
                let flat = children.flat().to_vec().into_pyarray(py);
                levels.push(flat.reshape([nodes.len(), children.branching()])?);
            }
        }
        Ok((leaves.into_pyarray(py), levels))
    }

    /// The value of each class under a rule, in doubles.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rule: &str,
        truth: &str,
        estimate: &str,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rule: Rule = rule.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
        let (truth, estimate) = (curve(truth)?, curve(estimate)?);
        let forest = Arc::clone(&self.forest);
        let values = workers::run(py, Listeners::default(), move |_| {
            let model = forest.table().model();
            let curves = Curves::new(truth, estimate, model.line().h_max());
            let player = Contestant::new(rule, &curves).prepare(Doubles, model.depth());
            let node = |place: Place, children: &[&f64]| player.node(place, children);
            let top = forest.table().back_up(|h| player.leaf(h), node);
            let values = forest.classes().back_up(&top, node);
            values.into_iter().map(|value| player.shown(value)).collect::<Vec<f64>>()
        })?;
        Ok(values.into_pyarray(py))
    }

    /// The proved rank of each class under a rule, from 0; equal values have equal ranks.
    fn ranks<'py>(
        &self,
        py: Python<'py>,
        rule: &str,
        truth: &str,
        estimate: &str,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let rule: Rule = rule.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
        let (truth, estimate) = (curve(truth)?, curve(estimate)?);
        let forest = Arc::clone(&self.forest);
        let ranks = workers::run(py, Listeners::default(), move |_| {
            let curves = Curves::new(truth, estimate, forest.table().model().line().h_max());
            let ranking = forest.rank(&Contestant::new(rule, &curves));
            ranking.map(|ranking| ranking.ranks().to_vec()).map_err(|error| error.to_string())
        })?;
        Ok(ranks.map_err(PyValueError::new_err)?.into_pyarray(py))
    }

    /// The probability that a leaf of each value is won: the values, and the probabilities by a curve.
    fn curve<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let table = prodmax_mass::CurveTable::new(curve(text)?, self.forest.table().model().line().h_max());
        let values = self.forest.table().leaf_values().iter().map(|&value| table.double(value));
        Ok(values.collect::<Vec<f64>>().into_pyarray(py))
    }
}
