//! The simulated gateware in this process.

use super::{AccelError, Board};
use std::time::Duration;

/// Starts the simulation and greets it.
pub(super) fn open(_timeout: Duration) -> Result<Board, AccelError> {
    Err(AccelError::Open {
        target: "rtl".into(),
        reason: "this program was built without the simulated gateware".into(),
        hint: "use `model`".into(),
    })
}
