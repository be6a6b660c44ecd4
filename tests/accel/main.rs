//! Back ends: boards that come and go, stall or are faulty, faulty lines, games on virtual boards.

mod altered_chip;
mod boards;
mod faults;
mod faulty_chips;
mod lost_boards;
mod stalls;
mod virtual_boards;
