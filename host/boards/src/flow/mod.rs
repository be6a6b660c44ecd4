//! From a board's description to its bitstream: the gateware's Verilog, yosys, nextpnr and a packer.
//!
//! [`build`] runs the stages. A stage whose inputs have not changed since its last success is not run again. The tools are
//! native programs, or PyPI packages in a virtual environment of this program ([`ToolSource`]). The folder of a build has:
//!
//! | file | content |
//! |---|---|
//! | `top.v`, `<board>.lpf`, `.cst` or `.xdc` | the gateware and its pins |
//! | `synthesis.json`, `nextpnr.json` | the netlist; the report of nextpnr |
//! | `bitstream.bit` and `.svf`, or `.fs` | the bitstream; written only if every clock meets its constraint |
//! | `routed.fasm`, `routed.frames` | the routed design of a Xilinx board, and the frames of its configuration |
//! | `report.json` | a [`BuildReport`] |
//! | `logs/` | the log of each tool |

pub mod area;
mod build;
mod card;
mod error;
pub mod flash;
mod free_sites;
mod hold_buffers;
mod input_hash;
mod netlist;
mod netlist_edit;
mod nextpnr_report;
mod progress;
mod progress_line;
mod report;
mod resources;
mod revision;
mod stage;
pub mod summary;
mod tool_call;
mod tool_options;
mod tools;
mod venv;
mod version;
mod xray;

pub use build::{build, synthesize_chip, BuildJob, FinalStage, REPORT};
pub use card::{build_card, CardJob, CardReport};
pub use error::BuildError;
pub use nextpnr_report::{CriticalPath, PathStep, RoutedClock, Utilization};
pub use progress::{Observer, SilentObserver};
pub use report::{BuildReport, Check, Device, StageTime};
pub use resources::Area;
pub use revision::Revision;
pub use tool_options::commands;
pub use tools::ToolSource;
pub use version::Version;
