//! The bit-identical software co-processor; mirrors `hdl/src` name by name.
