//! Expressions of kernels: what RustHDL's syntax tree says, with widths.

use super::expression::Expression;
use super::kernel::Reader;
use super::modules::digits;
use rust_hdl::core::ast::*;

impl Reader {
    /// An expression; `wanted` is the width of an integer where nothing else tells it.
    ///
    /// # Errors
    /// It is not supported, or its width is not known.
    pub(super) fn expression(&self, ast: &VerilogExpression, wanted: Option<usize>) -> Result<Expression, String> {
        use VerilogExpression::*;
        Ok(match ast {
            Signal(name) => match self.loop_variable(name) {
                Some(value) => Expression::literal(&format!("{value:x}"), wanted.ok_or("a number without a width")?)?,
                None => self.named(name)?,
            },
            Literal(literal) => {
                let is_bit = format!("{literal:x}").starts_with("1'h");
                let width = if is_bit { Some(1) } else { wanted };
                Expression::literal(&digits(literal)?, width.ok_or("a number without a width")?)?
            }
            Paren(inner) => self.expression(inner, wanted)?,
            Cast(inner, bits) => self.expression(inner, Some(*bits))?.resized(*bits)?,
            Unary(op, inner) => {
                let (op, wanted) = match op {
                    VerilogOpUnary::Not => ("~", wanted),
                    VerilogOpUnary::All => ("&", None),
                    VerilogOpUnary::Any => ("|", None),
                    VerilogOpUnary::Xor => ("^", None),
                    VerilogOpUnary::Neg => return Err("a negative number".into()),
                };
                Expression::Unary(op, self.expression(inner, wanted)?.into())
            }
            Binary(a, op, b) => self.binary(a, op, b, wanted)?,
            Index(of, index) => self.part(of, 1, index)?,
            Slice(of, width, offset) => self.part(of, *width, offset)?,
            other => return Err(format!("this expression is not supported: {other:?}")),
        })
    }

    fn binary(
        &self,
        a: &VerilogExpression,
        op: &VerilogOp,
        b: &VerilogExpression,
        wanted: Option<usize>,
    ) -> Result<Expression, String> {
        let (op, compares) = match op {
            VerilogOp::Add => ("+", false),
            VerilogOp::Sub => ("-", false),
            VerilogOp::LogicalAnd | VerilogOp::BitAnd => ("&", false),
            VerilogOp::LogicalOr | VerilogOp::BitOr => ("|", false),
            VerilogOp::BitXor => ("^", false),
            VerilogOp::Shl => ("<<", false),
            VerilogOp::Shr => (">>", false),
            VerilogOp::Eq => ("==", true),
            VerilogOp::Ne => ("!=", true),
            VerilogOp::Lt => ("<", true),
            VerilogOp::Le => ("<=", true),
            VerilogOp::Gt => (">", true),
            VerilogOp::Ge => (">=", true),
            VerilogOp::Mul => return Err("products are not supported".into()),
        };
        if matches!(op, "<<" | ">>") {
            let shifted = self.expression(a, wanted)?;
            let amount = match self.width(b) {
                None => self.expression(b, Some(32))?,
                Some(width) => self.expression(b, Some(width))?,
            };
            return Ok(Expression::Binary(op, shifted.into(), amount.into()));
        }
        let width = self.width(a).or(self.width(b)).or(if compares { None } else { wanted });
        let (a, b) = (self.expression(a, width)?, self.expression(b, width)?);
        if a.width() != b.width() {
            return Err(format!(
                "`{}` {op} `{}`: operands of {} and {} wires",
                a.text(),
                b.text(),
                a.width(),
                b.width()
            ));
        }
        Ok(Expression::Binary(op, a.into(), b.into()))
    }

    /// The width of an expression by itself; an integer has none.
    fn width(&self, ast: &VerilogExpression) -> Option<usize> {
        use VerilogExpression::*;
        match ast {
            Signal(name) if self.loop_variable(name).is_some() => None,
            Literal(literal) if !format!("{literal:x}").starts_with("1'h") => None,
            Paren(inner) | Unary(VerilogOpUnary::Not, inner) => self.width(inner),
            Binary(a, VerilogOp::Shl | VerilogOp::Shr, _) => self.width(a),
            Binary(
                a,
                VerilogOp::Add
                | VerilogOp::Sub
                | VerilogOp::BitAnd
                | VerilogOp::BitOr
                | VerilogOp::BitXor
                | VerilogOp::LogicalAnd
                | VerilogOp::LogicalOr,
                b,
            ) => self.width(a).or(self.width(b)),
            _ => self.expression(ast, None).ok().map(|expression| expression.width()),
        }
    }

    /// So many wires from an offset on.
    fn part(&self, of: &VerilogExpression, width: usize, offset: &VerilogExpression) -> Result<Expression, String> {
        let whole = self.expression(of, None)?;
        let Expression::Signal { name, of, low, width: wires } = whole else {
            return Err(format!("wires of `{}` need a signal of its own", whole.text()));
        };
        let bits = (usize::BITS - (of - 1).leading_zeros()) as usize;
        let offset = self.expression(offset, Some(bits.max(32)))?;
        match offset.number() {
            Some(offset) if offset + width <= wires => Ok(Expression::Signal { name, of, low: low + offset, width }),
            Some(offset) => Err(format!("`{name}` has no wires {offset} to {}", offset + width - 1)),
            None if low == 0 && wires == of && offset.width() <= bits => {
                Ok(Expression::Slice { name, of, offset: offset.resized(bits)?.into(), width })
            }
            None => Err(format!("the offset `{}` in `{name}` is wider than {bits}", offset.text())),
        }
    }
}
