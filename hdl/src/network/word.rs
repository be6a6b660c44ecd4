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

    /// Whether names are kept.
    const NAMED: bool = false;

    /// The same word, which the Verilog calls by this name (or by the name that it has already).
    fn named(self, _name: &str) -> Self {
        self
    }

    /// [`named`](Word::named) with an index: `name_3`.
    fn named_at(self, _name: &str, _index: usize) -> Self {
        self
    }

    /// The lowest wire set, alone.
    fn lowest(self) -> Self {
        lowest(self)
    }

    /// One wire: whether two wires or more are set.
    fn several(self) -> Self {
        several(self)
    }

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

/// [`Word::lowest`] in gates: looked for in blocks of about the square root of the width, all at once.
fn lowest<W: Word>(word: W) -> W {
    let block = (1..).find(|b| b * b >= word.width()).expect("a width");
    let first = |word: W| {
        let bits: Vec<W> = (0..word.width()).map(|i| word.bit(i)).collect();
        let taken = (0..bits.len()).map(|i| if i == 0 { bits[0] } else { bits[i] & !word.slice(0, i).any() });
        W::join(&taken.collect::<Vec<W>>())
    };
    let blocks: Vec<W> =
        (0..word.width()).step_by(block).map(|low| word.slice(low, block.min(word.width() - low))).collect();
    let chosen = first(W::join(&blocks.iter().map(|b| b.any()).collect::<Vec<W>>()));
    let parts: Vec<W> = blocks.iter().enumerate().map(|(i, &b)| first(b).when(chosen.bit(i))).collect();
    W::join(&parts)
}

/// [`Word::several`] in gates.
fn several<W: Word>(word: W) -> W {
    /// Whether one is set, and whether two are: four wires, then two halves, go into each gate.
    fn of<W: Word>(word: W) -> (W, W) {
        let width = word.width();
        if width > 4 {
            let half = (width / 2).next_multiple_of(4);
            let ((a, aa), (b, bb)) = (of(word.slice(0, half)), of(word.slice(half, width - half)));
            return (a | b, aa | bb | (a & b));
        }
        let mut two = W::zero(1);
        for i in 1..width {
            two = two | (word.bit(i) & word.slice(0, i).any());
        }
        (word.any(), two)
    }
    of(word).1
}

#[cfg(test)]
mod tests {
    use super::super::value::Value;
    use super::*;

    #[test]
    fn lowest_and_several_wires() {
        for width in [1, 2, 5, 9, 47, 81] {
            let mut noise = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835u128;
            for i in 0..300 {
                noise = noise.wrapping_mul(0xDA94_2042_E4DD_58B5_1234_5678_9ABC_DEF1).rotate_left(29);
                let sparse = noise & noise.rotate_left(31) & noise.rotate_left(57) & noise.rotate_left(91);
                let wires = if i % 2 == 0 { sparse } else { 1u128 << (i % width) | 1 << (i * i % width) };
                let value = Value::new(wires, width);
                assert_eq!(lowest(value), value.lowest(), "{value:?}");
                assert_eq!(several(value), value.several(), "{value:?}");
            }
        }
    }
}
