//! `chip`: a virtual board on a pseudo-terminal or a TCP port.

use super::{
    args::{ChipArguments, Engine, Global},
    session::{say, Exit, Interrupt},
};
use crate::accel::{serve, RtlStream, SoftwareStream, StreamChip};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// Runs the command until Ctrl-C.
pub fn run(global: &Global, arguments: &ChipArguments, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let mut chip: Box<dyn StreamChip> = match arguments.engine {
        Engine::Model => Box::new(SoftwareStream::new()),
        Engine::Rtl => Box::new(RtlStream::new()),
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
