//! Kernels as statements whose names are resolved, whose loops are unrolled and whose widths are known.

use super::expression::Expression;
use super::modules::{Meaning, Module};
use rust_hdl::core::ast::*;
use std::collections::{BTreeMap, HashMap};

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    Assign(String, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// The cases' labels: numbers and states, or nothing for the default.
    Case(Expression, Vec<(Option<Expression>, Vec<Statement>)>),
}

/// What a kernel says.
pub struct Kernel {
    pub statements: Vec<Statement>,
    /// A signal and what drives it: links of bundles, structures assigned field by field.
    pub links: Vec<(String, Expression)>,
}

/// The kernel of a module.
///
/// # Errors
/// Something in it that cannot be written as Verilog of exact widths.
pub fn read(module: &Module, code: &VerilogBlock) -> Result<Kernel, String> {
    let mut reader = Reader { names: module.meanings(), ..Reader::default() };
    let statements = reader.block(code)?;
    let mut links = reader.links;
    for (target, fields) in reader.fields {
        links.push((target.clone(), joined(&fields, &reader.names, &target)?));
    }
    Ok(Kernel { statements, links })
}

/// A structure from its fields and their places; each is assigned once, and all are.
fn joined(
    fields: &BTreeMap<usize, Expression>,
    names: &HashMap<String, Meaning>,
    target: &str,
) -> Result<Expression, String> {
    let mut at = 0;
    for (low, field) in fields {
        if *low != at {
            return Err(format!("the fields of `{target}` leave a gap or overlap"));
        }
        at += field.width();
    }
    match names.get(target) {
        Some(Meaning::Signal(width)) if *width == at => Ok(Expression::Joined(fields.values().cloned().collect())),
        _ => Err(format!("not all fields of `{target}` are assigned")),
    }
}

/// Reads the kernel of one module.
#[derive(Default)]
pub(super) struct Reader {
    names: HashMap<String, Meaning>,
    loops: Vec<(String, usize)>,
    /// How many conditions a statement is under.
    conditions: usize,
    links: Vec<(String, Expression)>,
    /// Structures that are assigned field by field: the fields by the place of their first wires.
    fields: BTreeMap<String, BTreeMap<usize, Expression>>,
}

impl Reader {
    fn block(&mut self, block: &VerilogBlock) -> Result<Vec<Statement>, String> {
        let parts: Result<Vec<Vec<Statement>>, String> = block.iter().map(|s| self.statement(s)).collect();
        Ok(parts?.concat())
    }

    fn statement(&mut self, statement: &VerilogStatement) -> Result<Vec<Statement>, String> {
        Ok(match statement {
            VerilogStatement::Assignment(VerilogExpression::Signal(target), value) => {
                let (name, width) = self.target(target)?;
                let value = self.expression(value, Some(width)).map_err(|e| format!("`{name}` = …: {e}"))?;
                if value.width() != width {
                    return Err(format!("`{name}` has {width} wires, its value `{}` {}", value.text(), value.width()));
                }
                vec![Statement::Assign(name, value)]
            }
            VerilogStatement::If(conditional) => vec![self.conditional(conditional)?],
            VerilogStatement::Match(cases) => vec![self.cases(cases)?],
            VerilogStatement::Loop(unrolled) => {
                let mut statements = Vec::new();
                for i in unrolled.from.as_usize()..unrolled.to.as_usize() {
                    self.loops.push((unrolled.index.clone(), i));
                    statements.extend(self.block(&unrolled.block)?);
                    self.loops.pop();
                }
                statements
            }
            VerilogStatement::Comment(_) => Vec::new(),
            VerilogStatement::Link(links) => {
                links.iter().try_for_each(|link| self.link(link))?;
                Vec::new()
            }
            VerilogStatement::Macro(block) => self.block(block)?,
            VerilogStatement::SliceAssignment { base: VerilogExpression::Signal(base), width, offset, replacement } => {
                self.field(base, *width, offset, replacement)?;
                Vec::new()
            }
            other => return Err(format!("this statement is not supported: {other:?}")),
        })
    }

    fn field(
        &mut self,
        base: &str,
        width: usize,
        offset: &VerilogExpression,
        value: &VerilogExpression,
    ) -> Result<(), String> {
        let (name, _) = self.target(base)?;
        let offset = self.expression(offset, Some(32))?.number().ok_or("a field at no fixed place")?;
        let value = self.expression(value, Some(width))?;
        let is_twice = self.fields.entry(name.clone()).or_default().insert(offset, value).is_some();
        match is_twice || self.conditions > 0 {
            true => Err(format!("a field of `{name}` is assigned twice or under a condition")),
            false => Ok(()),
        }
    }

    fn conditional(&mut self, conditional: &VerilogConditional) -> Result<Statement, String> {
        let test = self.expression(&conditional.test, Some(1))?;
        self.conditions += 1;
        let then = self.block(&conditional.then)?;
        let otherwise = match &conditional.otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block)?,
            VerilogBlockOrConditional::Conditional(next) => self.statement(next)?,
            VerilogBlockOrConditional::None => Vec::new(),
        };
        self.conditions -= 1;
        Ok(Statement::If(test, then, otherwise))
    }

    fn cases(&mut self, cases: &VerilogMatch) -> Result<Statement, String> {
        let test = self.expression(&cases.test, None)?;
        let mut arms = Vec::new();
        self.conditions += 1;
        for case in &cases.cases {
            let label = match &case.condition[..] {
                "default" => None,
                number if number.parse::<u128>().is_ok() => {
                    let number: u128 = number.parse().expect("it is a number");
                    Some(Expression::literal(&format!("{number:x}"), test.width())?)
                }
                name => Some(self.named(name)?),
            };
            arms.push((label, self.block(&case.block)?));
        }
        self.conditions -= 1;
        Ok(Statement::Case(test, arms))
    }

    fn link(&mut self, link: &VerilogLink) -> Result<(), String> {
        let names = |x: &VerilogLinkDetails| {
            let of = |bundle: &str| match &x.my_name[..] {
                "" => self.name(bundle),
                name => self.name(&format!("{bundle}${}", name.trim_start_matches('.'))),
            };
            Ok::<_, String>((of(&x.owner_name)?, of(&x.other_name)?))
        };
        let (target, source) = match link {
            VerilogLink::Forward(x) => names(x).map(|(owner, other)| (other, owner)),
            VerilogLink::Backward(x) => names(x),
            VerilogLink::Bidirectional(_) => Err("bidirectional links are not supported".into()),
        }?;
        let (target, width) = self.target(&target)?;
        let source = self.named(&source)?;
        if source.width() != width {
            return Err(format!("`{target}` is linked to another width"));
        }
        self.links.push((target, source));
        Ok(())
    }

    fn target(&self, raw: &str) -> Result<(String, usize), String> {
        let name = self.name(raw)?;
        match self.names.get(&name) {
            Some(Meaning::Signal(width)) => Ok((name, *width)),
            _ => Err(format!("`{name}` is assigned and is no signal")),
        }
    }

    /// The name in Verilog: indices are part of it.
    fn name(&self, raw: &str) -> Result<String, String> {
        let raw = raw.trim_start_matches('.').replace('.', "$").replace("::", "$");
        let mut name = String::new();
        let mut rest = raw.trim_end_matches("$next");
        while let Some((before, index)) = rest.split_once('[') {
            let (index, after) = index.split_once(']').ok_or_else(|| format!("`{raw}`: no `]`"))?;
            name += &format!("{before}${}", self.index(index)?);
            rest = after;
        }
        Ok(name + rest)
    }

    /// An index: a number, a loop's variable, or a sum or difference of the two.
    fn index(&self, text: &str) -> Result<usize, String> {
        let text: String = text.chars().filter(|c| !matches!(c, '(' | ')' | ' ')).collect();
        let error = || format!("the index `{text}` is no number, variable, or sum or difference of two");
        let term = |text: &str| match self.loop_variable(text) {
            Some(value) => Ok(value),
            None => text.parse().map_err(|_| error()),
        };
        match (text.split_once('+'), text.split_once('-')) {
            (Some((a, b)), None) => Ok(term(a)? + term(b)?),
            (None, Some((a, b))) => term(a)?.checked_sub(term(b)?).ok_or_else(error),
            _ => term(&text),
        }
    }

    /// The value of a variable of a loop.
    pub(super) fn loop_variable(&self, name: &str) -> Option<usize> {
        self.loops.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| *value)
    }

    pub(super) fn named(&self, raw: &str) -> Result<Expression, String> {
        let name = self.name(raw)?;
        match self.names.get(&name) {
            Some(Meaning::Signal(width)) => Ok(Expression::signal(&name, *width)),
            Some(Meaning::Constant(digits, width)) => Ok(Expression::Constant(name, digits.clone(), *width)),
            None => Err(format!("`{name}` is no signal, constant or state")),
        }
    }
}
