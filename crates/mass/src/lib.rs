//! Exact and certified error mass of the critical cases.
