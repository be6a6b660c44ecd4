//! Networks computed: what RustHDL's simulation runs.

use super::word::Word;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// The wires of a bundle as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The wires, the first one lowest.
    pub bits: u128,
    /// Number of wires.
    pub width: u8,
}

impl Value {
    /// A value of these wires; `bits` beyond `width` are dropped.
    pub fn new(bits: u128, width: usize) -> Value {
        debug_assert!((1..=128).contains(&width));
        Value { bits: bits & (u128::MAX >> (128 - width)), width: width as u8 }
    }

    fn signed(self) -> i128 {
        let unused = 128 - self.width as u32;
        (self.bits << unused) as i128 >> unused
    }
}

impl BitAnd for Value {
    type Output = Value;
    fn bitand(self, other: Value) -> Value {
        debug_assert_eq!(self.width, other.width);
        Value { bits: self.bits & other.bits, ..self }
    }
}

impl BitOr for Value {
    type Output = Value;
    fn bitor(self, other: Value) -> Value {
        debug_assert_eq!(self.width, other.width);
        Value { bits: self.bits | other.bits, ..self }
    }
}

impl BitXor for Value {
    type Output = Value;
    fn bitxor(self, other: Value) -> Value {
        debug_assert_eq!(self.width, other.width);
        Value { bits: self.bits ^ other.bits, ..self }
    }
}

impl Not for Value {
    type Output = Value;
    fn not(self) -> Value {
        Value::new(!self.bits, self.width as usize)
    }
}

impl Word for Value {
    fn constant(value: u128, width: usize) -> Value {
        Value::new(value, width)
    }
    fn width(self) -> usize {
        self.width as usize
    }
    fn wires(self, wires: &[u8]) -> Value {
        let bits = wires.iter().enumerate().fold(0, |bits, (i, &w)| bits | (self.bits >> w & 1) << i);
        Value::new(bits, wires.len())
    }
    fn slice(self, low: usize, width: usize) -> Value {
        Value::new(self.bits >> low, width)
    }
    fn bit(self, index: usize) -> Value {
        Value::new(self.bits >> index, 1)
    }
    fn join(parts: &[Value]) -> Value {
        let (mut bits, mut width) = (0, 0);
        for p in parts {
            bits |= p.bits << width;
            width += p.width as usize;
        }
        Value::new(bits, width)
    }
    fn choose(self, on: Value, off: Value) -> Value {
        debug_assert_eq!((self.width, on.width), (1, off.width));
        if self.bits != 0 {
            on
        } else {
            off
        }
    }
    fn plus(self, other: Value, width: usize) -> Value {
        Value::new(self.bits.wrapping_add(other.bits), width)
    }
    fn minus(self, other: Value, width: usize) -> Value {
        Value::new(self.bits.wrapping_sub(other.bits), width)
    }
    fn times_signed(self, other: Value, width: usize) -> Value {
        Value::new(self.signed().wrapping_mul(other.signed()) as u128, width)
    }
    fn any(self) -> Value {
        Value::new((self.bits != 0) as u128, 1)
    }
    fn equals(self, other: Value) -> Value {
        debug_assert_eq!(self.width, other.width);
        Value::new((self.bits == other.bits) as u128, 1)
    }
    fn below(self, other: Value) -> Value {
        Value::new((self.bits < other.bits) as u128, 1)
    }
    fn popcount(self) -> Value {
        Value::new(self.bits.count_ones() as u128, count_width(self.width as usize))
    }
    fn lowest(self) -> Value {
        Value { bits: self.bits & self.bits.wrapping_neg(), ..self }
    }
    fn several(self) -> Value {
        Value::new((self.bits.count_ones() > 1) as u128, 1)
    }
}

/// Wires that hold a count of 0 to `most`.
pub const fn count_width(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}
