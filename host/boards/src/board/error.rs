//! Errors of a board's files.

use thiserror::Error;

/// Why a board cannot be used. Each message names the file, the key and its value if there is one, and how to fix it.
#[allow(missing_docs, reason = "the messages explain the fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// A name that is neither that of a known board nor that of a file.
    #[error("there is no board `{given}`; the boards are {known}; hint: give a board of your own as a path that ends in `.toml`")]
    Unknown { given: String, known: String },

    /// A file that cannot be read.
    #[error("`{file}`: {reason}; hint: check the path, and that the file is readable")]
    Read { file: String, reason: String },

    /// Not TOML, an unknown key, a missing key, or a value of the wrong type. The reason quotes the line.
    #[error("`{file}`: {reason}\nhint: constraints/README.md explains every key")]
    Parse { file: String, reason: String },

    /// A value that is not valid.
    #[error("`{file}`: `{key} = {value}`: {reason}")]
    Value { file: String, key: String, value: String, reason: String },

    /// Two boards with the same number.
    #[error("`{file}`: `number = {number}`: `{other}` has the same number; hint: use the next free one, {free}")]
    Number { file: String, number: u32, other: String, free: u32 },
}
