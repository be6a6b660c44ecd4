//! What drives each signal of a kernel's module.
//!
//! A signal that the kernel assigns once, and not under a condition, has a driver of its own. The others are assigned in
//! blocks: the statements that share a signal are one block.
//!
//! What a kernel reads of a signal is its last value, also where it is assigned further down. Only of its own outputs and
//! local signals it reads the value so far, as Verilog does; a statement that reads one while it grows is in its block.

use super::expression::{Expression, Reader};
use super::kernel::{Kernel, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Signals and what drives them.
#[derive(Default)]
pub struct Drivers {
    pub own: BTreeMap<String, Expression>,
    pub blocks: Vec<Vec<Statement>>,
}

impl Drivers {
    /// The drivers of a kernel, which may read what `grows` while it is assigned.
    ///
    /// # Errors
    /// A signal has two drivers, or is read before it has a value.
    pub fn of(kernel: Kernel, grows: &dyn Fn(&str) -> bool) -> Result<Drivers, String> {
        let statements = without_overridden(kernel.statements, grows);
        let mut left: BTreeMap<String, usize> = BTreeMap::new();
        statements.iter().for_each(|s| s.targets(&mut |target| *left.entry(target.into()).or_default() += 1));
        let mut own = BTreeMap::new();
        for (target, value) in kernel.links {
            if left.contains_key(&target) || own.contains_key(&target) {
                return Err(format!("`{target}` has two drivers"));
            }
            own.insert(target, value);
        }
        let mut order = Order { times: left.clone(), left, grows, early: BTreeSet::new() };
        let mut rest = Vec::new();
        for statement in statements {
            order.statement(&statement)?;
            let early = std::mem::take(&mut order.early);
            match statement {
                Statement::Assign(target, value) if order.times[&target] == 1 && early.is_empty() => {
                    own.insert(target, value);
                }
                other => rest.push((other, early)),
            }
        }
        Ok(Drivers { own, blocks: grouped(rest) })
    }

    /// Signals that blocks assign.
    pub fn in_blocks(&self) -> BTreeSet<String> {
        let mut targets = BTreeSet::new();
        self.blocks.iter().flatten().for_each(|s| {
            s.targets(&mut |target| {
                targets.insert(target.into());
            });
        });
        targets
    }

    /// Tells what all drivers read.
    pub fn reads(&self, read: &mut Reader) {
        self.own.values().for_each(|value| value.reads(read));
        self.blocks.iter().flatten().for_each(|statement| statement.reads(read));
    }

    /// Leaves out what drives signals that nothing needs: neither `needed` nor a driver of something needed.
    pub fn keep(&mut self, needed: impl Fn(&str) -> bool) {
        loop {
            let mut read = BTreeSet::new();
            self.reads(&mut |name, _, _| {
                read.insert(name.to_string());
            });
            let keeps = |target: &str| needed(target) || read.contains(target);
            let before = self.own.len() + self.in_blocks().len();
            self.own.retain(|target, _| keeps(target));
            self.blocks = std::mem::take(&mut self.blocks)
                .into_iter()
                .map(|block| block.into_iter().filter_map(|s| s.kept(&keeps)).collect::<Vec<_>>())
                .filter(|block| !block.is_empty())
                .collect();
            if self.own.len() + self.in_blocks().len() == before {
                return;
            }
        }
    }
}

impl Statement {
    /// Tells each assignment's target.
    pub fn targets(&self, tell: &mut dyn FnMut(&str)) {
        match self {
            Statement::Assign(target, _) => tell(target),
            Statement::If(_, then, otherwise) => then.iter().chain(otherwise).for_each(|s| s.targets(tell)),
            Statement::Case(_, arms) => arms.iter().flat_map(|arm| &arm.1).for_each(|s| s.targets(tell)),
        }
    }

    /// Tells what is read.
    pub fn reads(&self, read: &mut Reader) {
        match self {
            Statement::Assign(_, value) => value.reads(read),
            Statement::If(test, then, otherwise) => {
                test.reads(read);
                then.iter().chain(otherwise).for_each(|s| s.reads(read));
            }
            Statement::Case(test, arms) => {
                test.reads(read);
                for (label, statements) in arms {
                    label.iter().for_each(|label| label.reads(read));
                    statements.iter().for_each(|s| s.reads(read));
                }
            }
        }
    }

    /// Only the assignments to these targets, if there are any.
    fn kept(self, keeps: &impl Fn(&str) -> bool) -> Option<Statement> {
        let all = |block: Vec<Statement>| block.into_iter().filter_map(|s| s.kept(keeps)).collect::<Vec<_>>();
        match self {
            Statement::Assign(target, value) => keeps(&target).then_some(Statement::Assign(target, value)),
            Statement::If(test, then, otherwise) => match (all(then), all(otherwise)) {
                (then, otherwise) if then.is_empty() && otherwise.is_empty() => None,
                (then, otherwise) if then.is_empty() => {
                    Some(Statement::If(Expression::Unary("~", test.into()), otherwise, then))
                }
                (then, otherwise) => Some(Statement::If(test, then, otherwise)),
            },
            Statement::Case(test, arms) => {
                let arms: Vec<_> = arms.into_iter().map(|(label, block)| (label, all(block))).collect();
                arms.iter().any(|arm| !arm.1.is_empty()).then_some(Statement::Case(test, arms))
            }
        }
    }
}

/// Without assignments that a later one, which is under no condition, overrides.
fn without_overridden(statements: Vec<Statement>, grows: &dyn Fn(&str) -> bool) -> Vec<Statement> {
    let mut overridden: BTreeSet<String> = BTreeSet::new();
    let mut kept: Vec<Statement> = Vec::new();
    for statement in statements.into_iter().rev() {
        let statement = statement.kept(&|target| !overridden.contains(target));
        if let Some(Statement::Assign(target, _)) = &statement {
            if !grows(target) {
                overridden.insert(target.clone());
            }
        }
        kept.extend(statement);
    }
    kept.reverse();
    kept
}

/// Statements with their places, and the signals that they assign.
type Group = (BTreeSet<String>, Vec<(usize, Statement)>);

/// Statements that assign the same signals, or read them early, together, in the order of the first of each.
fn grouped(statements: Vec<(Statement, BTreeSet<String>)>) -> Vec<Vec<Statement>> {
    let mut groups: Vec<Group> = Vec::new();
    for (i, (statement, mut signals)) in statements.into_iter().enumerate() {
        statement.targets(&mut |target| {
            signals.insert(target.to_string());
        });
        let mut members = vec![(i, statement)];
        let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| !group.0.is_disjoint(&signals));
        for group in joined {
            signals.extend(group.0);
            members.extend(group.1);
        }
        members.sort_by_key(|member| member.0);
        groups = apart;
        groups.push((signals, members));
    }
    groups.sort_by_key(|group| group.1[0].0);
    groups.into_iter().map(|group| group.1.into_iter().map(|member| member.1).collect()).collect()
}

/// Finds what is read while it is assigned.
struct Order<'a> {
    times: BTreeMap<String, usize>,
    left: BTreeMap<String, usize>,
    grows: &'a dyn Fn(&str) -> bool,
    early: BTreeSet<String>,
}

impl Order<'_> {
    fn statement(&mut self, statement: &Statement) -> Result<(), String> {
        match statement {
            Statement::Assign(target, value) => {
                self.expression(value)?;
                *self.left.get_mut(target).expect("it was counted") -= 1;
                Ok(())
            }
            Statement::If(test, then, otherwise) => {
                self.expression(test)?;
                then.iter().chain(otherwise).try_for_each(|s| self.statement(s))
            }
            Statement::Case(test, arms) => {
                self.expression(test)?;
                arms.iter().flat_map(|arm| &arm.1).try_for_each(|s| self.statement(s))
            }
        }
    }

    fn expression(&mut self, value: &Expression) -> Result<(), String> {
        let mut wrong = None;
        value.reads(&mut |name, _, _| match (self.left.get(name), self.times.get(name)) {
            (None | Some(0), _) | (_, Some(1)) => {}
            (Some(left), Some(times)) if left < times && (self.grows)(name) => {
                self.early.insert(name.into());
            }
            _ => wrong = Some(name.to_string()),
        });
        wrong.map_or(Ok(()), |name| Err(format!("`{name}` is read before it has its value")))
    }
}
