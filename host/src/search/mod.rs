//! The searcher.

pub mod view;
