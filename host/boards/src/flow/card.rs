//! From a card's description to its bitstream and driver: the chip's Verilog, the design around it, Vivado.
//!
//! Only Vivado places a design with the PCI Express block of a 7-series device. Without it the build ends with the design, and says
//! what is missing.

use super::{
    build::{Folder, REPORT},
    progress::Observer,
    report::StageTime,
    stage,
    tool_call::ToolCall,
    tools::on_path,
    venv::Environment,
    BuildError, FinalStage,
};
use crate::card::{Bridge, Card};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

const XDMA_TCL: &str = include_str!("../../../../constraints/cards/xdma.tcl");
const XDMA_XDC: &str = include_str!("../../../../constraints/cards/xdma.xdc");
const LITEPCIE: &str = include_str!("../../../../constraints/cards/litepcie_card.py");
/// What the script for LitePCIe imports. `setuptools` has what Python 3.12 dropped.
const PACKAGES: [&str; 5] = ["litex", "litepcie", "litex-boards", "migen", "setuptools"];
/// Folder of the chip.
const CHIP: &str = "chip";
/// Folder of the design around it.
const DESIGN: &str = "design";

/// A build to run.
pub struct CardJob {
    /// The card.
    pub card: Card,
    /// Folder of the results.
    pub out: PathBuf,
    /// Whether only the Verilog is to be written.
    pub final_stage: FinalStage,
    /// Folder of the virtual environment instead of the one in the user's cache.
    pub venv: Option<PathBuf>,
}

/// What a build has made.
#[derive(Clone, Debug, Serialize)]
pub struct CardReport {
    /// Stem of the card's file.
    pub board: String,
    /// Its display name.
    pub name: String,
    /// Its number in the information register.
    pub number: u32,
    /// The bridge.
    pub bridge: Bridge,
    /// The FPGA.
    pub part: String,
    /// The chip's clock.
    pub clock_hz: u32,
    /// Hash of the gateware's sources, as in the information register.
    pub build_id: String,
    /// The versions of the Python packages, where there are any.
    pub tools: BTreeMap<String, String>,
    /// The stages of the build, with their times.
    pub stages: Vec<StageTime>,
    /// The folder of the build.
    pub folder: PathBuf,
    /// The driver's sources, where they are part of the design.
    pub driver: Option<PathBuf>,
    /// The bitstream, if one was made.
    pub bitstream: Option<PathBuf>,
    /// What the build lacks for a bitstream.
    pub failure: Option<String>,
}

/// Builds a card's bitstream as far as the tools of this machine go, and writes the report as `report.json`.
///
/// # Errors
/// If a tool fails, a file cannot be read or written, another build uses the folder, or the observer stops the build.
pub fn build_card(job: &CardJob, observer: &mut dyn Observer) -> Result<CardReport, BuildError> {
    let (card, folder) = (&job.card, Folder::open(&job.out)?);
    let mut report = CardReport {
        board: card.stem.clone(),
        name: card.name.clone(),
        number: card.number,
        bridge: card.bridge,
        part: card.part.clone(),
        clock_hz: card.chip_hz,
        build_id: format!("{:08x}", hayasashi_hdl::config::BUILD_ID),
        tools: BTreeMap::new(),
        stages: Vec::new(),
        folder: folder.path.clone(),
        driver: None,
        bitstream: None,
        failure: None,
    };
    let mut run = Run { card, folder: &folder, report: &mut report, observer };
    let script = run.chip()?;
    if job.final_stage > FinalStage::Verilog {
        match card.bridge {
            Bridge::Xdma => run.xdma(&script, job.final_stage)?,
            Bridge::LitePcie => run.litepcie(&script, job.final_stage, job.venv.as_deref())?,
        }
    }
    let text = serde_json::to_string_pretty(&report).expect("a report is plain data");
    stage::write(&folder.path.join(REPORT), &(text + "\n"))?;
    Ok(report)
}

struct Run<'a> {
    card: &'a Card,
    folder: &'a Folder,
    report: &'a mut CardReport,
    observer: &'a mut dyn Observer,
}

impl Run<'_> {
    /// Writes the chip and the script; returns the script's name in the folder.
    fn chip(&mut self) -> Result<PathBuf, BuildError> {
        self.observer.begin("verilog", &format!("emitting the gateware for {}", self.card.name));
        let start = Instant::now();
        let chip = self.folder.path.join(CHIP);
        for file in self.card.release().files() {
            let path = chip.join(&file.path);
            let parent = path.parent().unwrap_or(&chip);
            fs::create_dir_all(parent).map_err(BuildError::io("create", parent))?;
            stage::write(&path, &file.text)?;
        }
        let scripts: &[(&str, &str)] = match self.card.bridge {
            Bridge::Xdma => &[("xdma.tcl", XDMA_TCL), ("xdma.xdc", XDMA_XDC)],
            Bridge::LitePcie => &[("litepcie_card.py", LITEPCIE)],
        };
        for (name, text) in scripts {
            stage::write(&self.folder.path.join(name), text)?;
        }
        self.time("verilog", start);
        Ok(scripts[0].0.into())
    }

    fn time(&mut self, stage: &'static str, start: Instant) {
        self.observer.end(stage, start.elapsed(), false);
        self.report.stages.push(StageTime { stage, seconds: start.elapsed().as_secs_f64(), reused: false });
    }

    /// Runs a tool in the folder of the build.
    fn call(
        &mut self,
        stage: &'static str,
        tool: &str,
        program: &Path,
        arguments: Vec<OsString>,
    ) -> Result<(), BuildError> {
        self.observer.begin(stage, tool);
        let start = Instant::now();
        let log = self.folder.logs.join(format!("{stage}.log"));
        let call = ToolCall { tool, program, arguments, folder: &self.folder.path, log, own_log: false };
        call.run_checked(self.observer)?;
        self.time(stage, start);
        Ok(())
    }

    fn xdma(&mut self, script: &Path, last: FinalStage) -> Result<(), BuildError> {
        let mut arguments: Vec<OsString> = ["-mode", "batch", "-source"].map(Into::into).to_vec();
        arguments.push(script.into());
        let verilog = format!("{CHIP}/hayasashi_axis64.v");
        let design = [verilog, DESIGN.into(), self.card.part.clone(), self.card.chip_hz.to_string()];
        arguments.push("-tclargs".into());
        arguments.extend(design.map(OsString::from));
        self.vivado(last, None, &arguments, "xdma.bit")
    }

    fn litepcie(&mut self, script: &Path, last: FinalStage, venv: Option<&Path>) -> Result<(), BuildError> {
        let environment = Environment::open(venv)?;
        environment.install(&PACKAGES, &self.folder.logs, self.observer)?;
        let python = environment.program("python");
        let versions = PACKAGES.map(|package| (package.to_string(), environment.pinned(package).to_string()));
        self.report.tools = versions.into();
        let mut arguments = vec![OsString::from(script)];
        arguments.extend([CHIP, DESIGN, &self.card.part, &self.card.chip_hz.to_string()].map(OsString::from));
        self.call("design", "the LiteX script", &python, arguments.clone())?;
        self.report.driver = Some(self.folder.path.join(DESIGN).join("driver"));
        arguments.push("--bitstream".into());
        self.vivado(last, Some(&python), &arguments, "gateware/hayasashi.bit")
    }

    /// Makes the bitstream by Vivado, or by a program that calls it.
    fn vivado(
        &mut self,
        last: FinalStage,
        program: Option<&Path>,
        arguments: &[OsString],
        bitstream: &str,
    ) -> Result<(), BuildError> {
        if last < FinalStage::Pack {
            return Ok(());
        }
        let vivado = on_path("vivado");
        let Some(program) = vivado.as_deref().map(|vivado| program.unwrap_or(vivado)) else {
            let shown: Vec<_> = arguments.iter().map(|argument| argument.display().to_string()).collect();
            self.report.failure = Some(format!(
                "no bitstream, because Vivado is not on PATH, and no other tool places a design with this device's PCI Express block; \
                 copy the folder to a machine that has it and run there: {} {}",
                program.map_or("vivado".into(), |_| "python".to_string()),
                shown.join(" "),
            ));
            return Ok(());
        };
        let file = self.folder.path.join(DESIGN).join(bitstream);
        let _ = fs::remove_file(&file);
        self.call("vivado", "Vivado", program, arguments.to_vec())?;
        if !file.is_file() {
            return Err(BuildError::Output { path: file, reason: "Vivado has not written it".into() });
        }
        self.report.bitstream = Some(file);
        Ok(())
    }
}
