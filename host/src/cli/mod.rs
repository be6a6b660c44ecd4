//! The command line.
pub mod args;
pub mod session;
pub mod show;
