//! The tables of `PROTOCOL.md`, generated so that they cannot drift from the code.

use crate::{opcode::*, position::Fault, registers::Register, search::Technique};
use std::fmt::Write;

/// A named table in Markdown.
pub fn tables() -> Vec<(&'static str, String)> {
    let mut opcodes = String::from("| code | request | what it does |\n|---|---|---|\n");
    for o in Opcode::ALL {
        writeln!(opcodes, "| 0x{:02X} | `{}` | {} |", *o as u8, o.name(), o.text().trim()).unwrap();
    }
    let mut statuses = String::from("| code | status | meaning |\n|---|---|---|\n");
    for s in Status::ALL {
        writeln!(statuses, "| 0x{:02X} | `{}` | {} |", *s as u8, s.name(), s.text().trim()).unwrap();
    }
    let mut registers = String::from("| index | register | meaning |\n|---|---|---|\n");
    for r in Register::ALL {
        writeln!(registers, "| {} | `{}` | {} |", *r as usize, r.name(), r.text().trim()).unwrap();
    }
    let mut faults = String::from("| bit | meaning |\n|---|---|\n");
    for f in Fault::ALL {
        writeln!(faults, "| {} | {} |", (f as u8).trailing_zeros(), f.text()).unwrap();
    }
    let mut techniques = String::from("| bit | technique | what it does |\n|---|---|---|\n");
    for (bit, t) in Technique::ALL.iter().enumerate() {
        writeln!(techniques, "| {bit} | `{}` | {} |", t.name(), t.text().trim()).unwrap();
    }
    vec![
        ("opcodes", opcodes),
        ("statuses", statuses),
        ("registers", registers),
        ("faults", faults),
        ("techniques", techniques),
    ]
}
