//! Games on a server of the Computer Shogi Association's protocol, such as shogi-server, with the engine of this program.
//!
//! * [`Session`]: logs in, plays games one after the other, and connects again when the connection is lost
//! * `connection`: the lines to and from the server
//! * `game`: one game, from its summary to its result
//! * `player`: the USI engine, in a thread of this process
//! * `record`: the record of a game, written move by move
//!
//! The crate `rsshogi-csa` reads and writes the lines of the protocol; the rules are those of [`hayasashi_shogi`].

mod connection;
mod error;
mod game;
mod player;
mod record;
mod session;

pub use error::CsaError;
pub use game::{FinishedGame, Outcome};
pub use session::{Account, Event, Session, SessionPlan};
