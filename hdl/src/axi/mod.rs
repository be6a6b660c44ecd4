//! Between AXI-Stream and the chip's byte port: reset, frame ends, register slices and the change of width.
//!
//! The rules are those of AMBA AXI4-Stream (Arm IHI 0051A): `tvalid` waits for no `tready`, what is valid stays as it
//! is until taken, `tvalid` is low in reset. All outputs of `pack`, `link::skid_buffer` and the tops come from registers but
//! `tready`, which depends on registers and `aresetn` alone.

pub mod pack;
pub mod port;
pub mod unpack;
