//! Helpers shared by the test files beside this crate.

pub mod link;
pub mod link_bench;
pub mod replay;
