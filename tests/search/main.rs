//! The engine: search, move statistics, USI.

mod best_first;
mod engine;
mod horizon;
mod lines;
mod on_chip;
mod realization;
mod statistics;
mod techniques;
mod terms;
mod usi_book;
mod usi_cshogi;
mod usi_options;
mod usi_panics;
mod usi_program;
mod usi_protocol;
mod usi_replies;
