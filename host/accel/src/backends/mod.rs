//! The implementations of [`CoProcessor`](crate::CoProcessor), and how one is chosen by name.
//!
//! | module | contents |
//! |---|---|
//! | `spec` | [`BackendSpec`]: the name of a back end, parsed |
//! | `open` | opens the back end that a specification names |
//! | `model`, `rules` | software in this process, called directly |
//! | `remote` | a chip behind a byte stream |
//! | `team` | several of them that share requests |

mod model;
mod open;
mod remote;
mod rules;
mod spec;
mod team;

pub use model::ModelBackend;
pub use open::{open, open_chip, open_remote, open_with_failover, OpenedBackend};
pub use remote::RemoteChip;
pub(crate) use rules::position_of;
pub use rules::RulesBackend;
pub use spec::BackendSpec;
pub use team::Team;
