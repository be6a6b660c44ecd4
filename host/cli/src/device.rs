//! `info`, `table` and `chip`.

use super::{
    args::{ChipArguments, Engine, Global, TableArguments},
    backend,
    session::{say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use atomic_write_file::AtomicWriteFile;
use hayasashi_accel::{virtual_board, ModelStream, RtlStream, StreamChip, VerilogStream};
use hayasashi_model::evaluate::{default_table, first_table};
use hayasashi_sim::RtlChip;
use hayasashi_spec::registers::Register;
use serde_json::{json, Map, Value};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    sync::{atomic::AtomicBool, atomic::Ordering, Arc},
};

/// Shows the information registers.
pub fn info(global: &Global) -> anyhow::Result<Exit> {
    let opened = backend::opened(global)?;
    let info = opened.chip.info()?;
    let values: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&info));
    let registers = Register::ALL.iter().zip(values);
    if global.json {
        let registers: Map<String, Value> = registers.map(|(r, &v)| (r.name().into(), v.into())).collect();
        say(json!({ "backend": opened.chip.name(), "note": opened.note, "registers": registers }))?;
    } else {
        say(&opened.note)?;
        for (register, value) in registers {
            say(format!("{:15} 0x{value:08X} {value:>10}  {}", register.name(), register.text().trim()))?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the evaluation table: the built-in one, or the one of `--table`, which this checks.
pub fn table(global: &Global, arguments: &TableArguments) -> anyhow::Result<Exit> {
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
    written.with_context(|| {
        format!("cannot write `{}`; hint: name a file in a folder that you may write to", out.display())
    })?;
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

/// Serves a virtual board until Ctrl-C.
pub fn chip(global: &Global, arguments: &ChipArguments) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    Interrupt::install(move || set.store(true, Ordering::Relaxed))?;
    let mut chip: Box<dyn StreamChip> = match arguments.engine {
        Engine::Model | Engine::Verilog if arguments.waves.is_some() => {
            bail!("only RustHDL's simulation writes waveforms for --waves; hint: add --engine rtl")
        }
        Engine::Model => Box::new(ModelStream::new()),
        Engine::Rtl => {
            let mut rtl = RtlChip::default();
            if let Some(path) = &arguments.waves {
                let file =
                    File::create(path).with_context(|| format!("cannot write the waveforms `{}`", path.display()))?;
                rtl.record(BufWriter::new(file));
            }
            Box::new(RtlStream::new(rtl))
        }
        Engine::Verilog => Box::new(VerilogStream::open(&Default::default(), false)?),
    };
    // Whoever starts this reads the address from the first line.
    let mut told = Ok(());
    let mut announce = |kind: &str, address: String| {
        let backend = format!("{kind}:{address}");
        told = match global.json {
            true => say(json!({ "backend": backend, "address": address })),
            false => say(format!("{backend}  (use it as `--backend {backend}`; Ctrl-C ends)")),
        };
        if told.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    match (&arguments.pty, &arguments.tcp) {
        (_, Some(address)) => {
            virtual_board::serve_tcp(&mut *chip, address, &stop, &mut |a| announce("tcp", a.to_string()))?;
        }
        (Some(link), None) => {
            let link = (!link.is_empty()).then(|| Path::new(link));
            virtual_board::serve_pty(&mut *chip, link, &stop, &mut |path| {
                announce("serial", link.unwrap_or(path).display().to_string())
            })?;
        }
        (None, None) => bail!("`chip` needs a place to be found at; hint: --pty, --pty LINK or --tcp 127.0.0.1:4081"),
    }
    told?;
    // Ctrl-C is the usual end of this command.
    Ok(Exit::Done)
}
