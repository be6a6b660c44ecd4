//! Static evaluation: material and king-relative piece-square tables in block RAM.
//!
//! The picture of the stages is in [`mod@unit`]. The score is defined by `hayasashi_spec::table`. Model:
//! `host/model/src/evaluate`.

pub mod correction;
pub mod kings;
pub mod loader;
pub mod loading;
pub mod material;
pub mod pieces;
pub mod score;
pub mod unit;
pub mod views;
pub mod weights;
