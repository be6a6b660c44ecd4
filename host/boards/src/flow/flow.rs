//! The stages of a board, one after the other.

use super::{
    family::{
        self, Pass, Physical, AREA_NETLIST, CARRY_CHAINS, CARRY_CHAINS_TEXT, NETLIST, REPORTED, SPREAD_NETLIST,
        VERILOG, YOSYS,
    },
    fingerprint::Fingerprint,
    netlist::Netlist,
    observer::Observer,
    placed::{only_missed_timing, Placed},
    process::Call,
    report::{BuildReport, Took},
    spread::{self, spread},
    stage::{self, part, Stage},
    tools::{Choice, Tool, Tools},
    BuildError,
};
use crate::board::Board;
use nix::fcntl::{Flock, FlockArg};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// `top.v` and the constraint file.
    Verilog,
    /// The netlist.
    Synthesis,
    /// The routed design.
    Route,
    /// The bitstream.
    Pack,
}

/// What to build.
pub struct BuildJob {
    /// For this board.
    pub board: Board,
    /// With this seed instead of the board's.
    pub seed: Option<u32>,
    /// Into this folder.
    pub out: PathBuf,
    /// Up to here.
    pub until: Until,
    /// With these tools.
    pub choice: Choice,
    /// With the virtual environment in this folder instead of the user's cache.
    pub venv: Option<PathBuf>,
}

/// Name of the report in the folder of a build.
pub const REPORT: &str = "report.json";

/// Builds. The report is also written as `report.json`. A broken budget or a missed clock is told in the report, not
/// as an error.
pub fn build(job: &BuildJob, observer: &mut dyn Observer) -> Result<BuildReport, BuildError> {
    let board = &job.board;
    let physical = match job.until > Until::Synthesis {
        true => Some(family::physical(board)?),
        false => None,
    };
    let folder = Folder::open(&job.out)?;
    let verilog = emitted(board, &folder, observer)?;
    let mut needs = Vec::new();
    if job.until > Until::Verilog {
        needs.push(&YOSYS);
    }
    if let Some(physical) = &physical {
        needs.push(physical.place);
        needs.extend((job.until == Until::Pack).then_some(physical.pack));
    }
    let tools = match needs.is_empty() {
        true => None,
        false => Some(Tools::choose(job.choice, &needs, job.venv.as_deref(), &folder.logs, observer)?),
    };
    let mut report = BuildReport::new(board, job.seed.unwrap_or(board.place.seed), folder.path.clone(), tools.as_ref());
    report.stages.push(verilog.took);
    if let Some(tools) = &tools {
        let run = Run { board, folder: &folder, tools, physical: physical.as_ref() };
        run.stages(job.until, &verilog.text, &mut report, observer)?;
    }
    let text = serde_json::to_string_pretty(&report).expect("a report is plain data");
    stage::write(&folder.path.join(REPORT), &(text + "\n"))?;
    Ok(report)
}

/// A netlist whose hierarchy was kept, for the area of its blocks.
pub struct Hierarchy {
    /// The netlist.
    pub netlist: Netlist,
    /// What yosys says of its version.
    pub yosys: String,
}

/// Synthesises without mixing the blocks; the result is kept like that of any stage.
pub fn hierarchy(job: &BuildJob, observer: &mut dyn Observer) -> Result<Hierarchy, BuildError> {
    let folder = Folder::open(&job.out)?;
    let verilog = emitted(&job.board, &folder, observer)?;
    let tools = Tools::choose(job.choice, &[&YOSYS], job.venv.as_deref(), &folder.logs, observer)?;
    let run = Run { board: &job.board, folder: &folder, tools: &tools, physical: None };
    let plan = run.synthesis(&verilog.text, "area", AREA_NETLIST);
    let finished = plan.stage.finished(&folder.path).is_some();
    if !finished {
        plan.stage.clear(&folder.path)?;
    }
    run.run(&plan, finished, observer)?;
    let netlist = run.understood(&plan, Netlist::read(&folder.path.join(AREA_NETLIST)))?;
    Ok(Hierarchy { netlist, yosys: tools.of(&YOSYS).version.clone() })
}

/// The folder of a build, held by one build at a time.
struct Folder {
    path: PathBuf,
    logs: PathBuf,
    _lock: Flock<fs::File>,
}

impl Folder {
    fn open(out: &Path) -> Result<Folder, BuildError> {
        fs::create_dir_all(out.join("logs")).map_err(BuildError::io("make", out))?;
        let path = out.canonicalize().map_err(BuildError::io("find", out))?;
        let lock = path.join(".lock");
        let file = fs::File::create(&lock).map_err(BuildError::io("write", &lock))?;
        let _lock = Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| BuildError::Io {
            action: "lock",
            path: lock,
            source: errno.into(),
            hint: "another build works in this folder: wait for it, or give `--out DIR`",
        })?;
        Ok(Folder { logs: path.join("logs"), path, _lock })
    }
}

struct Emitted {
    text: String,
    took: Took,
}

/// Writes `top.v` and the constraint file.
fn emitted(board: &Board, folder: &Folder, observer: &mut dyn Observer) -> Result<Emitted, BuildError> {
    observer.begin("verilog", &format!("emitting the gateware for {}", board.name));
    let start = Instant::now();
    let text = hayasashi_hdl::verilog::board(&board.config())
        .map_err(|e| BuildError::Gateware { board: board.stem.clone(), reason: e.to_string() })?;
    stage::write(&folder.path.join(VERILOG), &text)?;
    stage::write(&folder.path.join(CARRY_CHAINS), CARRY_CHAINS_TEXT)?;
    stage::write(&folder.path.join(&board.constraints.name), &board.constraints.text)?;
    observer.end("verilog", start.elapsed(), false);
    let took = Took { stage: "verilog", seconds: start.elapsed().as_secs_f64(), reused: false };
    Ok(Emitted { text, took })
}

/// A build with its tools.
struct Run<'a> {
    board: &'a Board,
    folder: &'a Folder,
    tools: &'a Tools,
    physical: Option<&'a Physical>,
}

impl Run<'_> {
    fn stages(
        &self,
        until: Until,
        verilog: &str,
        report: &mut BuildReport,
        observer: &mut dyn Observer,
    ) -> Result<(), BuildError> {
        let folder = &self.folder.path;
        let synthesis = self.synthesis(verilog, "synthesis", NETLIST);
        let mut planned = vec![synthesis];
        if let Some(physical) = self.physical {
            let after = planned[0].stage.inputs.clone();
            let mut after = after.add(&self.board.constraints.text).add(spread::inputs(self.board));
            for pass in family::passes(self.board, &self.board.constraints.name, report.seed)? {
                let plan = self.physical(physical, pass, after);
                after = plan.stage.inputs.clone();
                planned.push(plan);
            }
            if until == Until::Pack {
                planned.push(self.pack(physical, after));
            }
        }
        let first = planned.iter().position(|p| p.stage.finished(folder).is_none()).unwrap_or(planned.len());
        if first < planned.len() {
            // A report or a bitstream of an earlier build must not outlive what it was made of.
            self.clear(first, &planned)?;
        }
        for (i, plan) in planned.iter().enumerate() {
            let took = match self.run(plan, i < first, observer) {
                // That what is over the budget does not fit is no fault of the tool; the figures tell more.
                Err(error @ BuildError::Tool { .. }) if report.is_over_budget() => {
                    report.failure = Some(error.to_string());
                    return Ok(());
                }
                took => took?,
            };
            report.stages.push(took);
            match plan.stage.name {
                "synthesis" => {
                    let netlist = self.understood(plan, Netlist::read(&folder.join(NETLIST)))?;
                    report.synthesised(self.board, &netlist);
                }
                "place" => {}
                "route" => {
                    let placed = self.understood(plan, Placed::read(&folder.join(REPORTED)))?;
                    report.placed(self.board, &placed);
                    if !report.timing_met() {
                        report.failure = Some("a clock is not reached".into());
                        return Ok(());
                    }
                }
                _ => report.bitstream = plan.stage.outputs.first().map(|file| folder.join(file)),
            }
        }
        Ok(())
    }

    /// What a stage made, as read. What cannot be read is not kept for the next build.
    fn understood<T>(&self, plan: &Plan, read: Result<T, BuildError>) -> Result<T, BuildError> {
        if read.is_err() {
            plan.stage.clear(&self.folder.path)?;
        }
        read
    }

    fn clear(&self, first: usize, planned: &[Plan]) -> Result<(), BuildError> {
        let _ = fs::remove_file(self.folder.path.join(REPORT));
        planned[first..].iter().try_for_each(|plan| plan.stage.clear(&self.folder.path))?;
        // Stages that this build does not go to.
        for file in ["bitstream.bit", "bitstream.svf", "bitstream.fs", ".pack.stamp"] {
            let _ = fs::remove_file(self.folder.path.join(file));
        }
        Ok(())
    }

    fn run(&self, plan: &Plan, finished: bool, observer: &mut dyn Observer) -> Result<Took, BuildError> {
        let (folder, name) = (&self.folder.path, plan.stage.name);
        if let (true, Some(took)) = (finished, plan.stage.finished(folder)) {
            observer.end(name, took, true);
            return Ok(Took { stage: name, seconds: took.as_secs_f64(), reused: true });
        }
        observer.begin(name, &plan.note);
        let start = Instant::now();
        if name == "place" {
            spread(self.board, &folder.join(NETLIST), &folder.join(SPREAD_NETLIST))?;
        }
        let result = self.call(plan, observer).and_then(|()| {
            let took = Duration::from_secs_f64(start.elapsed().as_secs_f64());
            plan.stage.finish(folder, took)?;
            observer.end(name, took, false);
            Ok(Took { stage: name, seconds: took.as_secs_f64(), reused: false })
        });
        if result.is_err() {
            plan.stage.clear(folder)?;
        }
        result
    }

    fn call(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<(), BuildError> {
        let call = Call {
            tool: plan.tool.name,
            program: &plan.tool.program,
            arguments: plan.arguments.iter().map(Into::into).collect(),
            folder: &self.folder.path,
            log: self.log(plan.stage.name),
            own_log: plan.own_log,
        };
        let ended = call.run(observer)?;
        let log = || fs::read(&call.log).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
        let well = ended.status.success() || (plan.stage.name == "route" && only_missed_timing(&log()));
        if well {
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
        after: Fingerprint,
        arguments: Vec<String>,
    ) -> Plan {
        let inputs = after.add(&tool.version).add(self.tools.origin);
        let inputs = arguments.iter().fold(inputs, |f, argument| f.add(argument));
        let note = format!("{} ({})", tool.name, self.tools.origin);
        Plan { stage: Stage { name, inputs, outputs }, tool: tool.clone(), arguments, own_log: name != "pack", note }
    }

    fn synthesis(&self, verilog: &str, name: &'static str, netlist: &'static str) -> Plan {
        let script = family::synthesis(self.board, &part(netlist), netlist == AREA_NETLIST);
        let log = self.log_argument(name);
        let arguments = ["-q", "-L", &log, "-p", &script].map(String::from).to_vec();
        let after = Fingerprint::new().add(verilog).add(CARRY_CHAINS_TEXT);
        self.plan(name, self.tools.of(&YOSYS), vec![netlist], after, arguments)
    }

    fn physical(&self, physical: &Physical, pass: Pass, after: Fingerprint) -> Plan {
        let mut arguments = pass.arguments;
        arguments.extend(["-l".into(), self.log_argument(pass.stage)]);
        self.plan(pass.stage, self.tools.of(physical.place), pass.outputs, after, arguments)
    }

    fn pack(&self, physical: &Physical, after: Fingerprint) -> Plan {
        let files: Vec<String> = physical.packed.iter().map(|file| part(file)).collect();
        let arguments = family::pack(self.board, physical.routed, &files);
        self.plan("pack", self.tools.of(physical.pack), physical.packed.to_vec(), after, arguments)
    }
}

/// A stage and how it is run.
struct Plan {
    stage: Stage,
    tool: Tool,
    arguments: Vec<String>,
    own_log: bool,
    note: String,
}
