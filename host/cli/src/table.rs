//! `table`: writes an evaluation table to a file.

use super::{
    args::Global,
    backend,
    session::{say, Exit},
};
use anyhow::Context;
use atomic_write_file::AtomicWriteFile;
use clap::Args;
use hayasashi_model::evaluate::{default_table, first_table};
use serde_json::json;
use std::{io::Write, path::PathBuf, sync::Arc};

/// Arguments of `table`.
#[derive(Args, Debug, Clone)]
pub struct TableArguments {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write the hand-made table from which learning started.
    #[arg(long, conflicts_with = "table")]
    pub hand_made: bool,
}

/// Writes the built-in evaluation table, or checks and copies that of `--table`.
pub fn run(global: &Global, arguments: &TableArguments) -> anyhow::Result<Exit> {
    let table = match &global.table {
        Some(file) => backend::table(Some(file))?,
        None if arguments.hand_made => Arc::new(first_table()),
        None => Arc::new(default_table()),
    };
    let bytes = table.to_bytes();
    let out = &arguments.out;
    let written = AtomicWriteFile::open(out).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.commit()
    });
    written.with_context(|| format!("cannot write `{}`; hint: give a file in a writable folder", out.display()))?;
    let header = table.header();
    match global.json {
        true => say(json!({
            "file": out.display().to_string(), "bytes": bytes.len(), "version": header.version,
            "checksum": header.checksum,
        }))?,
        false => say(format!(
            "{}: {} bytes, version {}, checksum 0x{:08X}",
            out.display(),
            bytes.len(),
            header.version,
            header.checksum
        ))?,
    }
    Ok(Exit::Done)
}
