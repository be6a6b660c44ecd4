//! Layouts: how named fields lie side by side on a bus.
//!
//! A layout gives the width of a port, the order in which its fields are packed (the first one in the least significant
//! place) and the type that a network sees. There are three kinds:
//!
//! | layout | a network sees |
//! |---|---|
//! | `Wires<N>`, up to 128 wires | one [`Word`] |
//! | `[L; N]` | an array, the first element lowest |
//! | a struct of [`bundle!`](crate::bundle) | the struct, with these fields |

use super::{Net, Word};

/// How a value lies on a bus.
pub trait Layout {
    /// Wires of the bus.
    const WIDTH: usize;

    /// The value as a network sees it.
    type Of<W: Word>: Clone;

    /// Takes the value off a bus: `take` gives the next field of a width, the lowest field first.
    fn read<W: Word>(take: &mut impl FnMut(usize) -> W) -> Self::Of<W>;

    /// Puts the value on a bus, the lowest field first.
    ///
    /// # Panics
    /// If a field is not as wide as the layout says.
    fn write<W: Word>(value: &Self::Of<W>, put: &mut impl FnMut(W));

    /// Tells each field's name, which is made of the value's: `tag_valid`, `board_code_0`.
    fn name(value: &Self::Of<Net>, name: &str, tell: &mut impl FnMut(Net, &str));

    /// The fields, the lowest first.
    fn fields<W: Word>(value: &Self::Of<W>) -> Vec<W> {
        let mut fields = Vec::new();
        Self::write(value, &mut |field| fields.push(field));
        fields
    }

    /// The value with these fields, the lowest first.
    ///
    /// # Panics
    /// If there are too few.
    fn from_fields<W: Word>(fields: impl IntoIterator<Item = W>) -> Self::Of<W> {
        let mut fields = fields.into_iter();
        Self::read(&mut |_| fields.next().expect("a field"))
    }
}

/// Wires of a bus with this layout.
pub const fn width<L: Layout>() -> usize {
    L::WIDTH
}

/// Layout of a field: one word of 1 to 128 wires.
#[derive(Clone, Copy, Debug)]
pub struct Wires<const N: usize>;

/// Layout of a field of one wire.
pub type Wire = Wires<1>;

impl<const N: usize> Layout for Wires<N> {
    const WIDTH: usize = N;
    type Of<W: Word> = W;

    fn read<W: Word>(take: &mut impl FnMut(usize) -> W) -> W {
        take(N)
    }
    fn write<W: Word>(value: &W, put: &mut impl FnMut(W)) {
        assert_eq!(value.width(), N, "width of a field");
        put(*value);
    }
    fn name(value: &Net, name: &str, tell: &mut impl FnMut(Net, &str)) {
        tell(*value, name);
    }
}

impl<L: Layout, const N: usize> Layout for [L; N] {
    const WIDTH: usize = N * L::WIDTH;
    type Of<W: Word> = [L::Of<W>; N];

    fn read<W: Word>(take: &mut impl FnMut(usize) -> W) -> [L::Of<W>; N] {
        std::array::from_fn(|_| L::read(take))
    }
    fn write<W: Word>(value: &[L::Of<W>; N], put: &mut impl FnMut(W)) {
        value.iter().for_each(|element| L::write(element, put));
    }
    fn name(value: &[L::Of<Net>; N], name: &str, tell: &mut impl FnMut(Net, &str)) {
        value.iter().enumerate().for_each(|(i, element)| L::name(element, &format!("{name}_{i}"), tell));
    }
}

/// Declares a bundle: a struct of fields that is a [`Layout`] too.
///
/// ```
/// use hayasashi_hdl::{bundle, network::{width, Wire, Wires}};
///
/// bundle! {
///     /// A stone on the board of another game.
///     pub struct Stone {
///         /// There is a stone.
///         present: Wire,
///         /// Its square.
///         square: Wires<9>,
///     }
/// }
/// assert_eq!(width::<Stone>(), 10);
/// ```
///
/// `Stone<W>` is the struct that a network takes and gives, with a field `present` and a field `square`. `Stone` without an
/// argument, as in `in stone: Stone;`, is the layout. A field is itself a layout: wires, an array, or another bundle.
#[macro_export]
macro_rules! bundle {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $layout:ty,)+ }) => {
        $(#[$meta])*
        $vis struct $name<W: $crate::network::Word = $crate::network::Value> {
            $($(#[$field_meta])* pub $field: <$layout as $crate::network::Layout>::Of<W>,)+
        }

        impl<W: $crate::network::Word> Copy for $name<W> {}

        impl<W: $crate::network::Word> Clone for $name<W> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl $crate::network::Layout for $name {
            const WIDTH: usize = 0 $(+ <$layout as $crate::network::Layout>::WIDTH)+;
            type Of<W: $crate::network::Word> = $name<W>;

            fn read<W: $crate::network::Word>(take: &mut impl FnMut(usize) -> W) -> $name<W> {
                $name { $($field: <$layout as $crate::network::Layout>::read(take)),+ }
            }
            fn write<W: $crate::network::Word>(value: &$name<W>, put: &mut impl FnMut(W)) {
                $(<$layout as $crate::network::Layout>::write(&value.$field, put);)+
            }
            fn name(
                value: &$name<$crate::network::Net>,
                name: &str,
                tell: &mut impl FnMut($crate::network::Net, &str),
            ) {
                $(<$layout as $crate::network::Layout>::name(
                    &value.$field,
                    &format!("{name}_{}", stringify!($field)),
                    tell,
                );)+
            }
        }

        #[allow(dead_code, reason = "not every bundle is used in every way")]
        impl $name {
            /// The lowest wire of a field on a bus with this layout.
            ///
            /// # Panics
            /// If there is no field of this name.
            $vis fn lowest_wire(field: &str) -> usize {
                let mut low = 0;
                $(
                    if field == stringify!($field) {
                        return low;
                    }
                    low += <$layout as $crate::network::Layout>::WIDTH;
                )+
                panic!("a bus of {low} wires has no field `{field}`")
            }
        }

        #[allow(dead_code, reason = "not every bundle is used in every way")]
        impl<W: $crate::network::Word> $name<W> {
            /// The bundle of which each field is `f` of these two bundles' field.
            $vis fn zip(&self, other: &Self, mut f: impl FnMut(W, W) -> W) -> Self {
                use $crate::network::Layout;
                let fields = <$name>::fields(self).into_iter().zip(<$name>::fields(other));
                <$name>::from_fields(fields.map(|(a, b)| f(a, b)))
            }

            /// `on` where the one-wire `condition` is set, else `off`.
            $vis fn choose(condition: W, on: &Self, off: &Self) -> Self {
                on.zip(off, |on, off| condition.choose(on, off))
            }

            /// The bundle where the one-wire `condition` is set, else zero.
            $vis fn when(&self, condition: W) -> Self {
                use $crate::network::Layout;
                <$name>::from_fields(<$name>::fields(self).into_iter().map(|field| field.when(condition)))
            }
        }
    };
}
