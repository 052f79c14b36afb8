//! The symbolic case analysis of minimaxing versus product propagation.
