//! Carry-save addition: many wires of many weights, reduced layer by layer with full adders.
//!
//! The popcount of a thousand wires is one pile. Each layer of full adders takes three wires of one weight to one of the
//! same weight and one of the next, so that a layer removes a third of the wires (Wallace, 1964). Neighbours are added:
//! the order of the wires should be that of their places on the chip. Registers may stand between layers; [`Reduced`] is the
//! layout of a pile on a port.

use super::{word::or_all, Layout, Net, Word};
use std::marker::PhantomData;

/// Weights that a pile may have.
pub const WEIGHTS: usize = 12;
/// Wires of one field of a bus: whole groups of three, each for a full adder.
const FIELD: usize = 126;

/// Wires of each weight (2^0 first) after so many layers, from wires of each weight.
pub const fn counts_after(mut counts: [usize; WEIGHTS], layers: usize) -> [usize; WEIGHTS] {
    let mut layer = 0;
    while layer < layers {
        let mut next = [0; WEIGHTS];
        let mut w = 0;
        while w < WEIGHTS {
            next[w] += counts[w] / 3 + counts[w] % 3;
            if w + 1 < WEIGHTS {
                next[w + 1] += counts[w] / 3;
            }
            w += 1;
        }
        counts = next;
        layer += 1;
    }
    counts
}

/// The wires of a pile at first.
pub trait Counts {
    /// Wires of each weight, 2^0 first.
    const COUNTS: [usize; WEIGHTS];
}

/// Layout of a pile of the wires of `C` after `LAYERS` layers.
pub struct Reduced<C, const LAYERS: usize>(PhantomData<C>);

impl<C: Counts, const LAYERS: usize> Reduced<C, LAYERS> {
    const COUNTS: [usize; WEIGHTS] = counts_after(C::COUNTS, LAYERS);
}

impl<C: Counts, const LAYERS: usize> Layout for Reduced<C, LAYERS> {
    const WIDTH: usize = {
        let (mut weight, mut wires) = (0, 0);
        while weight < WEIGHTS {
            wires += Self::COUNTS[weight];
            weight += 1;
        }
        wires
    };
    type Of<W: Word> = Pile<W>;

    fn read<W: Word>(take: &mut impl FnMut(usize) -> W) -> Pile<W> {
        let columns = Self::COUNTS
            .map(|count| Column((0..count).step_by(FIELD).map(|low| take(FIELD.min(count - low))).collect()));
        Pile(columns.into())
    }
    fn write<W: Word>(pile: &Pile<W>, put: &mut impl FnMut(W)) {
        for (column, count) in pile.0.iter().zip(Self::COUNTS) {
            assert_eq!(column.wires(), count, "wires of a weight");
            column.0.iter().for_each(|&field| put(field));
        }
    }
    fn name(pile: &Pile<Net>, name: &str, tell: &mut impl FnMut(Net, &str)) {
        for (weight, column) in pile.0.iter().enumerate() {
            for (i, &field) in column.0.iter().enumerate() {
                tell(field, &format!("{name}_weight{weight}_{i}"));
            }
        }
    }
}

/// Any number of wires in fields of [`FIELD`], the last one shorter.
#[derive(Clone)]
struct Column<W>(Vec<W>);

impl<W: Word> Column<W> {
    fn of(parts: &[W]) -> Column<W> {
        let (mut fields, mut open, mut room) = (Vec::new(), Vec::new(), FIELD);
        for &part in parts {
            let mut low = 0;
            while low < part.width() {
                let width = room.min(part.width() - low);
                open.push(if width == part.width() { part } else { part.slice(low, width) });
                (low, room) = (low + width, room - width);
                if room == 0 {
                    fields.push(W::join(&open));
                    open.clear();
                    room = FIELD;
                }
            }
        }
        if !open.is_empty() {
            fields.push(W::join(&open));
        }
        Column(fields)
    }

    fn wires(&self) -> usize {
        self.0.iter().map(|f| f.width()).sum()
    }
}

/// The wires to be added, by weight.
#[derive(Clone)]
pub struct Pile<W>(Vec<Column<W>>);

impl<W: Word> Pile<W> {
    /// The wires of all parts, by weight: 2^0 first.
    pub fn of(parts_by_weight: &[&[W]]) -> Pile<W> {
        let parts = |weight: usize| parts_by_weight.get(weight).copied().unwrap_or_default();
        Pile((0..WEIGHTS).map(|weight| Column::of(parts(weight))).collect())
    }

    /// Whether any wire is set.
    pub fn any(&self) -> W {
        or_all(self.0.iter().flat_map(|column| &column.0).map(|field| field.any()))
    }

    /// The pile with unsigned numbers put on top.
    pub fn with_numbers(&self, numbers: &[W]) -> Pile<W> {
        let columns = self.0.iter().enumerate().map(|(weight, column)| {
            let more = numbers.iter().filter(|n| n.width() > weight).map(|n| n.bit(weight));
            Column::of(&column.0.iter().copied().chain(more).collect::<Vec<W>>())
        });
        Pile(columns.collect())
    }

    /// So many layers of full adders.
    pub fn reduced(&self, layers: usize) -> Pile<W> {
        (1..=layers).fold(self.clone(), |pile, layer| {
            let pile = pile.layer();
            if W::NAMED {
                pile.named(&format!("layer{layer}"))
            } else {
                pile
            }
        })
    }

    /// Names the fields `name_weight3_0`.
    fn named(self, name: &str) -> Pile<W> {
        for (weight, column) in self.0.iter().enumerate() {
            for (i, field) in column.0.iter().enumerate() {
                field.named(&format!("{name}_weight{weight}_{i}"));
            }
        }
        self
    }

    fn layer(&self) -> Pile<W> {
        let mut next: Vec<Vec<W>> = vec![Vec::new(); WEIGHTS];
        for (weight, column) in self.0.iter().enumerate() {
            for field in &column.0 {
                let (third, width) = (field.width() / 3, field.width());
                if third > 0 {
                    // Neighbours are added, so that wires in the order of the squares stay near each other on the chip.
                    let every_third = |first: usize| {
                        let wires: Vec<u8> = (0..third).map(|i| (3 * i + first) as u8).collect();
                        field.wires(&wires)
                    };
                    let (a, b, c) = (every_third(0), every_third(1), every_third(2));
                    let differ = a ^ b;
                    next[weight].push(differ ^ c);
                    if weight + 1 < WEIGHTS {
                        next[weight + 1].push((a & b) | (c & differ));
                    }
                }
                if width > 3 * third {
                    next[weight].push(field.slice(3 * third, width - 3 * third));
                }
            }
        }
        Pile(next.iter().map(|parts| Column::of(parts)).collect())
    }

    /// The sum, `width` wires wide: layers until no weight has more than two wires, then one adder.
    pub fn total(&self, width: usize) -> W {
        let mut pile = self.clone();
        while pile.0.iter().any(|c| c.wires() > 2) {
            pile = pile.layer();
        }
        let row = |i: usize| {
            let bits: Vec<W> = (0..width)
                .map(|weight| match pile.0.get(weight) {
                    Some(column) if column.wires() > i => column.0[0].bit(i),
                    _ => W::zero(1),
                })
                .collect();
            W::join(&bits)
        };
        row(0).plus(row(1), width)
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::Value;
    use super::*;

    #[test]
    fn a_pile_counts_its_wires() {
        let mut noise = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835u128;
        for parts in 1..12 {
            let words: Vec<Value> = (0..parts)
                .map(|i| {
                    noise = noise.wrapping_mul(0xDA94_2042_E4DD_58B5).rotate_left(29) ^ i as u128;
                    Value::new(noise, 1 + (31 * i + 80) % 128)
                })
                .collect();
            let ones: u32 = words.iter().map(|w| w.bits.count_ones()).sum();
            for layers in 0..6 {
                let pile = Pile::of(&[&words]).reduced(layers);
                let more = [Value::new(77, 7), Value::new(3, 2)];
                assert_eq!(
                    pile.with_numbers(&more).total(12).bits,
                    ones as u128 + 80,
                    "{parts} parts, {layers} layers"
                );
            }
        }
    }

    #[test]
    fn a_layout_has_the_fields_of_a_pile() {
        struct Thousand;
        impl Counts for Thousand {
            const COUNTS: [usize; WEIGHTS] = {
                let mut counts = [0; WEIGHTS];
                counts[0] = 1000;
                counts
            };
        }
        type Third = Reduced<Thousand, 3>;
        let ones = [Value::new(!0, 125); 8];
        let pile = Pile::of(&[&ones]).reduced(3);
        let fields = Third::fields(&pile);
        let back = Third::from_fields(fields.iter().copied());
        assert_eq!(fields.iter().map(|field| field.width as usize).sum::<usize>(), Third::WIDTH);
        assert_eq!(back.total(10).bits, 1000);
    }
}
