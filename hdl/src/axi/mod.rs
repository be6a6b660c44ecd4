//! Between AXI-Stream and the chip's ports: reset, ends of frames and packets, register slices.
//!
//! The rules are those of AMBA AXI4-Stream (Arm IHI 0051A): `tvalid` waits for no `tready`, what is valid stays as it
//! is until taken, `tvalid` is low in reset. All outputs of `link::skid_buffer` and the tops come from registers but
//! `tready`, which depends on registers and `aresetn` alone.

pub mod packets;
pub mod port;
