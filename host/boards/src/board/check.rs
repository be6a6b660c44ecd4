//! Checks the values of a board's file.

use super::{schema, Board, BoardError, Constraints, FIRST_NUMBER, SLICES};
use hayasashi_hdl::{
    config::{MAX_PERFT_UNITS, MAX_WALKERS},
    search::table_rows::MOST_TABLE_BITS,
    top::{
        board::BoardError as TopError,
        pll::{ClockError, Family},
    },
};
use hayasashi_spec::search::MIN_TABLE_BITS;
use std::fmt::Display;

/// The constraints on a board's file that differ between families.
struct FamilyRules {
    /// Prefix of part numbers.
    part: &'static str,
    /// Speed grades.
    speed_grades: std::ops::RangeInclusive<u32>,
    /// Extension of the constraint file.
    extension: &'static str,
}

fn rules(family: Family) -> FamilyRules {
    match family {
        Family::Ecp5 => FamilyRules { part: "LFE5U", speed_grades: 6..=8, extension: "lpf" },
        Family::Gowin => FamilyRules { part: "GW2A", speed_grades: 7..=9, extension: "cst" },
        Family::Gw5a => FamilyRules { part: "GW5AST-LV138", speed_grades: 1..=2, extension: "cst" },
        Family::Xilinx => FamilyRules { part: "xc7", speed_grades: 1..=3, extension: "xdc" },
    }
}

/// The board of a parsed file, if all its values are valid.
pub(super) fn board(
    file: &str,
    stem: &str,
    schema: schema::BoardFile,
    text: &str,
    constraints: &[(&str, &str)],
) -> Result<Board, BoardError> {
    let rules = rules(schema.device.family);
    let constraint_name = format!("{stem}.{}", rules.extension);
    let Some((name, constraint_text)) = constraints.iter().find(|(name, _)| *name == constraint_name) else {
        let reason = format!("a board of this family needs the constraint file `{constraint_name}` in the same folder; hint: add that file");
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
        outputs: schema.outputs,
        place: schema.place,
        budget: schema.budget,
        routed: schema.routed,
        flash: schema.flash,
        constraints: Constraints { name: name.to_string(), text: constraint_text.to_string() },
        text: text.into(),
    };
    values(&board, &rules).map_err(|InvalidValue { key, value, reason }| BoardError::Value {
        file: file.into(),
        key,
        value,
        reason,
    })?;
    Ok(board)
}

/// A value that is not valid; `reason` explains why, with a hint.
struct InvalidValue {
    key: String,
    value: String,
    reason: String,
}

fn invalid<T>(key: impl Into<String>, value: impl Display, reason: impl Into<String>) -> Result<T, InvalidValue> {
    Err(InvalidValue { key: key.into(), value: value.to_string(), reason: reason.into() })
}

fn values(board: &Board, rules: &FamilyRules) -> Result<(), InvalidValue> {
    let device = &board.device;
    for (key, text) in [("name", &board.name), ("device.package", &device.package), ("flash.board", &board.flash.board)]
    {
        if text.trim().is_empty() {
            return invalid(key, format!("\"{text}\""), "the text is empty; hint: fill it in");
        }
    }
    if board.number < FIRST_NUMBER {
        return invalid(
            "number",
            board.number,
            format!("numbers of boards begin at {FIRST_NUMBER}; hint: choose a free one"),
        );
    }
    if !device.part.starts_with(rules.part) {
        let reason = format!("parts of this family begin with `{}`; hint: correct the part or the family", rules.part);
        return invalid("device.part", &device.part, reason);
    }
    if !rules.speed_grades.contains(&device.speed_grade) {
        let (least, most) = (rules.speed_grades.start(), rules.speed_grades.end());
        return invalid(
            "device.speed_grade",
            device.speed_grade,
            format!("the speed grades of this family are {least} to {most}"),
        );
    }
    match (&device.series, device.family) {
        (None, Family::Gowin | Family::Gw5a) => {
            return invalid(
                "device.series",
                "(absent)",
                "a Gowin device needs this key; hint: for example `series = \"GW2A-18C\"` or `\"GW5AST-138C\"`",
            );
        }
        (Some(series), Family::Ecp5 | Family::Xilinx) => {
            return invalid("device.series", series, "only Gowin devices have a series; hint: delete the key");
        }
        _ => {}
    }
    let free = board.place.free_slices;
    if free > 0 && device.family != Family::Ecp5 {
        return invalid("place.free_slices", free, "only ECP5 builds keep slices free; hint: delete the key");
    }
    if free >= SLICES {
        return invalid(
            "place.free_slices",
            free,
            format!("a logic tile has {SLICES} slices; hint: keep at most {} free", SLICES - 1),
        );
    }
    if board.units.movegen > 1 {
        return invalid(
            "units.movegen",
            board.units.movegen,
            "the chip has one move generator, or only counts moves or searches; hint: write 1 or 0",
        );
    }
    if board.units.perft > MAX_PERFT_UNITS {
        return invalid(
            "units.perft",
            board.units.perft,
            format!("the chip has at most {MAX_PERFT_UNITS} units for walks; hint: write 0 to {MAX_PERFT_UNITS}"),
        );
    }
    if board.units.evaluate > 1 {
        return invalid(
            "units.evaluate",
            board.units.evaluate,
            "the chip has at most one evaluator; hint: write 0 or 1",
        );
    }
    if board.units.search > MAX_WALKERS {
        return invalid(
            "units.search",
            board.units.search,
            format!("the chip has at most {MAX_WALKERS} walkers of searches; hint: write 0 to {MAX_WALKERS}"),
        );
    }
    if board.units.search > 0 && board.units.evaluate == 0 {
        return invalid(
            "units.search",
            board.units.search,
            "a search takes its scores from the evaluator; hint: write `evaluate = 1` too",
        );
    }
    if board.units.network > 1 {
        return invalid(
            "units.network",
            board.units.network,
            "the chip takes networks or does not; hint: write 0 or 1",
        );
    }
    if board.units.network > 0 && board.units.search == 0 {
        return invalid(
            "units.network",
            board.units.network,
            "a network corrects the scores of searches; hint: write `search = 1` too, or delete the key",
        );
    }
    let table_bits = board.units.search_table_bits;
    if !(MIN_TABLE_BITS..=MOST_TABLE_BITS).contains(&table_bits) {
        return invalid(
            "units.search_table_bits",
            table_bits,
            format!("a search's table has 2^{MIN_TABLE_BITS} to 2^{MOST_TABLE_BITS} entries; hint: write the power, or delete the key"),
        );
    }
    board.config().check().map_err(|error| top_error(board, error))?;
    budget(board)
}

/// The key and value that caused an error of the gateware's top level.
fn top_error(board: &Board, error: TopError) -> InvalidValue {
    let (key, value, reason) = match error {
        TopError::Clock(ClockError { key: key @ ("oscillator_hz" | "chip_hz"), value, reason }) => {
            (format!("clock.{key}"), value.to_string(), reason)
        }
        TopError::Clock(ClockError { key, value, reason }) => (format!("clock.pll.{key}"), value.to_string(), reason),
        error @ TopError::Differential => ("clock.differential".into(), "true".into(), error.to_string()),
        TopError::Baud(error) => ("uart.baud_hz".into(), board.uart.baud_hz.to_string(), error.to_string()),
        TopError::Port { name, reason } => {
            let value = board.outputs.get(&name).map_or("(absent)", |output| output.word());
            (format!("outputs.{name}"), format!("\"{value}\""), reason.into())
        }
        error @ TopError::Capabilities { .. } => {
            ("units.movegen".into(), board.units.movegen.to_string(), error.to_string())
        }
    };
    InvalidValue { key, value, reason }
}

fn budget(board: &Board) -> Result<(), InvalidValue> {
    let budget = &board.budget;
    for (key, value) in [("luts", budget.luts), ("flip_flops", budget.flip_flops), ("block_rams", budget.block_rams)] {
        if value == 0 {
            return invalid(
                format!("budget.{key}"),
                value,
                "every chip needs some; hint: give the most that the chip may use",
            );
        }
    }
    if budget.fmax_hz < board.clock.chip_hz {
        let reason = format!(
            "the value is below `clock.chip_hz = {}`; hint: raise this value or lower that one",
            board.clock.chip_hz
        );
        return invalid("budget.fmax_hz", budget.fmax_hz, reason);
    }
    match &board.routed {
        Some(routed) if routed.fmax_hz < budget.fmax_hz => invalid(
            "routed.fmax_hz",
            routed.fmax_hz,
            format!(
                "the value is below `budget.fmax_hz = {}`; hint: delete `[routed]`, or correct the value",
                budget.fmax_hz
            ),
        ),
        _ => Ok(()),
    }
}
