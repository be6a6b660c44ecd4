//! The rules and the software model against data and engines of other projects.

mod evaluate;
mod link;
mod link_damage;
mod lockstep;
mod move_sequences;
mod moves;
mod perft;
mod rules_data;
mod rules_walks;
mod search;
mod search_requests;
mod word_link;
