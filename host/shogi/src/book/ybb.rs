//! Reads YaneuraOu's binary books (YBB).
//!
//! ```text
//! header    "YANE-BINBOOK-V1\0", positions (u64), flags (u64; bit 0: moves have depths)
//! index     for each position: packed SFEN (32 bytes), offset of its moves (u64), move number (u16), moves (u16)
//! moves     move (u16), score in centipawns (i16), depth in plies (u16, if the flag is set)
//! ```
//!
//! Numbers are little-endian. Moves are coded as in `PackedSfenValue`. The crate `rsshogi` unpacks positions;
//! its own reader needs the C library of Zstandard.

use super::{Book, BookMove};
use crate::{rules::Position, scored::yaneuraou_move};
use std::collections::HashMap;

/// First bytes of a file.
pub(super) const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER_BYTES: usize = 32;
const INDEX_BYTES: usize = 44;

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    number(bytes, at).map(u16::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    number(bytes, at).map(u64::from_le_bytes)?.try_into().ok()
}

/// The book in these bytes; the error says what is wrong with them.
pub(super) fn read(bytes: &[u8]) -> Result<Book, String> {
    let header = || Some((long(bytes, 16)?, long(bytes, 24)?));
    let (count, flags) = header().ok_or("the header is cut off")?;
    if flags > 1 {
        return Err(format!("the flags are {flags:#x}; hint: it was made by a later version of the format"));
    }
    let index_end = count.checked_mul(INDEX_BYTES).and_then(|length| length.checked_add(HEADER_BYTES));
    let index = index_end.and_then(|end| bytes.get(HEADER_BYTES..end));
    let index = index.ok_or_else(|| format!("the index of {count} positions is cut off"))?;
    let moves = &bytes[HEADER_BYTES + index.len()..];
    let mut positions: HashMap<u64, Vec<BookMove>> = HashMap::with_capacity(count);
    for (number, row) in index.chunks_exact(INDEX_BYTES).enumerate() {
        let wrong = |reason: String| format!("position {}: {reason}", number + 1);
        let (pos, read) = entry(row, moves, flags == 1).map_err(wrong)?;
        let known = positions.entry(pos.key()).or_default();
        for mv in read {
            if known.iter().all(|m| m.mv != mv.mv) {
                known.push(mv);
            }
        }
    }
    Ok(Book::of(positions))
}

/// A position of the index and its moves.
fn entry(row: &[u8], moves: &[u8], has_depth: bool) -> Result<(Position, Vec<BookMove>), String> {
    let packed: [u8; 32] = row[..32].try_into().expect("a row has 44 bytes");
    let sfen = rsshogi::board::Position::sfen_unpack(&rsshogi::board::PackedSfen::from_bytes(packed));
    let sfen = sfen.map_err(|error| format!("it cannot be unpacked: {error:?}"))?;
    let pos = Position::from_sfen(&sfen).map_err(|error| error.to_string())?;
    let (Some(offset), Some(count)) = (long(row, 32), word(row, 42)) else {
        return Err("its moves are cut off".into());
    };
    let length = if has_depth { 6 } else { 4 };
    let mut read = Vec::with_capacity(count as usize);
    for index in 0..count as usize {
        let parts = || {
            let at = offset.checked_add(index * length)?;
            let depth = if has_depth { word(moves, at.checked_add(4)?)? } else { 0 };
            Some((word(moves, at)?, word(moves, at.checked_add(2)?)? as i16, depth))
        };
        let (code, score, depth) = parts().ok_or("its moves are cut off")?;
        let mv = yaneuraou_move(code).filter(|&mv| pos.is_legal(mv));
        let mv = mv.ok_or_else(|| format!("the move {code:#06x} is illegal in {}", pos.to_sfen()))?;
        read.push(BookMove { mv, reply: None, score: score.into(), depth: depth.into(), count: 1 });
    }
    Ok((pos, read))
}
