//! Expressions of kernels, each as wide as its value.
//!
//! RustHDL writes integers as 32 bits wide, so that Verilog computes with 32 bits where the source has fewer. Here an integer
//! is as wide as what it is used with, and an operator's operands are as wide as its result.

/// An expression of a known width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Hexadecimal digits and their width.
    Literal(String, usize),
    /// A named constant: name, digits and width.
    Constant(String, String, usize),
    /// Wires `low .. low + width` of a signal of `of` wires.
    Signal {
        name: String,
        of: usize,
        low: usize,
        width: usize,
    },
    /// The wires of a signal of `of` wires from the one that the offset names.
    Slice {
        name: String,
        of: usize,
        offset: Box<Expression>,
        width: usize,
    },
    /// `~`, or a reduction.
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// With zeros in front, to this width.
    Extended(Box<Expression>, usize),
    /// Side by side, the first one in the lowest wires.
    Joined(Vec<Expression>),
}

use Expression::*;

/// Calls `read` with the name and the wires of each signal that is read; named constants have no wires.
pub type Reader<'a> = dyn FnMut(&str, usize, usize) + 'a;

impl Expression {
    /// A whole signal.
    pub fn signal(name: &str, width: usize) -> Expression {
        Signal { name: name.into(), of: width, low: 0, width }
    }

    /// A number.
    ///
    /// # Errors
    /// It has more digits than the width allows.
    pub fn literal(digits: &str, width: usize) -> Result<Expression, String> {
        let number = digits.trim_start_matches('0');
        let bits = number
            .chars()
            .next()
            .and_then(|c| c.to_digit(16))
            .map_or(0, |first| 4 * (number.len() - 1) + 4 - (first.leading_zeros() as usize - 28));
        match bits <= width {
            true => Ok(Literal(if number.is_empty() { "0".into() } else { number.into() }, width)),
            false => Err(format!("the number 0x{digits} is wider than {width}")),
        }
    }

    /// Number of wires.
    pub fn width(&self) -> usize {
        match self {
            Literal(_, width) | Constant(_, _, width) | Extended(_, width) => *width,
            Signal { width, .. } | Slice { width, .. } => *width,
            Unary("~", a) => a.width(),
            Unary(..) | Binary("==" | "!=" | "<" | "<=" | ">" | ">=", ..) => 1,
            Binary(_, a, _) => a.width(),
            Joined(parts) => parts.iter().map(Expression::width).sum(),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<usize> {
        match self {
            Literal(digits, _) | Constant(_, digits, _) => usize::from_str_radix(digits, 16).ok(),
            _ => None,
        }
    }

    /// With zeros in front, or only the lower wires.
    ///
    /// # Errors
    /// The lower wires of it cannot be written.
    pub fn resized(self, to: usize) -> Result<Expression, String> {
        let width = self.width();
        let half = |a: Box<Expression>| a.resized(to).map(Box::new);
        Ok(match self {
            any if width == to => any,
            Literal(digits, _) if to > width => Literal(digits, to),
            any if to > width => Extended(Box::new(any), to),
            Literal(digits, _) | Constant(_, digits, _) => lowest(&digits, to)?,
            Signal { name, of, low, .. } => Signal { name, of, low, width: to },
            Slice { name, of, offset, .. } => Slice { name, of, offset, width: to },
            Unary("~", a) => Unary("~", half(a)?),
            Binary(op @ ("&" | "|" | "^" | "+" | "-"), a, b) => Binary(op, half(a)?, half(b)?),
            Binary("<<", a, b) => Binary("<<", half(a)?, b),
            Extended(a, _) => a.resized(to)?,
            any => return Err(format!("the lower {to} wires of `{}` need a signal of their own", any.text())),
        })
    }

    /// Tells all signals that are read.
    pub fn reads(&self, read: &mut Reader) {
        match self {
            Literal(..) => {}
            Constant(name, ..) => read(name, 0, 0),
            Signal { name, low, width, .. } => read(name, *low, *width),
            Slice { name, of, offset, .. } => {
                read(name, 0, *of);
                offset.reads(read);
            }
            Unary(_, a) | Extended(a, _) => a.reads(read),
            Binary(_, a, b) => {
                a.reads(read);
                b.reads(read);
            }
            Joined(parts) => parts.iter().for_each(|part| part.reads(read)),
        }
    }

    /// With other names for its signals.
    pub fn renamed(&self, rename: &dyn Fn(&str) -> String) -> Expression {
        let inner = |a: &Expression| Box::new(a.renamed(rename));
        match self {
            Literal(..) | Constant(..) => self.clone(),
            Signal { name, of, low, width } => Signal { name: rename(name), of: *of, low: *low, width: *width },
            Slice { name, of, offset, width } => {
                Slice { name: rename(name), of: *of, offset: inner(offset), width: *width }
            }
            Unary(op, a) => Unary(op, inner(a)),
            Binary(op, a, b) => Binary(op, inner(a), inner(b)),
            Extended(a, width) => Extended(inner(a), *width),
            Joined(parts) => Joined(parts.iter().map(|part| part.renamed(rename)).collect()),
        }
    }

    /// As Verilog.
    pub fn text(&self) -> String {
        match self {
            Literal(digits, width) => format!("{width}'h{digits}"),
            Constant(name, ..) => name.clone(),
            Signal { name, of, low, width } => match width {
                width if width == of => name.clone(),
                1 => format!("{name}[{low}]"),
                _ => format!("{name}[{}:{low}]", low + width - 1),
            },
            Slice { name, offset, width: 1, .. } => format!("{name}[{}]", offset.text()),
            Slice { name, offset, width, .. } => format!("{name}[{} +: {width}]", offset.text()),
            Unary(op, a) => match **a {
                Binary(..) => format!("{op}({})", a.text()),
                Unary(..) if *op != "~" => format!("{op}({})", a.text()),
                _ => format!("{op}{}", a.text()),
            },
            Binary(op, a, b) => format!("{} {op} {}", a.operand(op), b.operand(op)),
            Extended(a, width) => format!("{{{}'h0, {}}}", width - a.width(), a.text()),
            Joined(parts) => {
                let parts: Vec<String> = parts.iter().rev().map(Expression::text).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    /// As an operand. Only a chain of one associative operator needs no parentheses.
    fn operand(&self, op: &str) -> String {
        match self {
            Binary(own, ..) if !(own == &op && matches!(op, "&" | "|" | "^")) => format!("({})", self.text()),
            _ => self.text(),
        }
    }
}

/// The lowest bits of a number.
fn lowest(digits: &str, width: usize) -> Result<Expression, String> {
    let nibbles = width.div_ceil(4).min(digits.len());
    let (first, rest) = digits[digits.len() - nibbles..].split_at(1);
    let mask = 15 >> (4 * nibbles).saturating_sub(width);
    let first = u8::from_str_radix(first, 16).map_err(|e| e.to_string())? & mask;
    Expression::literal(&format!("{first:x}{rest}"), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(a: Expression, b: Expression) -> Expression {
        Binary("+", Box::new(a), Box::new(b))
    }

    #[test]
    fn a_resized_expression_has_exactly_the_width() {
        let [a, b] = ["a", "b"].map(|name| Expression::signal(name, 8));
        let number = Expression::literal("ff", 8).unwrap();
        for (expression, to, text) in [
            (a.clone(), 12, "{4'h0, a}"),
            (a.clone(), 3, "a[2:0]"),
            (sum(a.clone(), b.clone()), 5, "a[4:0] + b[4:0]"),
            (sum(a.clone(), number.clone()), 6, "a[5:0] + 6'h3f"),
            (number, 10, "10'hff"),
        ] {
            let resized = expression.resized(to).unwrap();
            assert_eq!((resized.width(), &resized.text()[..]), (to, text));
        }
        let less = Binary(">>", Box::new(sum(a, b)), Box::new(Expression::literal("1", 1).unwrap()));
        assert!(less.resized(2).unwrap_err().contains("a signal of their own"));
        assert!(Expression::literal("100", 8).is_err() && Expression::literal("0ff", 8).is_ok());
    }
}
