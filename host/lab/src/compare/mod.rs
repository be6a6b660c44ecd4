//! How fast the chip is beside software, told so that it may be quoted.
//!
//! | figure | how it is come by |
//! |---|---|
//! | software | [`software`]: the rules and the model, timed now on one core and on all |
//! | chip | [`chip`]: clocks counted in simulation of the board's chip on the same positions, times the clock that place and route reached ([`clock`]) |
//! | chip and link | [`link`]: from the bytes of the very frames |
//! | a board | timed, where one is attached |
//!
//! Every [`Figure`] says whether it was measured or computed. Ratios are to the fastest software on one core.

pub mod chip;
pub mod clock;
mod error;
mod figure;
pub mod html;
pub mod link;
pub mod machine;
mod plot;
pub mod report;
mod run;
mod sample;
pub mod software;
pub mod text;

pub use error::CompareError;
pub use figure::{digits, duration, grouped, short, Basis, Figure};
pub use report::Comparison;
pub use run::{run, Chips, CompareJob};
pub use sample::{Question, Sample, Tree};

/// Who looks on while figures are measured.
pub struct Watch<'a> {
    /// Is told what comes next.
    pub tell: &'a dyn Fn(&str),
    /// Says whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

impl Watch<'_> {
    /// Nobody.
    pub fn silent() -> Watch<'static> {
        Watch { tell: &|_| {}, stop: &|| false }
    }

    fn tell(&self, what: &str) {
        (self.tell)(what)
    }

    fn stopped(&self) -> bool {
        (self.stop)()
    }

    fn check(&self) -> Result<(), CompareError> {
        match self.stopped() {
            true => Err(CompareError::Stopped),
            false => Ok(()),
        }
    }
}
