//! The search by the chip: its decisions, block by block. No chip has them yet.
//!
//! ```text
//!   arrival (evaluation, entry, repetition) -> enter -> a score, or a node whose moves are picked
//!   picker -> a candidate, its exchange
//!   a candidate -> reduction -> judge -> refused, or
//!                                         child -> made: node with its current move, and where the child begins
//!   a score -> returned -> searched again (child), the next move, or the end:
//!              finished -> a score for the parent, an entry for the table
//!   the end of the root -> iteration -> the next window
//! ```
//!
//! | file | what it does | clocks | LUT4, carry cells, flip-flops |
//! |---|---|---|---|
//! | [`node`], [`arrival`], [`number`] | layouts and functions | | |
//! | [`enter`], [`enter_stages`] | a node is entered | 3 | 224, 178, 516 |
//! | [`attacks`] | planes of attacks of a position | 2 | |
//! | [`exchange`] | gain and exchange of a candidate | 3 | 488, 24, 161 |
//! | [`picker`] | the next move of a node in the order | 11 to 22 | 16216, 55, 11013 |
//! | [`planes`], [`look`] | its planes: legal moves, attacks, checks | 9 | |
//! | [`scan`], [`levels`], [`aim`], [`scan_groups`] | it scans moves level by level | 6, then one a move | |
//! | [`describe`], [`rank`], [`choose`] | a move's facts, its key, the first move | 1 each | |
//! | [`order`] | the order's layouts | | |
//! | [`reduction`] | late-move reductions | 2 | 87, 8, 19, a multiplier |
//! | [`judge`], [`judge_stages`] | a candidate is made or refused | 3 | 145, 82, 165 |
//! | [`child`] | depth and window of a search | 2 | 177, 73, 467 |
//! | [`returned`] | a score returns; a node ends | 1 each | 136, 37, 201; 56, 45, 230 |
//! | [`iteration`] | the next iteration and its window | 2 | 179, 121, 82 |
//! | [`keys`], [`key_rom`] | keys of both views, updated by a move | 11 | |
//! | [`path`] | repetitions | 2 to 150 | |
//! | [`table`] | the table in block RAM | 2 to find, 3 to store | |
//!
//! Sizes are those of yosys (`synth_ecp5`; the picker's with `-nowidelut`, as boards are built) for each block alone, where it was
//! asked; headers tell the flip-flops before it.
//!
//! Blocks without a handshake take a node in each clock, so that walkers can share them: what a walker knows lies in rows by walker
//! and ply ([`node::Node`], [`node::Child`]), and goes through a block as a whole.
//!
//! Absent: the walker that connects all this to the pipeline and the evaluator.
//! Model: `host/model/src/search`. Tests: `tests/hdl/search`.

pub mod aim;
pub mod arrival;
pub mod attacks;
pub mod child;
pub mod choose;
pub mod describe;
pub mod enter;
pub mod enter_stages;
pub mod exchange;
pub mod iteration;
pub mod judge;
pub mod judge_stages;
pub mod key_rom;
pub mod keys;
pub mod levels;
pub mod look;
pub mod node;
pub mod number;
pub mod order;
pub mod path;
pub mod picker;
pub mod planes;
pub mod rank;
pub mod reduction;
pub mod returned;
pub mod scan;
pub mod scan_groups;
pub mod table;
