//! Named constants of a block.
//!
//! RustHDL's `Constant` has no default value, so a block that has one needs a constructor that lists every port and
//! register again. [`constants!`](crate::constants!) makes a bundle of constants with a default value: a block that has
//! such a bundle derives `Default`. In a kernel a constant is `self.bundle.name.val()`; the Verilog declares it as
//! `localparam bundle$name`.

/// Makes a bundle of constants. A value is an integer of any type that is cast to `u64`.
#[macro_export]
macro_rules! constants {
    ($(#[$meta:meta])* $visibility:vis $name:ident { $($(#[$doc:meta])* $field:ident: $ty:ty = $value:expr;)+ }) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$doc])* pub $field: rust_hdl::prelude::Constant<$ty>,)+
        }

        impl Default for $name {
            #[allow(trivial_numeric_casts, reason = "a value may be a `u64`")]
            fn default() -> Self {
                $name { $($field: rust_hdl::prelude::Constant::new(($value as u64).into()),)+ }
            }
        }

        impl rust_hdl::prelude::Logic for $name {
            fn update(&mut self) {}
        }

        impl rust_hdl::prelude::Block for $name {
            fn connect_all(&mut self) {}

            fn update_all(&mut self) {}

            fn has_changed(&self) -> bool {
                false
            }

            fn accept(&self, name: &str, probe: &mut dyn rust_hdl::prelude::Probe) {
                probe.visit_start_namespace(name, self);
                $(self.$field.accept(stringify!($field), probe);)+
                probe.visit_end_namespace(name, self);
            }
        }
    };
}
