//! Adds SLIP stuffing (Romkey, RFC 1055, 1988). Mirrors `hdl/src/link/slip_encoder.rs`.

use hayasashi_spec::frame::{END, ESC, ESC_END, ESC_ESC};

/// Appends `bytes` to `out` with `END` and `ESC` escaped. The caller adds the `END`s around a frame.
pub fn stuff(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            END => out.extend([ESC, ESC_END]),
            ESC => out.extend([ESC, ESC_ESC]),
            _ => out.push(byte),
        }
    }
}
