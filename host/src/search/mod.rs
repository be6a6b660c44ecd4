//! The searcher.
