//! The body of a module with a kernel: declarations, blocks inside, registers, assignments.

use super::drivers::Drivers;
use super::expression::Expression;
use super::kernel;
use super::modules::{Module, Signal};
use super::ports::{inner, names, needed, passed, runs, unused};
use super::primitive::{is_apart, Primitive, SPOIL};
use super::text::{block, range, wrapped};
use rust_hdl::core::ast::VerilogBlock;
use rust_hdl::core::atom::AtomKind;
use std::collections::{BTreeMap, BTreeSet};

/// A module's body before it is text.
pub struct Body<'a> {
    module: &'a Module,
    drivers: Drivers,
    /// Names in Verilog of signals that have others in RustHDL: a register's input and output.
    names: BTreeMap<String, String>,
    /// Signals that are assigned in blocks.
    pub assigned: BTreeSet<String>,
    /// Outputs of blocks inside that are outputs of the module.
    passed: BTreeMap<String, String>,
    /// What is read of each signal, wire by wire.
    read: BTreeMap<String, BTreeSet<usize>>,
}

impl<'a> Body<'a> {
    /// The body of a module with this kernel.
    ///
    /// # Errors
    /// Something in it cannot be written.
    pub fn of(module: &'a Module, code: &VerilogBlock) -> Result<Body<'a>, String> {
        let grows = |name: &str| module.signals.iter().any(|signal| signal.name == name);
        let mut drivers = Drivers::of(kernel::read(module, code)?, &grows)?;
        let needed: BTreeSet<String> = needed(module).collect();
        drivers.keep(|name| needed.contains(name));
        let mut read: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        drivers.reads(&mut |name, low, width| {
            read.entry(name.into()).or_default().extend(low..low + width);
            *times.entry(name.into()).or_default() += 1;
        });
        let assigned = drivers.in_blocks();
        if let Some(name) = needed.iter().find(|&name| !drivers.own.contains_key(name) && !assigned.contains(name)) {
            return Err(format!("`{name}` has no driver"));
        }
        let passed = passed(module, &drivers, &times);
        passed.values().for_each(|output| {
            drivers.own.remove(output);
        });
        Ok(Body { module, drivers, names: names(module), assigned, passed, read })
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut sections = vec![self.constants(), self.declarations()];
        sections.extend(self.modules().map(|child| self.instance(child)));
        sections.push(self.assignments());
        for statements in &self.drivers.blocks {
            let inner = block(statements, &|name| self.name(name), 1);
            sections.push(format!("always @* begin\n{inner}end\n"));
        }
        sections.push(self.module.children.iter().map(|child| self.in_place(child)).collect());
        sections.push(self.unused());
        sections.retain(|section| !section.is_empty());
        sections.join("\n")
    }

    fn name(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| name.into())
    }

    fn value(&self, expression: &Expression) -> String {
        expression.renamed(&|name| self.name(name)).text()
    }

    /// Blocks inside that are modules.
    fn modules(&self) -> impl Iterator<Item = &'a Module> {
        self.module.children.iter().filter(|child| child.primitive.is_none())
    }

    /// Whether the driver of an input of a block inside is written where the input is used.
    fn is_direct(&self, child: &Module, input: &str) -> bool {
        let name = inner(child, input);
        let is_register = matches!(child.primitive, Some(Primitive::Register(_)));
        let is_short = |value: &Expression| !matches!(value, Expression::Binary(..) | Expression::Unary(..));
        let is_direct = |value: &Expression| match value {
            Expression::Extended(a, _) => is_short(a),
            value => is_register || is_short(value),
        };
        !self.read.contains_key(&name) && self.drivers.own.get(&name).is_some_and(is_direct)
    }

    /// What is written for an input of a block inside.
    fn pin(&self, child: &Module, input: &str) -> String {
        let name = inner(child, input);
        match self.drivers.own.get(&name) {
            Some(value) if self.is_direct(child, input) => self.value(value),
            _ => self.name(&name),
        }
    }

    /// The constants and states that are read.
    fn constants(&self) -> String {
        let line = |name: &str, width: usize, digits: &str| {
            format!("localparam {}{name} = {width}'h{digits};\n", range(width))
        };
        let signals = self.module.signals.iter().filter(|s| s.kind == AtomKind::Constant);
        let constants = signals.filter(|s| self.read.contains_key(&s.name));
        let states = self.module.states.iter().filter(|(name, _)| self.read.contains_key(*name));
        constants
            .map(|s| line(&s.name, s.width, &s.digits))
            .chain(states.map(|(name, (width, value))| line(name, *width, &format!("{value:x}"))))
            .collect()
    }

    fn declarations(&self) -> String {
        let mut out = String::new();
        for signal in self.module.signals.iter().filter(|s| s.kind == AtomKind::LocalSignal) {
            if self.assigned.contains(&signal.name) || self.drivers.own.contains_key(&signal.name) {
                out += &self.declaration(&signal.name, signal.width, "");
            }
        }
        for child in &self.module.children {
            for port in child.signals.iter().filter(|signal| signal.is_port()) {
                out += &self.port_inside(child, port);
            }
            if let Some(Primitive::Memory(address)) = child.primitive {
                let data = child.signals.iter().find(|s| s.name == "read_data").map_or(1, |s| s.width);
                let attribute = if is_apart(child) { "(* no_rw_check *) " } else { "" };
                let last = (1usize << address) - 1;
                out += &format!("{attribute}reg {}{} [0:{last}];\n", range(data), child.instance);
            }
        }
        out
    }

    fn declaration(&self, name: &str, width: usize, value: &str) -> String {
        let kind = if self.assigned.contains(name) { "reg" } else { "wire" };
        format!("{kind} {}{}{value};\n", range(width), self.name(name))
    }

    /// The declaration of a signal for a port of a block inside, if it has one.
    fn port_inside(&self, child: &Module, port: &Signal) -> String {
        let name = inner(child, &port.name);
        match (&child.primitive, port.is_input()) {
            (Some(Primitive::Absent), false) if self.read.contains_key(&name) => {
                self.declaration(&name, port.width, &format!(" = {}'h0", port.width))
            }
            (Some(Primitive::Absent), false) => String::new(),
            (Some(Primitive::Absent), true) if !self.read.contains_key(&name) => String::new(),
            (Some(_), false) => format!("reg {}{};\n", range(port.width), self.name(&name)),
            (_, true) if self.is_direct(child, &port.name) => String::new(),
            (None, false) if self.passed.contains_key(&name) => String::new(),
            _ => self.declaration(&name, port.width, ""),
        }
    }

    fn instance(&self, child: &Module) -> String {
        let pins = child.signals.iter().filter(|signal| signal.is_port()).map(|port| {
            let name = inner(child, &port.name);
            let pin = match (port.is_input(), self.passed.get(&name)) {
                (true, _) => self.pin(child, &port.name),
                (false, Some(output)) => output.clone(),
                (false, None) => name,
            };
            format!(".{}({pin})", port.name)
        });
        let pins: Vec<String> = pins.collect();
        format!("{} {} (\n    {}\n);\n", child.path, child.instance, pins.join(",\n    "))
    }

    fn assignments(&self) -> String {
        let direct: BTreeSet<String> = (self.module.children.iter())
            .flat_map(|child| child.signals.iter().map(move |port| (child, port)))
            .filter(|(child, port)| self.is_direct(child, &port.name))
            .map(|(child, port)| inner(child, &port.name))
            .collect();
        let own = self.drivers.own.iter().filter(|(target, _)| !direct.contains(*target));
        own.map(|(target, value)| wrapped(&format!("assign {} = {};", self.name(target), self.value(value)))).collect()
    }

    /// A register or a memory.
    fn in_place(&self, child: &Module) -> String {
        let pin = |input: &str| self.pin(child, input);
        match &child.primitive {
            Some(Primitive::Register(digits)) => {
                let (q, width) = (self.name(&inner(child, "q")), child.signals[0].width);
                let clocked = wrapped(&format!("always @(posedge {}) {q} <= {};", pin("clock"), pin("d")));
                format!("initial {q} = {width}'h{digits};\n{clocked}")
            }
            Some(Primitive::Memory(_)) => {
                let (memory, data) = (&child.instance, self.name(&inner(child, "read_data")));
                let (from, to, enable) = (pin("read_address"), pin("write_address"), pin("write_enable"));
                let read =
                    |value: String| wrapped(&format!("always @(posedge {}) {data} <= {value};", pin("read_clock")));
                let mut reads = read(format!("{memory}[{from}]"));
                if is_apart(child) {
                    let spoilt = read(format!("{enable} && {from} == {to} ? ~{memory}[{from}] : {memory}[{from}]"));
                    reads = format!("`ifdef {SPOIL}\n{spoilt}`else\n{reads}`endif\n");
                }
                let clock = pin("write_clock");
                let write = format!("{memory}[{to}] <= {};", pin("write_data"));
                reads + &wrapped(&format!("always @(posedge {clock}) if ({enable}) {write}"))
            }
            Some(Primitive::Absent) | None => String::new(),
        }
    }

    /// A wire that names what nothing reads.
    fn unused(&self) -> String {
        let own = self
            .module
            .signals
            .iter()
            .filter(|s| s.is_input() || (s.kind == AtomKind::LocalSignal && self.read.contains_key(&s.name)));
        let inside = (self.module.children.iter())
            .flat_map(|child| child.signals.iter().filter(|s| s.is_port()).map(move |port| (child, port)));
        let outputs = inside.filter(|(child, port)| {
            let name = inner(child, &port.name);
            let is_read = child.primitive != Some(Primitive::Absent) || self.read.contains_key(&name);
            !port.is_input() && !self.passed.contains_key(&name) && is_read
        });
        let signals = own
            .map(|signal| (signal.name.clone(), signal.width))
            .chain(outputs.map(|(child, port)| (inner(child, &port.name), port.width)));
        let none = BTreeSet::new();
        let unread = signals.flat_map(|(name, width)| {
            let read = self.read.get(&name).unwrap_or(&none);
            runs((0..width).filter(|wire| !read.contains(wire)))
                .into_iter()
                .map(move |(low, wires)| Expression::Signal { name: name.clone(), of: width, low, width: wires })
        });
        unused(&unread.map(|signal| self.value(&signal)).collect::<Vec<_>>())
    }
}
