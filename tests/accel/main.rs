//! Back ends: boards that come and go, faulty lines and chips, games on virtual boards.

mod boards;
mod campaign;
mod checks;
mod faults;
mod greeting;
mod hostile;
mod hostile_chip;
mod noise;
mod virtual_boards;
