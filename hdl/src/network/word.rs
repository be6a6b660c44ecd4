//! The operations of which combinational networks are made.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A bundle of 1 to 128 wires. Widths are known while a network is built; operands of `&`, `|` and `^` must be
/// equally wide. [`super::value::Value`] computes, [`super::net::Net`] draws the network for Verilog.
pub trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// A constant.
    fn constant(value: u128, width: usize) -> Self;
    /// Number of wires.
    fn width(self) -> usize;
    /// Wire `i` of the result is wire `wires[i]` of `self`: free in hardware.
    fn wires(self, wires: &[u8]) -> Self;
    /// The bundles side by side, the first in the least significant place; at most 128 wires.
    fn join(parts: &[Self]) -> Self;
    /// `on` where the one-wire `self` is set, else `off`.
    fn choose(self, on: Self, off: Self) -> Self;
    /// Sum of two unsigned numbers, cut to `width` wires.
    fn plus(self, other: Self, width: usize) -> Self;
    /// Difference modulo 2^`width` of two unsigned numbers.
    fn minus(self, other: Self, width: usize) -> Self;
    /// Product modulo 2^`width` of two two's complement numbers.
    fn times_signed(self, other: Self, width: usize) -> Self;
    /// One wire: whether any wire is set.
    fn any(self) -> Self;
    /// One wire: whether two unsigned numbers are equal.
    fn equals(self, other: Self) -> Self;
    /// One wire: whether `self < other`, unsigned.
    fn below(self, other: Self) -> Self;
    /// Number of wires set.
    fn popcount(self) -> Self;

    /// Wires `low .. low + width`.
    fn slice(self, low: usize, width: usize) -> Self {
        let wires: Vec<u8> = (low..low + width).map(|i| i as u8).collect();
        self.wires(&wires)
    }

    /// One wire.
    fn bit(self, index: usize) -> Self {
        self.wires(&[index as u8])
    }

    /// All wires zero.
    fn zero(width: usize) -> Self {
        Self::constant(0, width)
    }

    /// The same number in more wires.
    fn extend(self, width: usize) -> Self {
        if width == self.width() {
            self
        } else {
            Self::join(&[self, Self::zero(width - self.width())])
        }
    }

    /// The same two's complement number in more wires.
    fn extend_signed(self, width: usize) -> Self {
        let sign = self.width() - 1;
        let wires: Vec<u8> = (0..width).map(|i| i.min(sign) as u8).collect();
        self.wires(&wires)
    }

    /// `self` where the one-wire `condition` is set, else zero.
    fn when(self, condition: Self) -> Self {
        condition.choose(self, Self::zero(self.width()))
    }

    /// Equality with a constant.
    fn is(self, value: u128) -> Self {
        self.equals(Self::constant(value, self.width()))
    }
}

/// OR of equally wide bundles.
///
/// # Panics
/// If there is none.
pub fn or_all<W: Word>(words: impl IntoIterator<Item = W>) -> W {
    words.into_iter().reduce(|a, b| a | b).expect("at least one operand")
}

/// Sum of unsigned numbers in a balanced tree, `width` wires wide.
pub fn sum<W: Word>(words: &[W], width: usize) -> W {
    match words {
        [] => W::zero(width),
        [one] => one.extend(width),
        more => {
            let (left, right) = more.split_at(more.len() / 2);
            sum(left, width).plus(sum(right, width), width)
        }
    }
}
