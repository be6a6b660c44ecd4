//! Back ends: boards, faults of the link, virtual boards.

mod boards;
mod faults;
mod virtual_boards;
