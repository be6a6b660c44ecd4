//! `chip`: a virtual board on a pseudo-terminal or a TCP port.

use super::{
    args::{ChipArguments, Engine, Global},
    session::{say, Exit, Interrupt},
};
use crate::accel::{serve, RtlStream, SoftwareStream, StreamChip};
use anyhow::{ensure, Context};
use hayasashi_sim::RtlChip;
use serde_json::json;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

/// Runs the command until Ctrl-C.
pub fn run(global: &Global, arguments: &ChipArguments, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let mut chip: Box<dyn StreamChip> = match arguments.engine {
        Engine::Model => {
            ensure!(arguments.waves.is_none(), "--waves: the software model has no waveforms; add --engine rtl");
            Box::new(SoftwareStream::new())
        }
        Engine::Rtl => {
            let mut rtl = RtlChip::default();
            if let Some(path) = &arguments.waves {
                let file =
                    File::create(path).with_context(|| format!("cannot write the waveforms {}", path.display()))?;
                rtl.record(BufWriter::new(file));
            }
            Box::new(RtlStream::with_chip(rtl))
        }
    };
    let stop = Arc::clone(interrupt.flag());
    let engine = match arguments.engine {
        Engine::Model => "software model",
        Engine::Rtl => "simulated gateware",
    };
    let announce = |backend: String| {
        let said = if global.json {
            say(json!({"engine": engine, "backend": backend}))
        } else {
            say(format!("{engine} at {backend} (for --backend); Ctrl-C ends it"))
        };
        if let Err(error) = said {
            eprintln!("hayasashi: {error:#}");
        }
    };
    if let Some(address) = &arguments.tcp {
        serve::serve_tcp(&mut *chip, address, &stop, &mut |address| announce(format!("tcp:{address}")))?;
    } else {
        let link = arguments.pty.as_deref().filter(|l| !l.is_empty()).map(Path::new);
        serve::serve_pty(&mut *chip, link, &stop, &mut |path| announce(format!("serial:{}", path.display())))?;
    }
    Ok(Exit::Done)
}
