//! Back ends: boards that come and go, stall or are faulty, faulty lines and chips, games on virtual boards.

mod altered_chip;
mod boards;
mod campaign;
mod cards;
mod checks;
mod faults;
mod faulty_chips;
mod greeting;
mod hostile;
mod hostile_chip;
mod lost_boards;
mod monitor;
mod networks;
mod noise;
mod searches;
mod stalls;
mod teams;
mod virtual_boards;
mod words;
