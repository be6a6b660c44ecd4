//! The mate solver.

mod brinkmate;
mod random;
mod solver;
mod verify;
