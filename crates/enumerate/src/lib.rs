//! The increment model and its enumeration by merged classes.
