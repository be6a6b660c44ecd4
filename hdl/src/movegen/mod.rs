//! Legal move generation.
//!
//! ```text
//!   unit      the unit that the dispatcher sees
//!   pick      -> move_maker (load, trace, origin, make_move) -> pipeline
//!   pipeline  = entry, rays, legality, arrivals, targets, count, condense, total; keep beside targets
//!   bank      -> groups -> pick      the moves of nodes, group by group
//!   fetch     says which groups; perft::schedule and request_jobs give it its jobs
//!   positions                        the positions of nodes, and the last ones made
//!   request_control = request_entry (when positions enter), request_slots (what is known of each), request_jobs (whose moves are
//!                     made), answer_memory (moves and scores, as words of answers)
//! ```
//!
//! What these blocks hand on: [`operation`]. A position travels with its [`Tag`](crate::position::Tag). Model:
//! `host/model/src/movegen`.

pub mod answer_memory;
pub mod arrivals;
pub mod bank;
pub mod bank_commands;
pub mod count;
pub mod entry;
pub mod fetch;
pub mod group_planes;
pub mod groups;
pub mod keep;
pub mod load;
pub mod make_move;
pub mod move_maker;
pub mod operation;
pub mod orders;
pub mod origin;
pub mod pick;
pub mod pipeline;
pub mod positions;
pub mod record_bank;
pub mod record_memory;
pub mod request_control;
pub mod request_entry;
pub mod request_jobs;
pub mod request_slot;
pub mod request_slots;
pub mod score_bank;
pub mod score_memory;
pub mod tag_decoder;
pub mod targets;
pub mod total;
pub mod trace;
pub mod unit;
