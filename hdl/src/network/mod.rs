//! Combinational networks as RustHDL blocks.
//!
//! The wide networks of shogi (rays over 81 squares, ten planes of arrivals) are written once, as Rust functions
//! generic over [`Word`]. The macro [`network!`](crate::network) makes a RustHDL block of such a function: in
//! simulation the function computes ([`value::Value`]), for synthesis it draws itself ([`net::Net`]). So there is one
//! description of each network; that its two readings agree is tested by an independent Verilog simulator.
//!
//! A port is a bus of *fields*, each at most 128 wires wide; a layout is the list of their widths.

pub mod net;
pub mod value;
pub mod word;

pub use word::Word;

use rust_hdl::prelude::Bits;
use value::Value;

/// Wires of a bus with these fields.
pub const fn bus_width(layout: &[usize]) -> usize {
    let (mut i, mut width) = (0, 0);
    while i < layout.len() {
        width += layout[i];
        i += 1;
    }
    width
}

/// The fields of a bus.
pub fn unpack<const N: usize>(bus: &Bits<N>, layout: &[usize]) -> Vec<Value> {
    let mut low = 0;
    layout
        .iter()
        .map(|&width| {
            let bits = (0..width).fold(0u128, |bits, i| bits | (bus.get_bit(low + i) as u128) << i);
            low += width;
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
    let mut low = 0;
    for (field, &width) in fields.iter().zip(layout) {
        assert_eq!(field.width as usize, width, "width of a field");
        for (i, wire) in bus[low..low + width].iter_mut().enumerate() {
            *wire = field.bits >> i & 1 != 0;
        }
        low += width;
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
#[macro_export]
macro_rules! network {
    ($(#[$meta:meta])* $name:ident = $function:ident
        { $(in $input:ident: $in_layout:expr;)+ $(out $output:ident: $out_layout:expr;)+ }) => {
        $(#[$meta])*
        #[derive(rust_hdl::prelude::LogicBlock, Default)]
        pub struct $name {
            pub clock: Signal<In, Clock>,
            $(pub $input: Signal<In, Bits<{ $crate::network::bus_width($in_layout) }>>,)+
            $(pub $output: Signal<Out, Bits<{ $crate::network::bus_width($out_layout) }>>,)+
            _started: bool,
            _stale: bool,
        }

        impl Logic for $name {
            fn update(&mut self) {
                if self.clock.pos_edge() && (self._stale || !self._started) {
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
                Verilog::Custom($crate::network::net::registered(&registers))
            }

            fn timing(&self) -> Vec<rust_hdl::core::timing::TimingInfo> {
                vec![rust_hdl::core::timing::TimingInfo {
                    name: stringify!($name).into(),
                    clock: "clock".into(),
                    inputs: vec![$(stringify!($input).into()),+],
                    outputs: vec![$(stringify!($output).into()),+],
                }]
            }
        }
    };
}
