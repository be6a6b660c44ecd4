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

pub(crate) use checking::check_squares;
pub use count::count;
pub use expand::expand;
pub use make_move::make_move;
pub(crate) use origin::origin;
pub use serialise::generate;
pub(crate) use targets::Targets;
