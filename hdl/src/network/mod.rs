//! Combinational networks as RustHDL blocks.
//!
//! The wide networks of shogi (rays over 81 squares, ten planes of arrivals) are written once, as Rust functions
//! generic over [`Word`]. The macro [`network!`](crate::network) makes a RustHDL block of such a function: in
//! simulation the function computes ([`value::Value`]), for synthesis it draws itself ([`net::Net`]). So there is one
//! description of each network; that its two readings agree is tested by an independent Verilog simulator.
//!
//! A port is a bus of *fields*, each at most 128 wires wide; a layout is the list of their widths.

pub mod net;
pub mod pile;
pub mod value;
pub mod word;

pub use word::Word;

use rust_hdl::prelude::{Bits, Block};
use value::Value;

/// What blocks made by [`network!`](crate::network) have in common, for tests that do not care which one it is.
pub trait Network: Block + Default {
    /// The name of the type, which is also that of the block's [`timing`](rust_hdl::prelude::Logic::timing).
    const NAME: &'static str;

    /// Sets the clock.
    fn set_clock(&mut self, high: bool);

    /// Sets every input to what `wires` gives for its name and width: one `bool` for each wire, the first one first.
    fn set_inputs(&mut self, wires: &mut dyn FnMut(&'static str, usize) -> Vec<bool>);
}

/// A bus of these wires, the first one first.
pub fn bus<const N: usize>(wires: &[bool]) -> Bits<N> {
    let wires: [bool; N] = wires.try_into().expect("one value for each wire");
    match N {
        0..=32 => wires.iter().rev().fold(0u64, |bits, &wire| bits << 1 | wire as u64).into(),
        _ => Bits::Long(wires.into()),
    }
}

/// Wires of a bus with these fields.
pub const fn bus_width(layout: &[usize]) -> usize {
    let (mut i, mut width) = (0, 0);
    while i < layout.len() {
        width += layout[i];
        i += 1;
    }
    width
}

/// The wires of a bus, one byte (0 or 1) each, in front of a buffer.
fn wires<const N: usize>(bus: &Bits<N>, buffer: &mut [u8]) {
    match bus {
        Bits::Long(wires) => {
            assert_eq!(std::mem::size_of_val(wires), N, "one byte for each wire");
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

/// The fields of a bus.
pub fn unpack<const N: usize>(bus: &Bits<N>, layout: &[usize]) -> Vec<Value> {
    // Room for a whole group of eight behind the last wire.
    let mut buffer = vec![0u8; N + 128 + 8];
    wires(bus, &mut buffer);
    let mut low = 0;
    layout
        .iter()
        .map(|&width| {
            let groups = buffer[low..low + width.next_multiple_of(8)].chunks_exact(8);
            low += width;
            let bits = groups.enumerate().fold(0u128, |bits, (i, group)| {
                let group = u64::from_le_bytes(group.try_into().expect("eight wires"));
                // Moves the low bit of each byte to its place in the top byte.
                bits | (((group.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u128) << (8 * i))
            });
            Value::new(bits, width)
        })
        .collect()
}

/// The bus with these fields.
pub fn pack<const N: usize>(fields: &[Value], layout: &[usize]) -> Bits<N> {
    assert_eq!(fields.len(), layout.len(), "number of fields");
    if N <= 32 {
        let mut bits = 0u64;
        let mut low = 0;
        for (field, &width) in fields.iter().zip(layout) {
            assert_eq!(field.width as usize, width, "width of a field");
            bits |= (field.bits as u64) << low;
            low += width;
        }
        return bits.into();
    }
    let mut bus = [false; N];
    let mut rest = &mut bus[..];
    for (field, &width) in fields.iter().zip(layout) {
        assert_eq!(field.width as usize, width, "width of a field");
        let (wires, behind) = rest.split_at_mut(width);
        rest = behind;
        for (i, group) in wires.chunks_mut(8).enumerate() {
            let byte = (field.bits >> (8 * i)) as u8;
            for (bit, wire) in group.iter_mut().enumerate() {
                *wire = byte >> bit & 1 != 0;
            }
        }
    }
    Bits::Long(bus.into())
}

/// The input port `name` drawn as its fields.
pub fn draw_input(name: &'static str, layout: &[usize]) -> Vec<net::Net> {
    let bus = bus_width(layout);
    let mut low = 0;
    layout
        .iter()
        .map(|&width| {
            low += width;
            net::Net::port(name, if bus == 1 { None } else { Some(low - width) }, width)
        })
        .collect()
}

/// Makes a RustHDL block of a network with a register behind each output: latency one clock, one result per clock.
///
/// The function takes one slice of fields for each input port and returns one `Vec` of fields for each output port.
///
/// `Name = function, held { … }` has a further input `hold`, of one wire: in a clock in which it is high the registers
/// keep what they have. It stands for their clock enable and is no business of the function.
#[macro_export]
macro_rules! network {
    ($(#[$meta:meta])* $name:ident = $function:ident, held { $($ports:tt)+ }) => {
        $crate::network!(@ $(#[$meta])* $name = $function, [hold] { $($ports)+ });
    };
    ($(#[$meta:meta])* $name:ident = $function:ident { $($ports:tt)+ }) => {
        $crate::network!(@ $(#[$meta])* $name = $function, [] { $($ports)+ });
    };
    (@ $(#[$meta:meta])* $name:ident = $function:ident, [$($hold:ident)?]
        { $(in $input:ident: $in_layout:expr;)+ $(out $output:ident: $out_layout:expr;)+ }) => {
        $(#[$meta])*
        #[derive(rust_hdl::prelude::LogicBlock, Default)]
        pub struct $name {
            pub clock: Signal<In, Clock>,
            $(pub $hold: Signal<In, Bits<1>>,)?
            $(pub $input: Signal<In, Bits<{ $crate::network::bus_width($in_layout) }>>,)+
            $(pub $output: Signal<Out, Bits<{ $crate::network::bus_width($out_layout) }>>,)+
            _started: bool,
            _stale: bool,
        }

        impl $crate::network::Network for $name {
            const NAME: &'static str = stringify!($name);

            fn set_clock(&mut self, high: bool) {
                self.clock.next = high.into();
            }

            fn set_inputs(&mut self, wires: &mut dyn FnMut(&'static str, usize) -> Vec<bool>) {
                $(self.$hold.next = $crate::network::bus(&wires(stringify!($hold), 1));)?
                $(self.$input.next = $crate::network::bus(
                    &wires(stringify!($input), $crate::network::bus_width($in_layout)),
                );)+
            }
        }

        impl Logic for $name {
            fn update(&mut self) {
                let held = false $(|| self.$hold.val().any())?;
                if self.clock.pos_edge() && !held && (self._stale || !self._started) {
                    self._started = true;
                    self._stale = false;
                    let results = $function(&[$(&$crate::network::unpack(&self.$input.val(), $in_layout)[..]),+]);
                    let mut results = results.into_iter();
                    $(self.$output.next = $crate::network::pack(&results.next().expect("an output"), $out_layout);)+
                }
                self._stale |= false $(|| self.$input.changed)+;
            }

            fn connect(&mut self) {
                $(self.$output.connect();)+
            }

            fn hdl(&self) -> Verilog {
                $crate::network::net::start();
                let results = $function(&[
                    $(&$crate::network::draw_input(stringify!($input), $in_layout)[..]),+
                ]);
                let mut results = results.into_iter();
                let registers = [$((stringify!($output), results.next().expect("an output"))),+];
                let hold: &[&str] = &[$(stringify!($hold))?];
                Verilog::Custom($crate::network::net::registered(&registers, hold.first().copied()))
            }

            fn timing(&self) -> Vec<rust_hdl::core::timing::TimingInfo> {
                vec![rust_hdl::core::timing::TimingInfo {
                    name: stringify!($name).into(),
                    clock: "clock".into(),
                    inputs: vec![$(stringify!($hold).into(),)? $(stringify!($input).into()),+],
                    outputs: vec![$(stringify!($output).into()),+],
                }]
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bus_keeps_its_fields() {
        const LAYOUT: &[usize] = &[1, 81, 7, 128, 3, 9, 1];
        const N: usize = bus_width(LAYOUT);
        let fields: Vec<Value> = LAYOUT
            .iter()
            .enumerate()
            .map(|(i, &width)| {
                Value::new(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835u128.rotate_left(17 * i as u32), width)
            })
            .collect();
        let bus: Bits<N> = pack(&fields, LAYOUT);
        let mut low = 0;
        for field in &fields {
            for i in 0..field.width as usize {
                assert_eq!(bus.get_bit(low + i), field.bits >> i & 1 != 0);
            }
            low += field.width as usize;
        }
        assert_eq!(unpack(&bus, LAYOUT), fields);
        let short: Bits<12> = pack(&[Value::new(5, 3), Value::new(300, 9)], &[3, 9]);
        assert_eq!(unpack(&short, &[3, 9]), [Value::new(5, 3), Value::new(300, 9)]);
    }
}
