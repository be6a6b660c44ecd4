//! The Hayasashi gateware, written in RustHDL.
