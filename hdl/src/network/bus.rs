//! Between RustHDL's buses and values.

use super::{Layout, Value};
use rust_hdl::prelude::Bits;

/// A bus of these wires, the first one first.
pub fn bus<const N: usize>(wires: &[bool]) -> Bits<N> {
    let wires: [bool; N] = wires.try_into().expect("one value for each wire");
    match N {
        0..=32 => wires.iter().rev().fold(0u64, |bits, &wire| bits << 1 | wire as u64).into(),
        _ => Bits::Long(wires.into()),
    }
}

/// The wires of a bus, one byte (0 or 1) each, in front of a buffer.
fn wires<const N: usize>(bus: &Bits<N>, buffer: &mut [u8]) {
    match bus {
        Bits::Long(wires) => {
            assert_eq!(size_of_val(wires), N, "one byte for each wire");
            let wires: *const _ = wires;
            // SAFETY: a long bus is a struct of one field, `[bool; N]`; the size was just checked, so that the field
            // begins where the struct does. Each `bool` is a byte 0 or 1.
            let bytes = unsafe { std::slice::from_raw_parts(wires.cast::<u8>(), N) };
            buffer[..N].copy_from_slice(bytes);
        }
        Bits::Short(_) => {
            for (i, wire) in buffer[..N].iter_mut().enumerate() {
                *wire = bus.get_bit(i) as u8;
            }
        }
    }
}

/// The value on a bus.
///
/// # Panics
/// If the bus is not as wide as the layout.
pub fn read<L: Layout, const N: usize>(bus: &Bits<N>) -> L::Of<Value> {
    assert_eq!(N, L::WIDTH, "width of a bus");
    // Room for a whole group of eight behind the last wire.
    let mut buffer = vec![0u8; N + 8];
    wires(bus, &mut buffer);
    let mut low = 0;
    L::read(&mut |width| {
        let groups = buffer[low..low + width.next_multiple_of(8)].chunks_exact(8);
        low += width;
        let bits = groups.enumerate().fold(0u128, |bits, (i, group)| {
            let group = u64::from_le_bytes(group.try_into().expect("eight wires"));
            // Moves the low bit of each byte to its place in the top byte.
            bits | (((group.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u128) << (8 * i))
        });
        Value::new(bits, width)
    })
}

/// The bus with this value.
///
/// # Panics
/// If the bus, or a field, is not as wide as the layout says.
pub fn write<L: Layout, const N: usize>(value: &L::Of<Value>) -> Bits<N> {
    assert_eq!(N, L::WIDTH, "width of a bus");
    if N <= 32 {
        let (mut bits, mut low) = (0u64, 0);
        L::write(value, &mut |field: Value| {
            bits |= (field.bits as u64) << low;
            low += field.width as usize;
        });
        return bits.into();
    }
    let mut bus = [false; N];
    let mut low = 0;
    L::write(value, &mut |field: Value| {
        let wires = &mut bus[low..low + field.width as usize];
        low += wires.len();
        for (i, group) in wires.chunks_mut(8).enumerate() {
            let byte = (field.bits >> (8 * i)) as u8;
            for (bit, wire) in group.iter_mut().enumerate() {
                *wire = byte >> bit & 1 != 0;
            }
        }
    });
    Bits::Long(bus.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{width, Wire, Wires};

    crate::bundle! {
        struct Mixed {
            first: Wire,
            planes: [Wires<81>; 2],
            number: Wires<7>,
            widest: Wires<128>,
            short: [Wires<3>; 3],
            last: Wire,
        }
    }

    #[test]
    fn a_bus_keeps_its_fields() {
        const N: usize = width::<Mixed>();
        let mut noise = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835u128;
        let value = Mixed::read(&mut |width| {
            noise = noise.rotate_left(17);
            Value::new(noise, width)
        });
        let fields = Mixed::fields(&value);
        let bus: Bits<N> = write::<Mixed, N>(&value);
        let mut low = 0;
        for field in &fields {
            for i in 0..field.width as usize {
                assert_eq!(bus.get_bit(low + i), field.bits >> i & 1 != 0);
            }
            low += field.width as usize;
        }
        assert_eq!(low, N);
        assert_eq!(Mixed::fields(&read::<Mixed, N>(&bus)), fields);
        let short = [Value::new(5, 6), Value::new(35, 6)];
        let bus: Bits<12> = write::<[Wires<6>; 2], 12>(&short);
        assert_eq!((bus, read::<[Wires<6>; 2], 12>(&bus)), ((35 << 6 | 5).into(), short));
    }
}
