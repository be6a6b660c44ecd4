//! Signed numbers and tables of constants on wires.
//!
//! Functions, no block. Numbers are two's complement. Model: integers of Rust.

use crate::network::Word;

/// A constant.
pub fn constant<W: Word>(value: i32, width: usize) -> W {
    W::constant(value as i128 as u128 & (u128::MAX >> (128 - width)), width)
}

/// One wire: whether `a < b`; both are equally wide.
pub fn less<W: Word>(a: W, b: W) -> W {
    // With the signs exchanged the order is that of unsigned numbers.
    let biased = |n: W| W::join(&[n.slice(0, n.width() - 1), !n.bit(n.width() - 1)]);
    biased(a).below(biased(b))
}

/// One wire: whether `a <= b`.
pub fn at_most<W: Word>(a: W, b: W) -> W {
    !less(b, a)
}

/// The greater one.
pub fn greater_of<W: Word>(a: W, b: W) -> W {
    less(a, b).choose(b, a)
}

/// The smaller one.
pub fn smaller_of<W: Word>(a: W, b: W) -> W {
    less(b, a).choose(b, a)
}

/// The sum in `width` wires.
pub fn add<W: Word>(a: W, b: W, width: usize) -> W {
    a.extend_signed(width).plus(b.extend_signed(width), width)
}

/// The difference in `width` wires.
pub fn subtract<W: Word>(a: W, b: W, width: usize) -> W {
    a.extend_signed(width).minus(b.extend_signed(width), width)
}

/// The opposite number, as wide.
pub fn negative<W: Word>(a: W) -> W {
    W::zero(a.width()).minus(a, a.width())
}

/// The entry of a table of constants at an unsigned index; zero beyond its end.
pub fn entry<W: Word>(index: W, table: &[u128], width: usize) -> W {
    // The highest bit of the index chooses a half of the table.
    fn half<W: Word>(index: W, bits: usize, table: &[u128], width: usize) -> W {
        let Some((&first, rest)) = table.split_first() else { return W::zero(width) };
        if rest.iter().all(|&other| other == first) && (bits == 0 || table.len() == 1 << bits) {
            return W::constant(first, width);
        }
        let (low, high) = table.split_at(table.len().min(1 << (bits - 1)));
        let [off, on] = [low, high].map(|part| half(index, bits - 1, part, width));
        index.bit(bits - 1).choose(on, off)
    }
    assert!(table.len() <= 1 << index.width(), "more entries than the index tells apart");
    half(index, index.width(), table, width)
}

/// The numbers `of(0)`, `of(1)` … as entries of a table.
pub fn table(entries: usize, of: impl Fn(i32) -> i32) -> Vec<u128> {
    (0..entries as i32).map(|i| of(i) as u128).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Value;

    #[test]
    fn numbers_are_those_of_integers() {
        let value = |n: i32| constant::<Value>(n, 7);
        for a in -64..64 {
            for b in -64..64 {
                assert_eq!(less(value(a), value(b)).bits == 1, a < b, "{a} {b}");
                assert_eq!(at_most(value(a), value(b)).bits == 1, a <= b, "{a} {b}");
                assert_eq!(greater_of(value(a), value(b)), value(a.max(b)), "{a} {b}");
                assert_eq!(smaller_of(value(a), value(b)), value(a.min(b)), "{a} {b}");
                assert_eq!(add(value(a), value(b), 8), constant(a + b, 8), "{a} {b}");
                assert_eq!(subtract(value(a), value(b), 8), constant(a - b, 8), "{a} {b}");
            }
            assert_eq!(negative(value(a)), value(-a), "{a}");
        }
    }

    #[test]
    fn entries_are_those_of_the_table() {
        for length in [1, 2, 5, 8, 33, 64] {
            let numbers = table(length, |i| (i / 3) * 7 % 32);
            for index in 0..64 {
                let found = entry(Value::new(index, 6), &numbers, 5);
                let expected = numbers.get(index as usize).copied().unwrap_or(0);
                assert_eq!(found, Value::new(expected, 5), "{index} of {length}");
            }
        }
    }
}
