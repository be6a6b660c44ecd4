//! Blocks that are written in the module around them: registers, memories and what is absent.
//!
//! RustHDL's widgets give their Verilog as text. A block is one of them if its ports and the whole text are the widget's; a
//! text that begins like a widget's and goes on differently is an error.

use super::modules::Module;
use crate::optional::ABSENT;
use rust_hdl::prelude::*;

/// A block that its parent writes in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// `DFF`: its initial value in hexadecimal digits.
    Register(String),
    /// `RAM`: wires of an address.
    Memory(usize),
    /// An absent `Optional`: all outputs are zero.
    Absent,
}

/// What a block without blocks inside is.
pub enum Recognized {
    Primitive(Primitive),
    Module,
}

/// Ports of a register.
const REGISTER: &[&str] = &["d", "q", "clock"];
/// The macro with which a memory gives something else where it is read and written in one clock, if it [`is_apart`].
pub const SPOIL: &str = "SPOIL_COLLISIONS";

/// Whether what a memory gives is not used where the row that is read is written in the same clock: its name begins with
/// `apart`. Synthesis then adds no logic for this case.
pub(super) fn is_apart(module: &Module) -> bool {
    module.instance.starts_with("apart")
}

/// Ports of a memory.
const MEMORY: &[&str] =
    &["read_address", "read_clock", "read_data", "write_address", "write_clock", "write_data", "write_enable"];

impl Primitive {
    /// What this block is.
    ///
    /// # Errors
    /// It is nearly a register or a memory, or a kind of block that has no Verilog.
    pub fn of(module: &Module) -> Result<Recognized, String> {
        let ports: Vec<&str> = module.signals.iter().map(|signal| &signal.name[..]).collect();
        let primitive = match &module.code {
            Verilog::Custom(code) => {
                let words: Vec<&str> = code.split_whitespace().collect();
                match &words[..] {
                    ["initial", "begin", "q", ..] => Primitive::Register(register(&words)?),
                    [first, second, ..] if first.starts_with("reg[") && second.starts_with("mem[") => {
                        Primitive::Memory(memory(module, &words)?)
                    }
                    _ => return Ok(Recognized::Module),
                }
            }
            Verilog::Wrapper(wrapper) if wrapper.code == ABSENT => Primitive::Absent,
            Verilog::Wrapper(_) | Verilog::Combinatorial(_) => return Ok(Recognized::Module),
            Verilog::Empty | Verilog::Blackbox(_) => return Err("a block without Verilog of its own".into()),
        };
        let expected = match primitive {
            Primitive::Register(_) => REGISTER,
            Primitive::Memory(_) => MEMORY,
            Primitive::Absent => return Ok(Recognized::Primitive(primitive)),
        };
        match ports == expected {
            true => Ok(Recognized::Primitive(primitive)),
            false => Err(format!("a register or memory with the ports {ports:?}")),
        }
    }
}

/// The initial value of a register.
fn register(words: &[&str]) -> Result<String, String> {
    let rest = "end always @(posedge clock) begin q <= d; end";
    match words {
        ["initial", "begin", "q", "=", value, end @ ..] if end.join(" ") == rest => {
            let digits = value.strip_suffix(';').and_then(|value| value.split_once("'h")).map(|parts| parts.1);
            digits.map(String::from).ok_or_else(|| format!("a register with the initial value {value}"))
        }
        _ => Err(format!("a register with the text `{}`", words.join(" "))),
    }
}

/// Wires of the address of a memory without initial contents.
fn memory(module: &Module, words: &[&str]) -> Result<usize, String> {
    let width = |name: &str| module.signals.iter().find(|signal| signal.name == name).map_or(0, |signal| signal.width);
    let (address, data) = (width("read_address"), width("read_data"));
    let expected = format!(
        "reg[{}:0] mem[{}:0]; always @(posedge read_clock) begin read_data <= mem[read_address]; end \
         always @(posedge write_clock) begin if (write_enable) begin mem[write_address] <= write_data; end end",
        data.max(1) - 1,
        (1usize << address) - 1
    );
    match words.join(" ") == expected {
        true => Ok(address),
        false => Err(format!("a memory with the text `{}`", words.join(" "))),
    }
}
