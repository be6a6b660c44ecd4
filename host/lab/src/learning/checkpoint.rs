//! The checkpoint of a training run. A run that is killed and resumed gives the same result.
//!
//! One file: a line of JSON, then the numbers of [`State`] as 32-bit little-endian floats, then the CRC-32 of both. It is replaced
//! atomically.

use super::{objective::LossStats, optimiser::State, sharing::PARTS, LearnError};
use atomic_write_file::AtomicWriteFile;
use hayasashi_model::link::frame::CRC;
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// File name in the checkpoint folder.
const NAME: &str = "learn-eval.state";

/// The figures of one pass.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Row {
    /// Number of the pass; 0 before the first.
    pub pass: u32,
    /// Mean loss of a position during the pass; 0 before the first.
    pub loss: f64,
    /// Mean loss of a held-out position after the pass.
    pub held_out: f64,
    /// Share of the compared positions where the record's move is ranked first.
    pub first: f64,
    /// Share where it is among the first three.
    pub first_three: f64,
}

/// The state of a training run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// Figures of the passes; the first row precedes all passes.
    pub rows: Vec<Row>,
    /// Steps of the current pass.
    pub steps: usize,
    /// Losses of these steps.
    pub stats: LossStats,
    /// Weights and optimiser state.
    pub state: State,
}

/// The line of JSON. Floating-point numbers are stored as their bits, so that they are restored exactly.
#[derive(Serialize, Deserialize)]
struct Heading {
    setting: String,
    /// Pass, then the bits of the other fields in order.
    rows: Vec<(u32, [u64; 4])>,
    steps: usize,
    state_steps: u32,
    loss: u64,
    positions: u64,
    ranked: [u64; 3],
}

/// Replaces a file atomically.
///
/// # Errors
/// A file that cannot be written.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<(), LearnError> {
    let written = AtomicWriteFile::open(file).and_then(|mut out| {
        out.write_all(bytes)?;
        out.commit()
    });
    written.map_err(|reason| LearnError::File { verb: "write", file: file.into(), reason })
}

/// The checkpoint file of a folder.
pub fn file(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

/// Saves the state of a run with these settings.
///
/// # Errors
/// A file that cannot be written.
pub fn save(folder: &Path, setting: &str, progress: &Progress) -> Result<(), LearnError> {
    replace(&file(folder), &to_bytes(setting, progress))
}

/// The bytes of a checkpoint.
pub fn to_bytes(setting: &str, progress: &Progress) -> Vec<u8> {
    let Progress { rows, steps, stats, state } = progress;
    let heading = Heading {
        setting: setting.into(),
        rows: rows.iter().map(|r| (r.pass, [r.loss, r.held_out, r.first, r.first_three].map(f64::to_bits))).collect(),
        steps: *steps,
        state_steps: state.steps,
        loss: stats.loss.to_bits(),
        positions: stats.positions,
        ranked: [stats.ranked, stats.first, stats.first_three],
    };
    encoded(&heading, &[&state.parts, &state.moments[0], &state.moments[1]])
}

/// Writes a checkpoint: a line of JSON, the numbers, and the CRC-32 of both.
///
/// # Errors
/// A file that cannot be written.
pub fn write(file: &Path, heading: &impl Serialize, lists: &[&[f32]]) -> Result<(), LearnError> {
    replace(file, &encoded(heading, lists))
}

fn encoded(heading: &impl Serialize, lists: &[&[f32]]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(heading).expect("numbers and text are JSON");
    bytes.push(b'\n');
    for list in lists {
        bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend(CRC.checksum(&bytes).to_le_bytes());
    bytes
}

/// Reads a checkpoint; `None` if there is none.
///
/// # Errors
/// A file that cannot be read, or is damaged.
pub fn read<H: DeserializeOwned>(file: &Path) -> Result<Option<(H, Vec<f32>)>, LearnError> {
    match std::fs::read(file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(reason) => Err(LearnError::File { verb: "read", file: file.into(), reason }),
        Ok(bytes) => decoded(file, &bytes).map(Some),
    }
}

/// What the bytes of this file say.
fn decoded<H: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<(H, Vec<f32>), LearnError> {
    let damaged = || LearnError::Damaged { file: file.into() };
    let (content, crc) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if CRC.checksum(content) != u32::from_le_bytes(*crc) {
        return Err(damaged());
    }
    let end = content.iter().position(|&b| b == b'\n').ok_or_else(damaged)?;
    let heading = serde_json::from_slice(&content[..end]).map_err(|_| damaged())?;
    let numbers = content[end + 1..].chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    Ok((heading, numbers.collect()))
}

/// Loads the state of a run with these settings; `None` if there is no checkpoint.
///
/// # Errors
/// A file that cannot be read, is damaged, or belongs to a run with other settings.
pub fn load(folder: &Path, setting: &str) -> Result<Option<Progress>, LearnError> {
    let file = file(folder);
    match read::<Heading>(&file)? {
        Some(found) => progress(&file, setting, found).map(Some),
        None => Ok(None),
    }
}

/// The state of a run with these settings, from the bytes of a checkpoint that came from `file`.
///
/// # Errors
/// As for [`load`].
pub fn from_bytes(file: &Path, setting: &str, bytes: &[u8]) -> Result<Progress, LearnError> {
    progress(file, setting, decoded(file, bytes)?)
}

fn progress(file: &Path, setting: &str, (heading, numbers): (Heading, Vec<f32>)) -> Result<Progress, LearnError> {
    let file = file.to_path_buf();
    if heading.setting != setting {
        let (found, expected) = (heading.setting, setting.to_string());
        return Err(LearnError::OtherSetting { file, found, expected });
    }
    if numbers.len() != 3 * PARTS {
        return Err(LearnError::Damaged { file });
    }
    let list = |i: usize| numbers[i * PARTS..(i + 1) * PARTS].to_vec();
    let [ranked, first, first_three] = heading.ranked;
    let row = |&(pass, bits): &(u32, [u64; 4])| {
        let [loss, held_out, first, first_three] = bits.map(f64::from_bits);
        Row { pass, loss, held_out, first, first_three }
    };
    Ok(Progress {
        rows: heading.rows.iter().map(row).collect(),
        steps: heading.steps,
        stats: LossStats {
            loss: f64::from_bits(heading.loss),
            positions: heading.positions,
            ranked,
            first,
            first_three,
        },
        state: State { parts: list(0), moments: [list(1), list(2)], steps: heading.state_steps },
    })
}
