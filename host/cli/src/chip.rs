//! `chip`: a virtual board on a pseudo-terminal, on the files of a card, or on a TCP port.

use super::{
    args::Global,
    session::{say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::{Args, ValueEnum};
use hayasashi_accel::{virtual_board, ModelStream, PacketChip, SimulatedStream, StreamChip, VerilogStream};
use hayasashi_boards::board::Board;
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::Model;
use hayasashi_sim::{Port, RtlChip, RtlPacketChip, RtlTop};
use hayasashi_spec::word_frame::Framing;
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
    /// Make two FIFOs, PATH_h2c_0 and PATH_c2h_0, in place of the device files of a card on PCIe.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["tcp", "pty"])]
    pub pcie: Option<PathBuf>,
    /// Listen on this address, such as `127.0.0.1:4081` (port 0: any free port).
    #[arg(long, value_name = "ADDR")]
    pub tcp: Option<String>,
    /// The implementation of the chip.
    #[arg(long, value_enum, default_value_t = Engine::Model)]
    pub engine: Engine,
    /// With the units of this board, such as several walkers of searches: a name from `build --list`, or a path ending in `.toml`
    /// [default: all kinds of units, one of each].
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
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
    let mut chip = chip(arguments)?;
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
    match arguments {
        ChipArguments { tcp: Some(address), .. } => {
            virtual_board::serve_tcp(&mut *chip, address, &stop, &mut |a| announce("tcp", a.to_string()))?;
        }
        ChipArguments { pcie: Some(card), .. } => {
            virtual_board::serve_fifos(&mut *chip, card, &stop, &mut |card| {
                announce("pcie", card.display().to_string());
            })?;
        }
        ChipArguments { pty: Some(link), .. } => {
            let link = (!link.is_empty()).then(|| Path::new(link));
            virtual_board::serve_pty(&mut *chip, link, &stop, &mut |path| {
                announce("serial", link.unwrap_or(path).display().to_string());
            })?;
        }
        _ => bail!(
            "`chip` needs an address; hint: use `--pty`, `--pty LINK`, `--pcie /tmp/card` or `--tcp 127.0.0.1:4081`"
        ),
    }
    announced?;
    // Ctrl-C is the usual end of this command.
    Ok(Exit::Done)
}

/// The chip that is asked for. That of a card is behind AXI-Stream, and its answers come in packets.
fn chip(arguments: &ChipArguments) -> anyhow::Result<Box<dyn StreamChip>> {
    let config = match &arguments.board {
        Some(board) => Board::find(board)?.simulated_chip(),
        None => ChipConfig::searching(),
    };
    let model = || Model::without(!config.capabilities);
    let waves = arguments.waves.as_ref().map(|path| {
        let file = File::create(path).with_context(|| {
            format!("cannot write the waveforms `{}`; hint: give a file in a writable folder", path.display())
        });
        file.map(BufWriter::new)
    });
    Ok(match (arguments.engine, arguments.pcie.is_some()) {
        (Engine::Model | Engine::Verilog, _) if waves.is_some() => {
            bail!("only `--engine rtl` writes waveforms (`--waves`); hint: add --engine rtl")
        }
        (Engine::Model, false) => Box::new(ModelStream::with_model(model())),
        (Engine::Model, true) => Box::new(PacketChip::new(ModelStream::behind(Framing::Words, model()))),
        (Engine::Verilog, false) => Box::new(VerilogStream::open(&config)?),
        (Engine::Verilog, true) => Box::new(VerilogStream::in_packets(&config)?),
        (Engine::Rtl, false) => rtl(RtlChip::new(&config), waves)?,
        (Engine::Rtl, true) => rtl(RtlPacketChip::new(&config), waves)?,
    })
}

/// This simulated chip, which writes its waveforms if there is a file for them.
fn rtl<T: Port + Send + 'static>(
    mut rtl: RtlTop<T>,
    waves: Option<anyhow::Result<BufWriter<File>>>,
) -> anyhow::Result<Box<dyn StreamChip>> {
    if let Some(waves) = waves {
        rtl.record(waves?);
    }
    Ok(Box::new(SimulatedStream::new(rtl)))
}
