//! Back ends: one trait, many places where the chip may be.
