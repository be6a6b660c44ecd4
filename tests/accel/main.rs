//! Back ends: boards that come and go, faulty lines, games on virtual boards.

mod boards;
mod faults;
mod virtual_boards;
