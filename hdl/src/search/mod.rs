//! The search by the chip: a walker that searches a position by itself.
//!
//! ```text
//!                      +-------------------------- unit ---------------------------+
//!   link -> seats -> controller -> control (which step, and what is done in it)      |
//!                      |  spot: position, a candidate <-> look_share, pick_share    |
//!                      |  known: keys -> path, table -> what is known of a position |
//!                      |  decisions: enter, judge, child, returned <-> rows by ply  |
//!                      |  answer: iterations, line, limits                          |
//!                      +-----------------------------------------------------------+
//!
//!   walkers: units, look_share (planes) -> pick_share (block RAM -> picker), score_share (evaluator)
//! ```
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
//! | [`walkers`] | the walkers of a chip, and what they share | | |
//! | [`unit`](mod@unit) | a walker: 42 clocks a step in the mean, alone | | |
//! | [`control`], [`control_state`] | which step comes next, and what is done in it | | |
//! | [`present`], [`gather`] | where the walker is; what its blocks ask each other | 1, 0 | |
//! | [`spot`], [`spread`] | the position at the present ply, made from the one before | 2 | |
//! | [`known`] | keys, repetition and entry of that position | | |
//! | [`decisions`], [`node_register`], [`selection`] | the node at the present ply | | |
//! | [`rows`] | what is kept of each ply | 1 | |
//! | [`killers`](mod@killers), [`search_number`] | killers and counter moves; whose rows count | 1, 2 | |
//! | [`history`](mod@history), [`history_rows`] | counters of quiet moves, by which they are ordered | 1 to read, 5 to change | |
//! | [`answer`], [`line`](mod@line) | iterations, limits, the lines | | |
//! | [`node`], [`arrival`], [`number`] | layouts and functions | | |
//! | [`enter`], [`enter_bounds`], [`enter_stages`] | a node is entered | 3 | 224, 178, 516 |
//! | [`attacks`] | planes of attacks of a position | 2 | |
//! | [`exchange`] | gain and exchange of a candidate | 3 | 488, 24, 161 |
//! | [`look_share`] | planes of new positions, for all walkers | 9, one in 10 | |
//! | [`planes`], [`look`] | planes of a position: legal moves, attacks, checks | 9 | |
//! | [`survey`] | whether there are moves of some kind | 1 | |
//! | [`pick_share`], [`stored`] | planes in block RAM, by walker and ply, and their picker | 1 | |
//! | [`pick_ahead`], [`kept_moves`] | a walker's side of it: the next moves before they are asked for | 1 | |
//! | [`picker`] | the next move of a node in the order, and three behind it | 12 to 24, or one for each quiet move | |
//! | [`scan`], [`levels`], [`aim`], [`scan_groups`] | it scans moves level by level | 6, then one a move | |
//! | [`describe`], [`rank`], [`choose`] | a move's facts, its key, the first move | 1 each | |
//! | [`order`] | the order's layouts | | |
//! | [`reduction`] | late-move reductions | 2 | 87, 8, 19, a multiplier |
//! | [`judge`], [`judge_stages`] | a candidate is made or refused | 3 | 145, 82, 165 |
//! | [`child`] | depth and window of a search | 3 | |
//! | [`returned`] | a score returns; a node ends | 1 each | 136, 37, 201; 56, 45, 230 |
//! | [`iteration`] | the next iteration and its window | 2 | 179, 121, 82 |
//! | [`keys`], [`key_rom`] | keys of both views, updated by a move | 12 | |
//! | [`path`] | repetitions | 2; 5 to 150 where it may be one | |
//! | [`table`] | the table in block RAM | 3 to find, 4 to store | |
//! | [`seats`] | which walker gets a request, and whose answer is next | | |
//! | [`controller`], [`controller_state`] | a request on its way to the walker, and its reports | | |
//! | [`score_share`] | the evaluator, for all walkers; with a network a position in six clocks, if it comes of a quiet move | 1 | |
//! | [`request`] | the ranges of a request's numbers | 1 | |
//! | [`answer_copy`] | copies an answer for the link | 18 | |
//! | [`root_keys`] | the terms of the root's keys | 500 | |
//! | [`seen`] | whether a position can be in the path | 1 | |
//! | [`table_rows`] | the rows of the table | 1 | |
//!
//! Sizes are those of yosys (`synth_ecp5`; the picker's with `-nowidelut`, as boards are built) for each block alone, where it was
//! asked; headers tell the flip-flops before it.
//!
//! A walker does one thing at a time. A chip may have up to four, which share the planes, the evaluator and, two and two, a picker.
//!
//! Absent: a tree that walkers share.
//! Model: `host/model/src/search`. Tests: `tests/hdl/search`.

pub mod aim;
pub mod answer;
pub mod answer_copy;
pub mod arrival;
pub mod attacks;
pub mod child;
pub mod choose;
pub mod control;
pub mod control_state;
pub mod controller;
pub mod controller_state;
pub mod decisions;
pub mod describe;
pub mod enter;
pub mod enter_bounds;
pub mod enter_stages;
pub mod exchange;
pub mod gather;
pub mod history;
pub mod history_rows;
pub mod iteration;
pub mod judge;
pub mod judge_stages;
pub mod kept_moves;
pub mod key_rom;
pub mod keys;
pub mod killers;
pub mod known;
pub mod levels;
pub mod line;
pub mod look;
pub mod look_share;
pub mod node;
pub mod node_register;
pub mod number;
pub mod order;
pub mod path;
pub mod pick_ahead;
pub mod pick_share;
pub mod picker;
pub mod planes;
pub mod present;
pub mod rank;
pub mod reduction;
pub mod request;
pub mod returned;
pub mod root_keys;
pub mod rows;
pub mod scan;
pub mod scan_groups;
pub mod score_share;
pub mod search_number;
pub mod seats;
pub mod seen;
pub mod selection;
pub mod spot;
pub mod spread;
pub mod stored;
pub mod survey;
pub mod table;
pub mod table_rows;
pub mod trace;
pub mod unit;
pub mod walkers;
