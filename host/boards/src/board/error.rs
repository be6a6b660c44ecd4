//! What can be wrong with a board's files.

use thiserror::Error;

/// Why there is no such board. Each names the file, the key and its value where there is one, and the cure.
#[allow(missing_docs)] // the fields, of which the message tells
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// A name that is neither a known board's nor a file's.
    #[error("there is no board `{given}`; the boards are {known}; a board of your own is given as a path that ends in `.toml`")]
    Unknown { given: String, known: String },

    /// A file that cannot be read.
    #[error("{file}: {reason}; check the path, and that the file can be read")]
    Read { file: String, reason: String },

    /// Not TOML, an unknown key, a missing key, or a value of the wrong type. The reason shows the line.
    #[error("{file}: {reason}\nconstraints/README.md explains every key")]
    Parse { file: String, reason: String },

    /// A value that cannot be.
    #[error("{file}: {key} = {value}: {reason}")]
    Value { file: String, key: String, value: String, reason: String },

    /// Two boards with one number.
    #[error("{file}: number = {number}: {other} has it already; take the next free one, {free}")]
    Number { file: String, number: u32, other: String, free: u32 },
}
