//! The text of modules.

use super::body::Body;
use super::expression::Expression;
use super::kernel::Statement;
use super::modules::{Module, Signal};
use crate::network::emit::ASSIGN;
use rust_hdl::core::atom::AtomKind;
use rust_hdl::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Columns of a line, about.
const COLUMNS: usize = 118;

/// A module and those inside it.
///
/// # Errors
/// Something that cannot be written, with the path of its module.
pub fn design(module: &Module) -> Result<String, String> {
    let mut text = one(module).map_err(|error| format!("{}: {error}", module.path))?;
    for child in module.children.iter().filter(|child| child.primitive.is_none()) {
        text += "\n";
        text += &design(child)?;
    }
    Ok(text)
}

fn one(module: &Module) -> Result<String, String> {
    let locals = module.signals.iter().any(|signal| signal.kind == AtomKind::LocalSignal);
    let (body, registers) = match &module.code {
        Verilog::Combinatorial(code) => {
            let body = Body::of(module, code)?;
            (body.text(), body.assigned)
        }
        Verilog::Custom(_) if locals || !module.children.is_empty() => {
            return Err("a block with Verilog of its own and with signals or blocks inside".into())
        }
        Verilog::Custom(code) => {
            let is_wire = |name: &str| code.lines().any(|line| line.starts_with(&format!("{ASSIGN}{name} =")));
            let names = module.signals.iter().map(|signal| signal.name.clone());
            (code.clone(), names.filter(|name| !is_wire(name)).collect())
        }
        Verilog::Wrapper(wrapper) if wrapper.cores.is_empty() => (wrapper.code.clone(), BTreeSet::new()),
        _ => return Err("this kind of block is not supported".into()),
    };
    let ports: Vec<String> =
        module.signals.iter().filter(|signal| signal.is_port()).map(|signal| port(signal, &registers)).collect();
    let mut text = format!("module {}(\n    {}\n);\n", module.path, ports.join(",\n    "));
    for line in body.lines() {
        let indent = if line.is_empty() { "" } else { "    " };
        writeln!(text, "{indent}{}", line.trim_end()).expect("writing to a string");
    }
    Ok(text + "endmodule\n")
}

fn port(signal: &Signal, registers: &BTreeSet<String>) -> String {
    let direction = match (signal.is_input(), registers.contains(&signal.name)) {
        (true, _) => "input wire",
        (false, true) => "output reg",
        (false, false) => "output wire",
    };
    format!("{direction} {}{}", range(signal.width), signal.name)
}

/// The range in a declaration.
pub fn range(width: usize) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}

/// A block of statements; `rename` gives the names of signals in Verilog.
pub fn block(statements: &[Statement], rename: &dyn Fn(&str) -> String, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let value = |expression: &Expression| expression.renamed(rename).text();
    let mut out = String::new();
    for statement in statements {
        match statement {
            Statement::Assign(target, new) => out += &wrapped(&format!("{indent}{} = {};", rename(target), value(new))),
            Statement::If(test, then, otherwise) => {
                out += &format!("{indent}if ({}) begin\n{}", value(test), block(then, rename, depth + 1));
                out += &alternatives(otherwise, rename, depth);
            }
            Statement::Case(test, arms) => {
                writeln!(out, "{indent}case ({})", value(test)).expect("writing to a string");
                for (label, statements) in arms {
                    let label = label.as_ref().map_or("default".into(), value);
                    let inner = block(statements, rename, depth + 2);
                    out += &format!("{indent}    {label}: begin\n{inner}{indent}    end\n");
                }
                let labels = arms.iter().filter(|arm| arm.0.is_some()).count();
                if labels == arms.len() && labels < 1 << test.width() {
                    writeln!(out, "{indent}    default: begin end").expect("writing to a string");
                }
                writeln!(out, "{indent}endcase").expect("writing to a string");
            }
        }
    }
    out
}

/// What follows the statements of an `if`.
fn alternatives(otherwise: &[Statement], rename: &dyn Fn(&str) -> String, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    match otherwise {
        [] => format!("{indent}end\n"),
        [Statement::If(test, then, otherwise)] => format!(
            "{indent}end else if ({}) begin\n{}{}",
            test.renamed(rename).text(),
            block(then, rename, depth + 1),
            alternatives(otherwise, rename, depth)
        ),
        all => format!("{indent}end else begin\n{}{indent}end\n", block(all, rename, depth + 1)),
    }
}

/// A line of text, broken at spaces; what follows is indented further.
pub fn wrapped(line: &str) -> String {
    let start = line.len() - line.trim_start().len();
    let (mut out, mut column) = (" ".repeat(start), start);
    for (i, word) in line.trim_start().split(' ').enumerate() {
        if i > 0 && column + 1 + word.len() > COLUMNS {
            out += &format!("\n{}", " ".repeat(start + 4));
            column = start + 4;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += word.len();
    }
    out + "\n"
}
