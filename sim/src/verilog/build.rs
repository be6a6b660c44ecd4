//! Compiles the chip's Verilog with Verilator, once for each version of its sources and tools.

use hayasashi_hdl::{
    config::ChipConfig,
    top::{axi_stream::AxiStream64, word_chip::WordChip},
    verilog,
};
use hayasashi_spec::word_frame::{Framing, PACKET_WORDS};
use std::{
    env,
    ffi::OsStr,
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    time::Duration,
};
use thiserror::Error;

/// The main program, which runs the chip by commands.
const BENCH: &str = include_str!("bench.cpp");
/// Flags of Verilator. The output is split so that files compile in parallel.
const VERILATOR_FLAGS: &[&str] = &[
    "--cc",
    "--exe",
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
    "--noassert",
    "--output-split",
    "20000",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--top-module",
    "top",
    "--Mdir",
    "obj",
    "top.v",
    "bench.cpp",
];
/// Defined for Verilator, so that it passes over networks whose inputs have not changed, and that memories give something else
/// where nobody may look.
const SKIP_FLAG: &[&str] = &["-DSKIP_SETTLED", "-DSPOIL_COLLISIONS"];
/// Flags of the compiler: code that runs once is not optimised.
const MAKE_FLAGS: &[&str] = &["OPT_FAST=-O2", "OPT_SLOW=-O0"];
/// The same for a netlist. Its code is large and of simple statements: optimised, it compiles six times as long.
const NETLIST_MAKE_FLAGS: &[&str] = &["OPT_FAST=-O0", "OPT_SLOW=-O0"];
/// Age at which the files of interrupted builds are removed.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// Why the emitted Verilog cannot be run.
#[derive(Debug, Error)]
pub enum VerilogError {
    /// No folder for the builds.
    #[error("there is no folder for the compiled Verilog; hint: set `HAYASASHI_CACHE` to one that you may write to")]
    NoCache,
    /// The cache cannot be written.
    #[error("cannot build in `{folder}`: {error}; hint: set `HAYASASHI_CACHE` to a folder that you may write to")]
    Folder {
        /// The folder of the cache.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A program cannot be run.
    #[error("cannot run `{tool}`: {error}; hint: `apt install verilator g++ make`")]
    Tool {
        /// Its name.
        tool: &'static str,
        /// Why.
        error: io::Error,
    },
    /// A program failed.
    #[error("`{tool}` failed: {message}; hint: see `{log}`; if tools are missing, `apt install verilator g++ make`")]
    Failed {
        /// Its name.
        tool: &'static str,
        /// The first line with an error.
        message: String,
        /// What it printed.
        log: PathBuf,
    },
    /// The compiled chip does not start.
    #[error("cannot start `{program}`: {error}; hint: remove it, and it is built again")]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Folder of the compiled chips: `HAYASASHI_CACHE`, else `hayasashi` in `XDG_CACHE_HOME`, in `~/.cache`, or in
/// `LOCALAPPDATA` on Windows.
pub fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("HAYASASHI_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").filter(|path| path.is_absolute()).map(|path| path.join("hayasashi")))
        .or_else(|| named("HOME").map(|home| home.join(".cache/hayasashi")))
        .or_else(|| named("LOCALAPPDATA").map(|local| local.join("hayasashi")))
}

/// Progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Verilator translates the Verilog to C++.
    Verilator,
    /// The compiler has begun a file.
    File {
        /// Its number, from 1.
        number: usize,
        /// Number of files.
        files: usize,
    },
    /// The build is complete.
    Done,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "compiling the emitted Verilog (once for this gateware, about a minute)")?;
        match self {
            Progress::Verilator => write!(f, ": Verilator"),
            Progress::File { number, files } => write!(f, ": file {number} of {files}"),
            Progress::Done => write!(f, ": done"),
        }
    }
}

/// A chip to compile, and how.
pub struct Build {
    verilog: String,
    framing: Framing,
    /// What the main program has to know of the port.
    port: String,
    skip_flag: &'static [&'static str],
    make_flags: &'static [&'static str],
    cache: Option<PathBuf>,
    tell: Box<dyn Fn(Progress) + Send>,
}

impl Build {
    /// The chip behind its byte port as it is synthesised. Networks whose inputs have not changed are passed over.
    pub fn chip(chip: &ChipConfig) -> Build {
        Build { skip_flag: SKIP_FLAG, ..Build::of(verilog::chip(chip)) }
    }

    /// The same behind its word port.
    pub fn word_chip(chip: &ChipConfig) -> Build {
        let verilog = verilog::of(WordChip::new(chip));
        Build { framing: Framing::Words, port: plain_port(Framing::Words), skip_flag: SKIP_FLAG, ..Build::of(verilog) }
    }

    /// The same behind AXI-Stream of 64 bits, with its answers in packets.
    pub fn packet_chip(chip: &ChipConfig) -> Build {
        let verilog = verilog::of(AxiStream64::new(chip));
        Build { framing: Framing::Words, port: packet_port(), skip_flag: SKIP_FLAG, ..Build::of(verilog) }
    }

    /// With every network in every clock, as in the chip.
    pub fn without_skipping(self) -> Build {
        Build { skip_flag: &[], ..self }
    }

    /// A netlist whose module `top` has the ports of [`verilog::chip`], with models of its cells.
    pub fn netlist(verilog: String) -> Build {
        Build { make_flags: NETLIST_MAKE_FLAGS, ..Build::of(verilog) }
    }

    fn of(verilog: String) -> Build {
        Build {
            verilog,
            framing: Framing::Slip,
            port: plain_port(Framing::Slip),
            skip_flag: &[],
            make_flags: MAKE_FLAGS,
            cache: cache_folder(),
            tell: Box::new(|_| ()),
        }
    }

    /// The frames of the chip's port.
    pub(super) fn framing(&self) -> Framing {
        self.framing
    }

    /// The main program for the chip's port.
    fn bench(&self) -> String {
        format!("#define UNIT_BYTES {}\n{}{BENCH}", self.framing.unit_bytes(), self.port)
    }

    /// Builds in this folder instead of [`cache_folder`].
    pub fn cache(self, folder: impl Into<PathBuf>) -> Build {
        Build { cache: Some(folder.into()), ..self }
    }

    /// Calls this function with the progress of the build.
    pub fn tell(self, tell: impl Fn(Progress) + Send + 'static) -> Build {
        Build { tell: Box::new(tell), ..self }
    }

    /// The compiled chip; builds it if it is not in the cache. Several processes may build at the same time: each builds in
    /// its own folder and renames it when the build is complete.
    ///
    /// # Errors
    /// A missing or failing tool, or a folder that cannot be written.
    pub fn program(&self) -> Result<PathBuf, VerilogError> {
        let cache = self.cache.as_ref().ok_or(VerilogError::NoCache)?;
        let key = self.key()?;
        let done = cache.join(format!("verilog-{key:016x}"));
        let program = done.join("chip");
        // Threads of one process wait for each other instead of compiling the same.
        static BUILDING: Mutex<()> = Mutex::new(());
        let _building = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if program.is_file() {
            return Ok(program);
        }
        let failed = |error| VerilogError::Folder { folder: cache.clone(), error };
        fs::create_dir_all(cache).map_err(failed)?;
        remove_stale(cache);
        let work = cache.join(format!("building-{key:016x}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work).map_err(failed)?;
        self.compile(&work)?;
        fs::rename(work.join("obj/Vtop"), work.join("chip")).map_err(failed)?;
        fs::remove_dir_all(work.join("obj")).map_err(failed)?;
        if !program.is_file() {
            // Somebody removed the program, but not its folder.
            let _ = fs::remove_dir_all(&done);
        }
        let renamed = fs::rename(&work, &done);
        // Where another process was faster, its result is as good.
        if !program.is_file() {
            renamed.map_err(failed)?;
        }
        let _ = fs::remove_dir_all(&work);
        Ok(program)
    }

    /// The same, built again even if it is in the cache.
    ///
    /// # Errors
    /// As [`Build::program`].
    pub fn program_again(&self) -> Result<PathBuf, VerilogError> {
        let damaged = self.program()?;
        let failed = |error| VerilogError::Folder { folder: damaged.clone(), error };
        fs::remove_file(&damaged).map_err(failed)?;
        self.program()
    }

    /// FNV-1a (Fowler, Noll, Vo, 1991) of all inputs of the build.
    fn key(&self) -> Result<u64, VerilogError> {
        let mut hash = 0xCBF2_9CE4_8422_2325u64;
        let mut add = |part: &[u8]| {
            for &byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
                hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
            }
        };
        for tool in ["verilator", "g++", "make"] {
            let version = Command::new(tool).arg("--version").output();
            add(&version.map_err(|error| VerilogError::Tool { tool, error })?.stdout);
        }
        for flag in VERILATOR_FLAGS.iter().chain(self.skip_flag).chain(self.make_flags) {
            add(flag.as_bytes());
        }
        add(self.bench().as_bytes());
        add(self.verilog.as_bytes());
        Ok(hash)
    }

    fn compile(&self, work: &Path) -> Result<(), VerilogError> {
        let failed = |error| VerilogError::Folder { folder: work.to_path_buf(), error };
        fs::write(work.join("top.v"), &self.verilog).map_err(failed)?;
        fs::write(work.join("bench.cpp"), self.bench()).map_err(failed)?;
        (self.tell)(Progress::Verilator);
        self.run(work, "verilator", &[VERILATOR_FLAGS, self.skip_flag].concat(), &mut |_| ())?;

        let sources = fs::read_dir(work.join("obj")).map_err(failed)?.flatten();
        // The bench and two files of Verilator's own come to what was made.
        let files = 3 + sources.filter(|f| f.path().extension() == Some(OsStr::new("cpp"))).count();
        let jobs = format!("-j{}", std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
        let arguments = [&["-C", "obj", "-f", "Vtop.mk", &jobs, "Vtop"], self.make_flags].concat();
        let mut number = 0;
        self.run(work, "make", &arguments, &mut |line| {
            if line.contains(" -c ") {
                number += 1;
                (self.tell)(Progress::File { number, files });
            }
        })?;
        (self.tell)(Progress::Done);
        Ok(())
    }

    /// Runs a program in the folder. Its output goes to the log and, line by line, to `look`.
    fn run(
        &self,
        work: &Path,
        tool: &'static str,
        arguments: &[&str],
        look: &mut dyn FnMut(&str),
    ) -> Result<(), VerilogError> {
        let path = work.join("build.log");
        let failed = |error| VerilogError::Folder { folder: work.to_path_buf(), error };
        let mut log = File::options().create(true).append(true).open(&path).map_err(failed)?;
        let mut child = Command::new(tool)
            .args(arguments)
            .current_dir(work)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.try_clone().map_err(failed)?)
            .spawn()
            .map_err(|error| VerilogError::Tool { tool, error })?;
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).split(b'\n');
        for line in lines.map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            writeln!(log, "{line}").map_err(failed)?;
            look(&line);
        }
        let status = child.wait().map_err(|error| VerilogError::Tool { tool, error })?;
        if status.success() {
            return Ok(());
        }
        let text = fs::read(&path).map_or(String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
        let is_error = |line: &&str| line.to_lowercase().contains("error") || line.contains("not found");
        let message = text.lines().find(is_error).map_or_else(|| status.to_string(), |line| line.trim().to_string());
        Err(VerilogError::Failed { tool, message, log: path })
    }
}

/// The names of a port's signals, for the main program.
fn names(clock: &str, of: impl Fn(&str) -> String) -> String {
    let signals = ["rx_valid", "rx_data", "rx_ready", "tx_valid", "tx_data", "tx_ready"];
    let define = |signal: &&str| format!("#define {} {}\n", signal.to_uppercase(), of(signal));
    format!("#define CLOCK {clock}\n") + &signals.iter().map(define).collect::<String>()
}

/// The chip's own port.
fn plain_port(framing: Framing) -> String {
    // Verilator writes a `$` in a name as its code.
    let names = names("clock", |signal| format!("{}__024{signal}", framing.port()));
    names + "#define SET_RESET(on) chip.reset = on\n#define SET_UP\n"
}

/// AXI-Stream.
fn packet_port() -> String {
    let names = names("aclk", |signal| signal.replace("rx_", "s_axis_t").replace("tx_", "m_axis_t"));
    format!("{names}#define SET_RESET(on) chip.aresetn = !(on)\n#define SET_UP chip.packet_words = {PACKET_WORDS}\n")
}

fn remove_stale(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let is_build = entry.file_name().to_string_lossy().starts_with("building-");
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
        if is_build && age.is_some_and(|age| age > STALE) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
