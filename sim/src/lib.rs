//! The simulated chip as a byte stream.
