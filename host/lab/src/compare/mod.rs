//! The speed of the chip compared with software.
//!
//! | figure | source |
//! |---|---|
//! | software | [`software`]: the rules and the model, timed on one core and on all cores |
//! | chip | [`chip`]: clocks counted in simulation of the board's chip on the same positions, times the clock rate that place and route reached ([`clock`]) |
//! | searches | [`search`]: the engine's alpha-beta and `SEARCH` by the model, timed; clocks of a simulated chip that can search |
//! | chip and link | [`link`]: computed from the bytes of the actual frames |
//! | board | timed, if a board is attached |
//!
//! Every [`Figure`] states whether it was measured, simulated or computed. Ratios are to the fastest software on one core.

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
pub mod search;
pub mod software;
pub mod text;

pub use error::CompareError;
pub use figure::{digits, duration, grouped, short, Figure, Provenance};
pub use report::Comparison;
pub use run::{run, Chips, CompareJob};
pub use sample::{PerftTree, PositionQuery, Sample};

/// Callbacks of a running comparison.
pub struct Monitor<'a> {
    /// Receives a description of each measurement before it begins.
    pub on_step: &'a dyn Fn(&str),
    /// Returns true when the comparison is to stop.
    pub should_stop: &'a dyn Fn() -> bool,
}

impl Monitor<'_> {
    /// Ignores all messages and never stops.
    pub fn silent() -> Monitor<'static> {
        Monitor { on_step: &|_| {}, should_stop: &|| false }
    }

    fn step(&self, description: &str) {
        (self.on_step)(description);
    }

    fn stopped(&self) -> bool {
        (self.should_stop)()
    }

    fn check(&self) -> Result<(), CompareError> {
        match self.stopped() {
            true => Err(CompareError::Stopped),
            false => Ok(()),
        }
    }
}
