//! The rules and the software model against data and engines that this project did not make.

mod evaluate;
mod link;
mod lockstep;
mod move_sequences;
mod moves;
mod perft;
mod rules_data;
mod rules_walks;
