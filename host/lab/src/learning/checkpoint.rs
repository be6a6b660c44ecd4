//! What is kept of a run, so that it goes on after a kill as if nothing had happened.
//!
//! One file: a line of JSON, then the numbers of [`State`] as 32-bit little-endian floats, then the CRC-32 of all that. It
//! is written beside and renamed, so that there is always a whole one.

use super::{objective::Tally, optimiser::State, sharing::PARTS, LearnError};
use atomic_write_file::AtomicWriteFile;
use hayasashi_model::link::frame::CRC;
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Name of the file in the folder of checkpoints.
const NAME: &str = "learn-eval.state";

/// A line of the table of passes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Row {
    /// Passes made.
    pub pass: u32,
    /// Loss of a position of the pass, while it was made; 0 before the first.
    pub loss: f64,
    /// Loss of a held-out position after it.
    pub held_out: f64,
    /// Part of the compared positions where the record's move is ranked first.
    pub first: f64,
    /// Where it is among the first three.
    pub first_three: f64,
}

/// Where a run stands.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// Lines of the table, the first before all passes.
    pub rows: Vec<Row>,
    /// Steps made of the pass under way.
    pub steps: usize,
    /// Their loss.
    pub tally: Tally,
    /// What was learned.
    pub state: State,
}

/// Losses are written as their bits, so that they come back as they were.
#[derive(Serialize, Deserialize)]
struct Heading {
    setting: String,
    /// Pass, then the other fields in order.
    rows: Vec<(u32, [u64; 4])>,
    steps: usize,
    state_steps: u32,
    loss: u64,
    positions: u64,
    ranked: [u64; 3],
}

/// Writes a file whole or not at all.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<(), LearnError> {
    let written = AtomicWriteFile::open(file).and_then(|mut out| {
        out.write_all(bytes)?;
        out.commit()
    });
    written.map_err(|reason| LearnError::File { verb: "write", file: file.into(), reason })
}

/// The file of a folder.
pub fn file(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

/// Keeps where a run of this setting stands.
pub fn save(folder: &Path, setting: &str, progress: &Progress) -> Result<(), LearnError> {
    let Progress { rows, steps, tally, state } = progress;
    let heading = Heading {
        setting: setting.into(),
        rows: rows.iter().map(|r| (r.pass, [r.loss, r.held_out, r.first, r.first_three].map(f64::to_bits))).collect(),
        steps: *steps,
        state_steps: state.steps,
        loss: tally.loss.to_bits(),
        positions: tally.positions,
        ranked: [tally.ranked, tally.first, tally.first_three],
    };
    let mut bytes = serde_json::to_vec(&heading).expect("numbers and text are JSON");
    bytes.push(b'\n');
    for list in [&state.parts, &state.moments[0], &state.moments[1]] {
        bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend(CRC.checksum(&bytes).to_le_bytes());
    replace(&file(folder), &bytes)
}

/// Where a run of this setting stood; `None` if there was none.
pub fn load(folder: &Path, setting: &str) -> Result<Option<Progress>, LearnError> {
    let file = file(folder);
    let bytes = match std::fs::read(&file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|reason| LearnError::File { verb: "read", file: file.clone(), reason })?,
    };
    let damaged = || LearnError::Damaged { file: file.clone() };
    let (content, crc) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if CRC.checksum(content) != u32::from_le_bytes(*crc) {
        return Err(damaged());
    }
    let end = content.iter().position(|&b| b == b'\n').ok_or_else(damaged)?;
    let heading: Heading = serde_json::from_slice(&content[..end]).map_err(|_| damaged())?;
    if heading.setting != setting {
        let (found, expected) = (heading.setting, setting.to_string());
        return Err(LearnError::OtherSetting { file, found, expected });
    }
    let numbers: Vec<f32> =
        content[end + 1..].chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    if numbers.len() != 3 * PARTS {
        return Err(damaged());
    }
    let list = |i: usize| numbers[i * PARTS..(i + 1) * PARTS].to_vec();
    let [ranked, first, first_three] = heading.ranked;
    let row = |&(pass, bits): &(u32, [u64; 4])| {
        let [loss, held_out, first, first_three] = bits.map(f64::from_bits);
        Row { pass, loss, held_out, first, first_three }
    };
    Ok(Some(Progress {
        rows: heading.rows.iter().map(row).collect(),
        steps: heading.steps,
        tally: Tally { loss: f64::from_bits(heading.loss), positions: heading.positions, ranked, first, first_three },
        state: State { parts: list(0), moments: [list(1), list(2)], steps: heading.state_steps },
    }))
}
