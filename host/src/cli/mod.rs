//! The command line.
pub mod args;
pub mod backend;
pub mod chip;
pub mod info;
pub mod perft;
pub mod positions;
pub mod rules_backend;
pub mod selftest;
pub mod session;
pub mod show;
pub mod table;
pub mod verify;
