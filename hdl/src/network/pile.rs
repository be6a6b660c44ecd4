//! Carry-save addition: many wires of many weights, reduced layer by layer with full adders.
//!
//! A popcount of a thousand wires is one pile: each layer of full adders takes three wires of one weight to one of the
//! same weight and one of the next, so that the number of wires falls by a third a layer (Wallace, 1964). Those next to
//! each other are added, so that the order of the wires should be that of their places. Registers may be put between layers: [`counts_after`] says how many wires of each weight there are.

use super::Word;

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

/// Number of fields of a bus that holds a pile.
pub const fn fields_of(counts: &[usize; WEIGHTS]) -> usize {
    let (mut w, mut fields) = (0, 0);
    while w < WEIGHTS {
        fields += counts[w].div_ceil(FIELD);
        w += 1;
    }
    fields
}

/// Layout of a bus that holds a pile; `N` is [`fields_of`].
pub const fn layout_of<const N: usize>(counts: &[usize; WEIGHTS]) -> [usize; N] {
    let mut layout = [0; N];
    let (mut w, mut field) = (0, 0);
    while w < WEIGHTS {
        let mut left = counts[w];
        while left > 0 {
            layout[field] = if left < FIELD { left } else { FIELD };
            left -= layout[field];
            field += 1;
        }
        w += 1;
    }
    layout
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

/// Wires of several weights whose weighted sum is wanted.
#[derive(Clone)]
pub struct Pile<W>(Vec<Column<W>>);

impl<W: Word> Pile<W> {
    /// All wires of `parts` with weight one.
    pub fn of_ones(parts: &[W]) -> Pile<W> {
        let mut columns = vec![Column(Vec::new()); WEIGHTS];
        columns[0] = Column::of(parts);
        Pile(columns)
    }

    /// A pile of these counts from the fields of its bus.
    pub fn from_fields(fields: &[W], counts: &[usize; WEIGHTS]) -> Pile<W> {
        let mut rest = fields;
        Pile(
            counts
                .iter()
                .map(|count| {
                    let (these, others) = rest.split_at(count.div_ceil(FIELD));
                    rest = others;
                    Column(these.to_vec())
                })
                .collect(),
        )
    }

    /// Fields of a bus.
    pub fn fields(&self) -> Vec<W> {
        self.0.iter().flat_map(|c| c.0.iter().copied()).collect()
    }

    /// The pile with unsigned numbers put on top.
    pub fn with_numbers(&self, numbers: &[W]) -> Pile<W> {
        let columns = self.0.iter().enumerate().map(|(weight, column)| {
            let more = numbers.iter().filter(|n| n.width() > weight).map(|n| n.bit(weight));
            let parts: Vec<W> = column.0.iter().copied().chain(more).collect();
            Column::of(&parts)
        });
        Pile(columns.collect())
    }

    /// So many layers of full adders.
    pub fn reduced(&self, layers: usize) -> Pile<W> {
        (0..layers).fold(self.clone(), |pile, _| pile.layer())
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
            let mut counts = [0; WEIGHTS];
            counts[0] = words.iter().map(|w| w.width as usize).sum();
            for layers in 0..6 {
                let after = counts_after(counts, layers);
                let pile = Pile::of_ones(&words).reduced(layers);
                let fields = pile.fields();
                assert_eq!(fields.len(), fields_of(&after));
                let back = Pile::from_fields(&fields, &after);
                let more = [Value::new(77, 7), Value::new(3, 2)];
                assert_eq!(
                    back.with_numbers(&more).total(12).bits,
                    ones as u128 + 80,
                    "{parts} parts, {layers} layers"
                );
            }
        }
    }
}
