//! Combinational networks as RustHDL blocks.
//!
//! The wide networks of shogi (rays over 81 squares, ten planes of arrivals) are written once, as Rust functions
//! generic over [`Word`]. The macro [`network!`](crate::network!) makes a RustHDL block of such a function: in
//! simulation the function computes ([`value::Value`]), for synthesis it draws itself ([`net::Net`]), and
//! [`emit`] writes the drawing as Verilog. So there is one description of each network; that its two readings agree is
//! tested by an independent Verilog simulator.
//!
//! ```text
//!             function(Inputs<W>) -> Outputs<W>
//!               |                        |
//!   W = Value   | computes               | W = Net  draws
//!               v                        v
//!       RustHDL's simulation       net -> emit -> Verilog
//! ```
//!
//! A port has a [`Layout`]: wires, an array, or a [`bundle!`](crate::bundle) of named fields, each at most 128 wires wide.
//! How to write a block, step by step: `hdl/WRITING_A_BLOCK.md`.

pub mod bus;
pub mod emit;
mod expression;
mod graph;
pub mod layout;
pub mod names;
pub mod net;
pub mod pile;
mod reads;
pub mod value;
mod wires;
pub mod word;

pub use layout::{width, Layout, Wire, Wires};
pub use net::Net;
pub use value::Value;
pub use word::Word;

use rust_hdl::prelude::Block;

/// What blocks made by [`network!`](crate::network!) have in common, for tests that do not care which one it is.
pub trait Network: Block + Default {
    /// The name of the type, which is also that of the block's [`timing`](rust_hdl::prelude::Logic::timing).
    const NAME: &'static str;

    /// Sets the clock.
    fn set_clock(&mut self, high: bool);

    /// Sets every input to what `wires` gives for its name and width: one `bool` for each wire, the first one first.
    fn set_inputs(&mut self, wires: &mut dyn FnMut(&'static str, usize) -> Vec<bool>);
}

/// Makes a RustHDL block of a network with a register behind each output: latency one clock, one result per clock.
///
/// `Name = function(Inputs) -> Outputs { in a: L; … out b: M; … }` declares the block `Name` with a clock and these
/// ports, and the structs `Inputs<W>` and `Outputs<W>` with a field for each port. The function takes the one and
/// returns the other; a port that is missing or misspelt does not compile.
///
/// `…, unclocked { … }` makes a block without registers and clock: its outputs follow its inputs at once. It serves to put wires together
/// by their names, and for decisions between registers.
///
/// `…, held { … }` gives the block a further input `hold`, of one wire: in a clock in which it is high the registers
/// keep their values. It is their clock enable, and the function does not see it.
#[macro_export]
macro_rules! network {
    ($(#[$meta:meta])* $name:ident = $function:ident($inputs:ident) -> $outputs:ident, unclocked
        { $(in $input:ident: $in_layout:ty;)+ $(out $output:ident: $out_layout:ty;)+ }) => {
        $(#[$meta])*
        #[derive(rust_hdl::prelude::LogicBlock, Default)]
        pub struct $name {
            $(#[doc = concat!("A bus with the layout `", stringify!($in_layout), "`.")] pub $input: Signal<In, Bits<{ $crate::network::width::<$in_layout>() }>>,)+
            $(#[doc = concat!("A bus with the layout `", stringify!($out_layout), "`.")] pub $output: Signal<Out, Bits<{ $crate::network::width::<$out_layout>() }>>,)+
            _started: bool,
        }

        $crate::network!(@ports $function($inputs) -> $outputs { $(in $input: $in_layout;)+ $(out $output: $out_layout;)+ });

        impl Logic for $name {
            fn update(&mut self) {
                if !self._started $(|| self.$input.changed)+ {
                    self._started = true;
                    let outputs = $function($inputs {
                        $($input: $crate::network::bus::read::<$in_layout, _>(&self.$input.val())),+
                    });
                    $(self.$output.next = $crate::network::bus::write::<$out_layout, _>(&outputs.$output);)+
                }
            }

            fn connect(&mut self) {
                $(self.$output.connect();)+
            }

            fn hdl(&self) -> Verilog {
                let mut drawing = $crate::network::emit::Drawing::start(None);
                let outputs = $function($inputs {
                    $($input: drawing.input::<$in_layout>(stringify!($input))),+
                });
                $(drawing.register::<$out_layout>(stringify!($output), &outputs.$output);)+
                Verilog::Custom(drawing.assigned())
            }
        }
    };
    (@ports $function:ident($inputs:ident) -> $outputs:ident
        { $(in $input:ident: $in_layout:ty;)+ $(out $output:ident: $out_layout:ty;)+ }) => {
        #[doc = concat!("What [`", stringify!($function), "`] takes.")]
        pub struct $inputs<W: $crate::network::Word> {
            $(#[doc = concat!("Layout `", stringify!($in_layout), "`.")] pub $input: <$in_layout as $crate::network::Layout>::Of<W>,)+
        }

        #[doc = concat!("What [`", stringify!($function), "`] gives.")]
        pub struct $outputs<W: $crate::network::Word> {
            $(#[doc = concat!("Layout `", stringify!($out_layout), "`.")] pub $output: <$out_layout as $crate::network::Layout>::Of<W>,)+
        }
    };
    ($(#[$meta:meta])* $name:ident = $function:ident($inputs:ident) -> $outputs:ident, held { $($ports:tt)+ }) => {
        $crate::network!(@ $(#[$meta])* $name = $function($inputs) -> $outputs, [hold] { $($ports)+ });
    };
    ($(#[$meta:meta])* $name:ident = $function:ident($inputs:ident) -> $outputs:ident { $($ports:tt)+ }) => {
        $crate::network!(@ $(#[$meta])* $name = $function($inputs) -> $outputs, [] { $($ports)+ });
    };
    (@ $(#[$meta:meta])* $name:ident = $function:ident($inputs:ident) -> $outputs:ident, [$($hold:ident)?]
        { $(in $input:ident: $in_layout:ty;)+ $(out $output:ident: $out_layout:ty;)+ }) => {
        $(#[$meta])*
        #[derive(rust_hdl::prelude::LogicBlock, Default)]
        pub struct $name {
            /// Clock of all registers.
            pub clock: Signal<In, Clock>,
            $(
                /// The registers keep their values.
                pub $hold: Signal<In, Bits<1>>,
            )?
            $(#[doc = concat!("A bus with the layout `", stringify!($in_layout), "`.")] pub $input: Signal<In, Bits<{ $crate::network::width::<$in_layout>() }>>,)+
            $(#[doc = concat!("A register with the layout `", stringify!($out_layout), "`.")] pub $output: Signal<Out, Bits<{ $crate::network::width::<$out_layout>() }>>,)+
            _started: bool,
            _stale: bool,
        }

        $crate::network!(@ports $function($inputs) -> $outputs { $(in $input: $in_layout;)+ $(out $output: $out_layout;)+ });

        impl $crate::network::Network for $name {
            const NAME: &'static str = stringify!($name);

            fn set_clock(&mut self, high: bool) {
                self.clock.next = high.into();
            }

            fn set_inputs(&mut self, wires: &mut dyn FnMut(&'static str, usize) -> Vec<bool>) {
                $(self.$hold.next = $crate::network::bus::bus(&wires(stringify!($hold), 1));)?
                $(self.$input.next = $crate::network::bus::bus(
                    &wires(stringify!($input), $crate::network::width::<$in_layout>()),
                );)+
            }
        }

        impl Logic for $name {
            fn update(&mut self) {
                let held = false $(|| self.$hold.val().any())?;
                if self.clock.pos_edge() && !held && (self._stale || !self._started) {
                    self._started = true;
                    self._stale = false;
                    let outputs = $function($inputs {
                        $($input: $crate::network::bus::read::<$in_layout, _>(&self.$input.val())),+
                    });
                    $(self.$output.next = $crate::network::bus::write::<$out_layout, _>(&outputs.$output);)+
                }
                self._stale |= false $(|| self.$input.changed)+;
            }

            fn connect(&mut self) {
                $(self.$output.connect();)+
            }

            fn hdl(&self) -> Verilog {
                let hold: &[&str] = &[$(stringify!($hold))?];
                let mut drawing = $crate::network::emit::Drawing::start(hold.first().copied());
                let outputs = $function($inputs {
                    $($input: drawing.input::<$in_layout>(stringify!($input))),+
                });
                $(drawing.register::<$out_layout>(stringify!($output), &outputs.$output);)+
                Verilog::Custom(drawing.verilog())
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
