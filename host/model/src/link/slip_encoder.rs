//! Adds SLIP stuffing (Romkey, RFC 1055, 1988). Mirrors `hdl/src/link/slip_encoder.rs`.

use hayasashi_spec::frame::{END, ESC, ESC_END, ESC_ESC};

/// Adds `bytes` to `out` with `END` and `ESC` replaced. The `END`s around a frame are the caller's.
pub fn stuff(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            END => out.extend([ESC, ESC_END]),
            ESC => out.extend([ESC, ESC_ESC]),
            _ => out.push(byte),
        }
    }
}
