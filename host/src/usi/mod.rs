//! The USI protocol.

pub mod command;
