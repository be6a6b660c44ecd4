//! The mate solver.

mod random;
mod solver;
mod verify;
