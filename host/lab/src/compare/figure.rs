//! A number with its unit and its provenance: measured, simulated or computed.

use serde::Serialize;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Timed or counted on this machine, or by a board.
    Measured,
    /// Counted in clocks of a simulated chip.
    Simulated,
    /// Computed from other figures or from assumptions.
    Computed,
}

impl Provenance {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Provenance::Measured => "measured",
            Provenance::Simulated => "simulated",
            Provenance::Computed => "computed",
        }
    }
}

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The number; the median of several measurements.
    pub value: f64,
    /// `positions/s`, `clocks`, `Hz`, …
    pub unit: &'static str,
    /// Where it comes from.
    pub basis: Provenance,
    /// The smallest of several measurements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The largest of several measurements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

impl Figure {
    /// A figure that was measured once.
    pub fn measured(value: f64, unit: &'static str) -> Figure {
        Figure { value, unit, basis: Provenance::Measured, low: None, high: None }
    }

    /// A figure that was counted in a simulation.
    pub fn simulated(value: f64, unit: &'static str) -> Figure {
        Figure { basis: Provenance::Simulated, ..Figure::measured(value, unit) }
    }

    /// A figure that was computed.
    pub fn computed(value: f64, unit: &'static str) -> Figure {
        Figure { basis: Provenance::Computed, ..Figure::measured(value, unit) }
    }

    /// The median of several measurements, with their range; `None` if there are none.
    pub fn median(mut values: Vec<f64>, unit: &'static str) -> Option<Figure> {
        values.sort_by(f64::total_cmp);
        let (low, high) = (*values.first()?, *values.last()?);
        let middle = values.len() / 2;
        let value = match values.len() % 2 {
            0 => (values[middle - 1] + values[middle]) / 2.0,
            _ => values[middle],
        };
        Some(Figure { value, unit, basis: Provenance::Measured, low: Some(low), high: Some(high) })
    }

    /// The ratio to another figure. It counts as measured if both are.
    pub fn over(&self, other: &Figure) -> Figure {
        let ratio = Figure::computed(self.value / other.value, "times");
        match (self.basis, other.basis) {
            (Provenance::Measured, Provenance::Measured) => Figure { basis: Provenance::Measured, ..ratio },
            _ => ratio,
        }
    }
}

/// A number with three digits and an SI prefix: `1.23 M`, `456 k`, `7.89`.
pub fn short(value: f64) -> String {
    let (scaled, prefix) = match value.abs() {
        v if v >= 999.5e6 => (value / 1e9, " G"),
        v if v >= 999.5e3 => (value / 1e6, " M"),
        v if v >= 999.5 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    format!("{}{prefix}", digits(scaled))
}

/// A time with its unit.
pub fn duration(seconds: f64) -> String {
    let (scaled, unit) = match seconds {
        s if s < 999.5e-9 => (s * 1e9, "ns"),
        s if s < 999.5e-6 => (s * 1e6, "us"),
        s if s < 999.5e-3 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", digits(scaled))
}

/// Three significant digits, without an exponent.
pub fn digits(value: f64) -> String {
    let places = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.09995 => 3,
        v if v >= 0.009995 => 4,
        v if v >= 0.0009995 => 5,
        0.0 => 0,
        _ => 6,
    };
    format!("{value:.places$}")
}

/// A number with commas between groups of three digits.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(d);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_between_the_others() {
        let odd = Figure::median(vec![5.0, 1.0, 2.0], "s").unwrap();
        assert_eq!((odd.value, odd.low, odd.high, odd.basis), (2.0, Some(1.0), Some(5.0), Provenance::Measured));
        assert_eq!(Figure::median(vec![1.0, 4.0, 2.0, 9.0], "s").unwrap().value, 3.0);
        assert_eq!(Figure::median(vec![], "s"), None);
    }

    #[test]
    fn a_ratio_is_measured_only_where_both_are() {
        let (a, b) = (Figure::measured(6.0, "Hz"), Figure::computed(3.0, "Hz"));
        assert_eq!((a.over(&b).value, a.over(&b).basis), (2.0, Provenance::Computed));
        assert_eq!(a.over(&a).basis, Provenance::Measured);
    }

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in
            [(0.0, "0"), (0.01234, "0.0123"), (9.999, "10.0"), (999.6, "1.00 k"), (1.5e6, "1.50 M"), (2.5e9, "2.50 G")]
        {
            assert_eq!(short(value), text);
        }
        for (value, text) in [(1.5e-9, "1.50 ns"), (999.9e-9, "1.00 us"), (0.0301, "30.1 ms"), (61.0, "61.0 s")] {
            assert_eq!(duration(value), text);
        }
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1234567), "1,234,567");
    }
}
