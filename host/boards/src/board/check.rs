//! Whether the values of a board's file can be.

use super::{schema, Board, BoardError, Constraints, FIRST_NUMBER, SLICES};
use hayasashi_hdl::top::{
    board::BoardError as TopError,
    config::MAX_PERFT_UNITS,
    pll::{ClockError, Family},
};
use std::fmt::Display;

/// What differs between the families.
struct Rules {
    /// How part numbers begin.
    part: &'static str,
    /// Speed grades.
    speed_grades: std::ops::RangeInclusive<u32>,
    /// Ending of the constraint file.
    ending: &'static str,
}

fn rules(family: Family) -> Rules {
    match family {
        Family::Ecp5 => Rules { part: "LFE5U", speed_grades: 6..=8, ending: "lpf" },
        Family::Gowin => Rules { part: "GW2A", speed_grades: 7..=9, ending: "cst" },
        Family::Xilinx => Rules { part: "xc7", speed_grades: 1..=3, ending: "xdc" },
    }
}

pub(super) fn board(
    file: &str,
    stem: &str,
    schema: schema::File,
    text: &str,
    constraints: &[(&str, &str)],
) -> Result<Board, BoardError> {
    let rules = rules(schema.device.family);
    let constraint_name = format!("{stem}.{}", rules.ending);
    let Some((name, constraint_text)) = constraints.iter().find(|(name, _)| *name == constraint_name) else {
        let reason = format!("a board of this family needs `{constraint_name}` beside it; add that file");
        return Err(BoardError::Read { file: file.into(), reason });
    };
    let board = Board {
        stem: stem.into(),
        name: schema.name,
        number: schema.number,
        device: schema.device,
        clock: schema.clock,
        uart: schema.uart,
        units: schema.units,
        outputs: schema.outputs.into_iter().map(|(name, output)| (name, output.into())).collect(),
        place: schema.place,
        budget: schema.budget,
        flash: schema.flash,
        constraints: Constraints { name: name.to_string(), text: constraint_text.to_string() },
        text: text.into(),
    };
    values(&board, &rules).map_err(|Wrong { key, value, reason }| BoardError::Value {
        file: file.into(),
        key,
        value,
        reason,
    })?;
    Ok(board)
}

struct Wrong {
    key: String,
    value: String,
    reason: String,
}

fn wrong<T>(key: impl Into<String>, value: impl Display, reason: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { key: key.into(), value: value.to_string(), reason: reason.into() })
}

fn values(board: &Board, rules: &Rules) -> Result<(), Wrong> {
    let device = &board.device;
    for (key, text) in [("name", &board.name), ("device.package", &device.package), ("flash.board", &board.flash.board)]
    {
        if text.trim().is_empty() {
            return wrong(key, format!("\"{text}\""), "it is empty; fill it in");
        }
    }
    if board.number < FIRST_NUMBER {
        return wrong("number", board.number, format!("numbers of boards begin with {FIRST_NUMBER}; take a free one"));
    }
    if !device.part.starts_with(rules.part) {
        let reason = format!("parts of this family begin with `{}`; correct the part or the family", rules.part);
        return wrong("device.part", &device.part, reason);
    }
    if !rules.speed_grades.contains(&device.speed_grade) {
        let (least, most) = (rules.speed_grades.start(), rules.speed_grades.end());
        return wrong("device.speed_grade", device.speed_grade, format!("this family has {least} to {most}"));
    }
    match (&device.series, device.family) {
        (None, Family::Gowin) => {
            return wrong("device.series", "(absent)", "a Gowin device needs it, e.g. `series = \"GW2A-18C\"`");
        }
        (Some(series), Family::Ecp5 | Family::Xilinx) => {
            return wrong("device.series", series, "only Gowin devices have one; delete the key");
        }
        _ => {}
    }
    let free = board.place.free_slices;
    if free > 0 && device.family != Family::Ecp5 {
        return wrong("place.free_slices", free, "only ECP5 builds keep slices free; delete the key");
    }
    if free >= SLICES {
        return wrong(
            "place.free_slices",
            free,
            format!("a tile has {SLICES} slices; keep at most {} free", SLICES - 1),
        );
    }
    if board.units.movegen > 1 {
        return wrong(
            "units.movegen",
            board.units.movegen,
            "the chip has one move generator, or only counts; write 1 or 0",
        );
    }
    if board.units.perft > MAX_PERFT_UNITS {
        return wrong("units.perft", board.units.perft, "none to four units walk; write 0 to 4");
    }
    if board.units.evaluate > 1 {
        return wrong("units.evaluate", board.units.evaluate, "the chip has no evaluator or one; write 0 or 1");
    }
    board.config().check().map_err(|error| top(board, error))?;
    budget(board)
}

/// The key that is to blame for what the gateware's top level refuses.
fn top(board: &Board, error: TopError) -> Wrong {
    let (key, value, reason) = match error {
        TopError::Clock(ClockError { key: key @ ("oscillator_hz" | "chip_hz"), value, reason }) => {
            (format!("clock.{key}"), value.to_string(), reason)
        }
        TopError::Clock(ClockError { key, value, reason }) => (format!("clock.pll.{key}"), value.to_string(), reason),
        TopError::Baud(error) => ("uart.baud_hz".into(), board.uart.baud_hz.to_string(), error.to_string()),
        TopError::Port { name, reason } => {
            let value = board.outputs.get(&name).map_or("(absent)", |output| output.word());
            (format!("outputs.{name}"), format!("\"{value}\""), reason.into())
        }
        error @ TopError::Capabilities { .. } => {
            ("units.movegen".into(), board.units.movegen.to_string(), error.to_string())
        }
    };
    Wrong { key, value, reason }
}

fn budget(board: &Board) -> Result<(), Wrong> {
    let budget = &board.budget;
    for (key, value) in [("luts", budget.luts), ("flip_flops", budget.flip_flops), ("block_rams", budget.block_rams)] {
        if value == 0 {
            return wrong(format!("budget.{key}"), value, "no chip does without; give the most that it may take");
        }
    }
    if budget.fmax_hz < board.clock.chip_hz {
        let reason = format!("it must be at least clock.chip_hz = {}; raise it or lower that", board.clock.chip_hz);
        return wrong("budget.fmax_hz", budget.fmax_hz, reason);
    }
    Ok(())
}
