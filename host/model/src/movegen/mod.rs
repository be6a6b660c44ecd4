//! Legal move generation, counting and making of moves. Mirrors `hdl/src/movegen/`.

mod checking;
pub mod count;
pub mod drops;
pub mod expand;
pub mod make_move;
mod origin;
pub mod serialise;
pub mod targets;
pub mod uchifuzume;

pub use count::count;
pub use expand::expand;
pub use make_move::make_move;
pub use serialise::generate;
