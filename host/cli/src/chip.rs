//! `chip`: a virtual board on a pseudo-terminal or a TCP port.

use super::{
    args::Global,
    session::{say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::{Args, ValueEnum};
use hayasashi_accel::{virtual_board, ModelStream, RtlStream, StreamChip, VerilogStream};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_sim::RtlChip;
use serde_json::json;
use std::{
    fs::File,
    io::BufWriter,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
};

/// Arguments of `chip`.
#[derive(Args, Debug, Clone)]
pub struct ChipArguments {
    /// Open a pseudo-terminal and print its name. LINK makes a symbolic link to it.
    #[arg(long, value_name = "LINK", num_args = 0..=1, default_missing_value = "", conflicts_with = "tcp")]
    pub pty: Option<String>,
    /// Listen on this address, such as `127.0.0.1:4081` (port 0: any free port).
    #[arg(long, value_name = "ADDR")]
    pub tcp: Option<String>,
    /// The implementation of the chip.
    #[arg(long, value_enum, default_value_t = Engine::Model)]
    pub engine: Engine,
    /// Write the waveforms of `--engine rtl` to this file (VCD, a few kilobytes per clock).
    #[arg(long, value_name = "FILE")]
    pub waves: Option<PathBuf>,
}

/// The implementation of a virtual board.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The software co-processor.
    Model,
    /// The gateware in RustHDL's simulator.
    Rtl,
    /// The emitted Verilog, compiled by Verilator.
    Verilog,
}

/// Serves a virtual board until Ctrl-C.
pub fn run(global: &Global, arguments: &ChipArguments) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    Interrupt::install(move || set.store(true, Ordering::Relaxed))?;
    let mut chip: Box<dyn StreamChip> = match arguments.engine {
        Engine::Model | Engine::Verilog if arguments.waves.is_some() => {
            bail!("only `--engine rtl` writes waveforms (`--waves`); hint: add --engine rtl")
        }
        Engine::Model => Box::new(ModelStream::new()),
        Engine::Rtl => {
            let mut rtl = RtlChip::new(&ChipConfig::searching());
            if let Some(path) = &arguments.waves {
                let file = File::create(path).with_context(|| {
                    format!("cannot write the waveforms `{}`; hint: give a file in a writable folder", path.display())
                })?;
                rtl.record(BufWriter::new(file));
            }
            Box::new(RtlStream::new(rtl))
        }
        Engine::Verilog => Box::new(VerilogStream::open(&ChipConfig::searching())?),
    };
    // Scripts read the address from the first line.
    let mut announced = Ok(());
    let mut announce = |kind: &str, address: String| {
        let backend = format!("{kind}:{address}");
        announced = match global.json {
            true => say(json!({ "backend": backend, "address": address })),
            false => say(format!("{backend}  (use it as `--backend {backend}`; Ctrl-C ends)")),
        };
        if announced.is_err() {
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
                announce("serial", link.unwrap_or(path).display().to_string());
            })?;
        }
        (None, None) => bail!("`chip` needs an address; hint: use `--pty`, `--pty LINK` or `--tcp 127.0.0.1:4081`"),
    }
    announced?;
    // Ctrl-C is the usual end of this command.
    Ok(Exit::Done)
}
