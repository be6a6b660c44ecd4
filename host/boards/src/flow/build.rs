//! The stages of a build: gateware, synthesis, placement, routing, packing.

use super::{
    free_sites, hold_buffers,
    input_hash::InputHash,
    netlist::Netlist,
    nextpnr_report::{only_missed_timing, NextpnrReport},
    progress::Observer,
    report::{BuildReport, StageTime},
    stage::{self, part, Stage},
    tool_call::ToolCall,
    tool_options::{
        self, Packer, Pass, PhysicalTools, BUFFERED_NETLIST, CARRY_CHAINS, CARRY_CHAINS_TEXT, NETLIST, REPORTED,
        RESERVED_NETLIST, VERILOG, XILINX_FRAMES, XILINX_ROUTED, YOSYS,
    },
    tools::{Tool, ToolSource, Tools},
    xray, BuildError,
};
use crate::board::Board;
use hayasashi_hdl::top::pll::Family;
use std::{
    fs::{self, TryLockError},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The last stage of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FinalStage {
    /// `top.v` and the constraint file.
    Verilog,
    /// The synthesised netlist.
    Synthesis,
    /// The routed design.
    Route,
    /// The bitstream.
    Pack,
}

/// A build to run.
pub struct BuildJob {
    /// The board.
    pub board: Board,
    /// Seed of the placer instead of the board's.
    pub seed: Option<u32>,
    /// Folder of the results.
    pub out: PathBuf,
    /// The last stage.
    pub final_stage: FinalStage,
    /// The source of the tools.
    pub tool_source: ToolSource,
    /// Folder of the virtual environment instead of the one in the user's cache.
    pub venv: Option<PathBuf>,
}

/// The netlist of a chip without its board, as Verilog.
const CHIP_NETLIST: &str = "netlist.v";
/// Name of the report in the folder of a build.
pub const REPORT: &str = "report.json";

/// Builds a bitstream and writes the report as `report.json`. An exceeded budget or a missed clock is part of the report, not
/// an error.
///
/// # Errors
/// If a tool is missing or fails, a file cannot be read or written, another build uses the folder, or the observer stops
/// the build.
pub fn build(job: &BuildJob, observer: &mut dyn Observer) -> Result<BuildReport, BuildError> {
    let board = &job.board;
    let physical = (job.final_stage > FinalStage::Synthesis).then(|| tool_options::physical(board));
    let folder = Folder::open(&job.out)?;
    let verilog = emit_verilog(board, &folder, observer)?;
    let mut needed = Vec::new();
    if job.final_stage > FinalStage::Verilog {
        needed.push(&YOSYS);
    }
    if let Some(physical) = &physical {
        match job.final_stage == FinalStage::Pack {
            true => needed.extend(physical.all()),
            false => needed.push(physical.place),
        }
    }
    let tools = match needed.is_empty() {
        true => None,
        false => Some(Tools::choose(job.tool_source, &needed, job.venv.as_deref(), &folder.logs, observer)?),
    };
    if (job.final_stage, board.device.family) == (FinalStage::Pack, Family::Xilinx) {
        xray::require(&board.device.part)?;
    }
    let mut report = BuildReport::new(board, job.seed.unwrap_or(board.place.seed), folder.path.clone(), tools.as_ref());
    report.stages.push(verilog.time);
    if let Some(tools) = &tools {
        let run = StageRunner { board, folder: &folder, tools, physical: physical.as_ref() };
        run.stages(job.final_stage, &verilog.text, &mut report, observer)?;
    }
    let text = serde_json::to_string_pretty(&report).expect("a report is plain data");
    stage::write(&folder.path.join(REPORT), &(text + "\n"))?;
    Ok(report)
}

/// Synthesises the board's chip behind its byte port, without the board's PLL and pins, and writes the netlist as Verilog of
/// the family's cells: for simulation of what yosys has made. Returns the file, which is kept like the result of any stage.
///
/// # Errors
/// As for [`build`].
pub fn synthesize_chip(job: &BuildJob, observer: &mut dyn Observer) -> Result<PathBuf, BuildError> {
    let folder = Folder::open(&job.out)?;
    let verilog = hayasashi_hdl::verilog::chip(&job.board.config().chip);
    stage::write(&folder.path.join(VERILOG), &verilog)?;
    stage::write(&folder.path.join(CARRY_CHAINS), CARRY_CHAINS_TEXT)?;
    let tools = Tools::choose(job.tool_source, &[&YOSYS], job.venv.as_deref(), &folder.logs, observer)?;
    let run = StageRunner { board: &job.board, folder: &folder, tools: &tools, physical: None };
    let mut plan = run.synthesis(&verilog);
    plan.stage.outputs.push(CHIP_NETLIST);
    let script = plan.arguments.last_mut().expect("the script is the last argument");
    // Simulators order assignments by wire: those of a bus would wait for each other.
    script.push_str(&format!("; splitnets; opt_clean; rename -hide; write_verilog -noattr {}", part(CHIP_NETLIST)));
    let finished = plan.stage.finished(&folder.path).is_some();
    if !finished {
        plan.stage.clear(&folder.path)?;
    }
    run.run(&plan, finished, observer)?;
    Ok(folder.path.join(CHIP_NETLIST))
}

/// The folder of a build. One build at a time holds its lock.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) logs: PathBuf,
    _lock: fs::File,
}

impl Folder {
    pub(super) fn open(out: &Path) -> Result<Folder, BuildError> {
        fs::create_dir_all(out.join("logs")).map_err(BuildError::io("create", out))?;
        let path = out.canonicalize().map_err(BuildError::io("find", out))?;
        let lock = path.join(".lock");
        let _lock = fs::File::create(&lock).map_err(BuildError::io("write", &lock))?;
        _lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => BuildError::Io {
                action: "lock",
                path: lock,
                source: io::ErrorKind::WouldBlock.into(),
                hint: "another build uses this folder: wait for it, or give another folder with `--out DIR`",
            },
            TryLockError::Error(error) => BuildError::io("lock", lock)(error),
        })?;
        Ok(Folder { logs: path.join("logs"), path, _lock })
    }
}

/// The Verilog of a board, and the time to emit it.
struct EmittedVerilog {
    text: String,
    time: StageTime,
}

/// Writes `top.v`, the file for carry chains and the constraint file.
fn emit_verilog(board: &Board, folder: &Folder, observer: &mut dyn Observer) -> Result<EmittedVerilog, BuildError> {
    observer.begin("verilog", &format!("emitting the gateware for {}", board.name));
    let start = Instant::now();
    let text = hayasashi_hdl::verilog::board(&board.config())
        .map_err(|e| BuildError::Gateware { board: board.stem.clone(), reason: e.to_string() })?;
    stage::write(&folder.path.join(VERILOG), &text)?;
    stage::write(&folder.path.join(CARRY_CHAINS), CARRY_CHAINS_TEXT)?;
    stage::write(&folder.path.join(&board.constraints.name), &board.constraints.text)?;
    observer.end("verilog", start.elapsed(), false);
    let time = StageTime { stage: "verilog", seconds: start.elapsed().as_secs_f64(), reused: false };
    Ok(EmittedVerilog { text, time })
}

/// Runs the stages of a build with its tools.
struct StageRunner<'a> {
    board: &'a Board,
    folder: &'a Folder,
    tools: &'a Tools,
    physical: Option<&'a PhysicalTools>,
}

impl StageRunner<'_> {
    fn stages(
        &self,
        final_stage: FinalStage,
        verilog: &str,
        report: &mut BuildReport,
        observer: &mut dyn Observer,
    ) -> Result<(), BuildError> {
        let folder = &self.folder.path;
        let synthesis = self.synthesis(verilog);
        let mut planned = vec![synthesis];
        if let Some(physical) = self.physical {
            let after = planned[0].stage.inputs.clone();
            let mut after = after.add(&self.board.constraints.text).add(free_sites::inputs(self.board));
            for pass in tool_options::passes(self.board, &self.board.constraints.name, report.seed)? {
                let plan = self.physical(physical, pass, after);
                after = plan.stage.inputs.clone();
                planned.push(plan);
            }
            if final_stage == FinalStage::Pack {
                planned.push(self.pack(physical.pack, physical.routed, after));
            }
        }
        let first = planned.iter().position(|p| p.stage.finished(folder).is_none()).unwrap_or(planned.len());
        if first < planned.len() {
            // A report or a bitstream of an earlier build must not remain beside results of this one.
            self.clear(first, &planned)?;
        }
        for (i, plan) in planned.iter().enumerate() {
            let time = match self.run(plan, i < first, observer) {
                // A design over the budget may not fit on the device. The exceeded budget in the report explains the failure.
                Err(error @ BuildError::Tool { .. }) if report.is_over_budget() => {
                    report.failure = Some(error.to_string());
                    return Ok(());
                }
                time => time?,
            };
            report.stages.push(time);
            match plan.stage.name {
                "synthesis" => {
                    let netlist = self.discard_unreadable(plan, Netlist::read(&folder.join(NETLIST)))?;
                    report.add_synthesis(self.board, &netlist);
                }
                "place" => {}
                "route" => {
                    let nextpnr_report = self.discard_unreadable(plan, NextpnrReport::read(&folder.join(REPORTED)))?;
                    report.add_routing(self.board, &nextpnr_report);
                    if !report.timing_met() {
                        report.failure = Some("a clock misses its constraint".into());
                        return Ok(());
                    }
                }
                _ => report.bitstream = plan.stage.outputs.first().map(|file| folder.join(file)),
            }
        }
        Ok(())
    }

    /// Passes on the result of reading a stage's output. Unreadable output is removed, so that the next build makes it anew.
    fn discard_unreadable<T>(&self, plan: &PlannedStage, read: Result<T, BuildError>) -> Result<T, BuildError> {
        if read.is_err() {
            plan.stage.clear(&self.folder.path)?;
        }
        read
    }

    fn clear(&self, first: usize, planned: &[PlannedStage]) -> Result<(), BuildError> {
        let _ = fs::remove_file(self.folder.path.join(REPORT));
        planned[first..].iter().try_for_each(|plan| plan.stage.clear(&self.folder.path))?;
        // The results of stages after the last one of this build.
        for file in ["bitstream.bit", "bitstream.svf", "bitstream.fs", XILINX_FRAMES, ".pack.stamp"] {
            let _ = fs::remove_file(self.folder.path.join(file));
        }
        Ok(())
    }

    fn run(&self, plan: &PlannedStage, finished: bool, observer: &mut dyn Observer) -> Result<StageTime, BuildError> {
        let (folder, name) = (&self.folder.path, plan.stage.name);
        if let (true, Some(took)) = (finished, plan.stage.finished(folder)) {
            observer.end(name, took, true);
            return Ok(StageTime { stage: name, seconds: took.as_secs_f64(), reused: true });
        }
        observer.begin(name, &plan.note);
        let start = Instant::now();
        let netlist = folder.join(NETLIST);
        match (name, self.board.device.family) {
            ("place", _) => free_sites::reserve(self.board, &netlist, &folder.join(RESERVED_NETLIST))?,
            ("route", Family::Xilinx) => hold_buffers::insert(&netlist, &folder.join(BUFFERED_NETLIST))?,
            ("pack", Family::Xilinx) => {
                let (features, frames) = (folder.join(XILINX_ROUTED), folder.join(XILINX_FRAMES));
                xray::write_frames(&self.board.device.part, &features, &frames)?;
            }
            _ => {}
        }
        let result = self.call(plan, observer).and_then(|()| {
            let took = Duration::from_secs_f64(start.elapsed().as_secs_f64());
            plan.stage.finish(folder, took)?;
            observer.end(name, took, false);
            Ok(StageTime { stage: name, seconds: took.as_secs_f64(), reused: false })
        });
        if result.is_err() {
            plan.stage.clear(folder)?;
        }
        result
    }

    fn call(&self, plan: &PlannedStage, observer: &mut dyn Observer) -> Result<(), BuildError> {
        let call = ToolCall {
            tool: plan.tool.name,
            program: &plan.tool.program,
            arguments: plan.arguments.iter().map(Into::into).collect(),
            folder: &self.folder.path,
            log: self.log(plan.stage.name),
            own_log: plan.own_log,
        };
        let ended = call.run(observer)?;
        let log = || fs::read(&call.log).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
        let succeeded = ended.status.success() || (plan.stage.name == "route" && only_missed_timing(&log()));
        if succeeded {
            return Ok(());
        }
        Err(call.failure(&ended))
    }

    fn log(&self, stage: &str) -> PathBuf {
        self.folder.logs.join(format!("{stage}.log"))
    }

    fn log_argument(&self, stage: &str) -> String {
        format!("logs/{stage}.log")
    }

    fn plan(
        &self,
        name: &'static str,
        tool: &Tool,
        outputs: Vec<&'static str>,
        after: InputHash,
        arguments: Vec<String>,
    ) -> PlannedStage {
        let inputs = after.add(&tool.version).add(self.tools.origin);
        let inputs = arguments.iter().fold(inputs, InputHash::add);
        let note = format!("{} ({})", tool.name, self.tools.origin);
        PlannedStage {
            stage: Stage { name, inputs, outputs },
            tool: tool.clone(),
            arguments,
            own_log: name != "pack",
            note,
        }
    }

    fn synthesis(&self, verilog: &str) -> PlannedStage {
        let script = tool_options::synthesis(self.board, &part(NETLIST));
        let log = self.log_argument("synthesis");
        let arguments = ["-q", "-L", &log, "-p", &script].map(String::from).to_vec();
        let after = InputHash::new().add(verilog).add(CARRY_CHAINS_TEXT);
        self.plan("synthesis", self.tools.of(&YOSYS), vec![NETLIST], after, arguments)
    }

    fn physical(&self, physical: &PhysicalTools, pass: Pass, after: InputHash) -> PlannedStage {
        let mut arguments = pass.arguments;
        arguments.extend(["-l".into(), self.log_argument(pass.stage)]);
        self.plan(pass.stage, self.tools.of(physical.place), pass.outputs, after, arguments)
    }

    fn pack(&self, packer: Packer, routed: &str, after: InputHash) -> PlannedStage {
        let files: Vec<String> = packer.packed.iter().map(|file| part(file)).collect();
        let arguments = tool_options::pack(self.board, routed, &files);
        self.plan("pack", self.tools.of(packer.tool), packer.packed.to_vec(), after, arguments)
    }
}

/// A stage with the call of its tool.
struct PlannedStage {
    stage: Stage,
    tool: Tool,
    arguments: Vec<String>,
    own_log: bool,
    note: String,
}
