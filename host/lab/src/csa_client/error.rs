//! Why a session on a server ends.

use hayasashi_shogi::text::excerpt;
use std::{io, path::PathBuf};
use thiserror::Error;

/// Why a session on a server ends.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum CsaError {
    /// The server cannot be reached.
    #[error("cannot connect to `{server}`: {reason}; hint: check host and port (4081 is usual)")]
    Connect { server: String, reason: io::Error },
    /// The connection was lost.
    #[error("the connection to `{server}` was lost: {reason}; hint: check the network; `--attempts` sets how often to try again")]
    Lost { server: String, reason: String },
    /// The server does not accept the user.
    #[error("`{server}` refused the login of `{user}`; hint: check the user's name and the password, and that it is not logged in elsewhere")]
    Login { server: String, user: String },
    /// A name or a password that cannot be sent.
    #[error(
        "the {what} is empty or has a space or a control character; hint: the protocol has words of visible characters"
    )]
    Word { what: &'static str },
    /// The server sent something that cannot be played.
    #[error("`{server}` sent `{line}`, which cannot be used: {reason}; hint: check that it is a server of the CSA protocol", line = excerpt(line))]
    Protocol { server: String, line: String, reason: String },
    /// A record cannot be written.
    #[error("cannot write the record `{}`: {reason}; hint: give a writable folder with `--records`", file.display())]
    Record { file: PathBuf, reason: io::Error },
    /// The engine has ended.
    #[error("the engine ended: {reason}; hint: try `hayasashi usi` with the same options")]
    Engine { reason: String },
}
