//! From a board's description to its bitstream: the gateware's Verilog, yosys, nextpnr and a packer.
//!
//! [`build`] runs the stages; one whose inputs have not changed since it last ended well is not run again. Tools are
//! native, or PyPI's in a virtual environment of this program's own ([`Choice`]). A build's folder holds:
//!
//! | file | what |
//! |---|---|
//! | `top.v`, `<board>.lpf` or `.cst` | the gateware and its pins |
//! | `synthesis.json`, `nextpnr.json` | netlist; what nextpnr reports |
//! | `bitstream.bit` and `.svf`, or `.fs` | the bitstream; only there if every clock was reached |
//! | `report.json` | a [`BuildReport`] |
//! | `logs/` | the log of each tool |

pub mod area;
mod count;
mod error;
mod family;
mod fingerprint;
pub mod flash;
mod flow;
mod live;
mod netlist;
mod observer;
mod placed;
mod process;
mod report;
mod revision;
mod spread;
mod stage;
pub mod summary;
mod tools;
mod venv;
mod version;

pub use count::Area;
pub use error::BuildError;
pub use flow::{build, BuildJob, Until, REPORT};
pub use observer::{Nobody, Observer};
pub use placed::{CriticalPath, RoutedClock, Step, Used};
pub use report::{BuildReport, Check, Device, Took};
pub use revision::Revision;
pub use tools::Choice;
pub use version::Version;
