//! FASM, the text in which nextpnr writes the features of a device that are switched on.
//!
//! A line names a feature of a tile, `CLBLM_R_X41Y45.SLICEM_X0.AFF.ZINI`, or bits of one and their value,
//! `CLBLM_R_X41Y45.SLICEM_X0.ALUT.INIT[63:0] = 64'b…`.

/// A line that switches something on.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The tile.
    pub tile: &'a str,
    /// The feature, without tile and bits.
    pub feature: &'a str,
    /// The bits that are set, in rising order; 0 of a feature without bits.
    pub bits: Vec<u32>,
}

/// Reads a line of a file. `None` for one that switches nothing on.
///
/// # Errors
/// What is wrong with it.
pub fn parse(line: &str) -> Result<Option<Line<'_>>, String> {
    let code = line.split(['#', '{']).next().unwrap_or_default().trim();
    if code.is_empty() {
        return Ok(None);
    }
    let (name, value) = match code.split_once('=') {
        Some((name, value)) => (name.trim(), set_bits(value.trim())?),
        None => (code, vec![0]),
    };
    let (name, first, width) = match name.split_once('[') {
        Some((name, range)) => {
            let (first, width) = bit_range(range).ok_or_else(|| format!("`[{range}` is not a range of bits"))?;
            (name, first, width)
        }
        None => (name, 0, 1),
    };
    let (tile, feature) = name.split_once('.').ok_or_else(|| format!("`{name}` has no tile"))?;
    if let Some(high) = value.iter().find(|bit| **bit >= width) {
        return Err(format!("bit {high} of the value is set, but `{name}` takes {width}"));
    }
    let bits: Vec<u32> = value.into_iter().map(|bit| first + bit).collect();
    Ok((!bits.is_empty()).then_some(Line { tile, feature, bits }))
}

/// The lowest bit and their number of `63:0]` or `5]`.
fn bit_range(range: &str) -> Option<(u32, u32)> {
    let range = range.strip_suffix(']')?;
    let (high, low) = range.split_once(':').unwrap_or((range, range));
    let (high, low) = (high.parse().ok()?, low.parse().ok()?);
    Some((low, u32::checked_sub(high, low)?.checked_add(1)?))
}

/// The set bits of `64'b0101`, `8'hff` or `1`.
fn set_bits(value: &str) -> Result<Vec<u32>, String> {
    let invalid = || format!("`{value}` is not a value: 4'b0101, 8'hff and 5 are");
    let (radix, digits): (u32, &str) = match value.split_once('\'') {
        Some((_, number)) => match number.split_at_checked(1).ok_or_else(invalid)? {
            ("b", digits) => (2, digits),
            ("h", digits) => (16, digits),
            _ => return Err(invalid()),
        },
        None => (10, value),
    };
    if radix == 10 {
        let number: u64 = digits.parse().map_err(|_| invalid())?;
        return Ok((0..u64::BITS).filter(|bit| number >> bit & 1 == 1).collect());
    }
    let width = radix.ilog2();
    let mut bits = Vec::new();
    for (place, digit) in (0..).step_by(width as usize).zip(digits.chars().rev().filter(|digit| *digit != '_')) {
        let digit = digit.to_digit(radix).ok_or_else(invalid)?;
        bits.extend((0..width).filter(|bit| digit >> bit & 1 == 1).map(|bit| place + bit));
    }
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_set_bits_of_a_feature() {
        for (line, tile, feature, bits) in [
            ("INT_L_X2Y3.IMUX1.LOGIC_OUTS8", "INT_L_X2Y3", "IMUX1.LOGIC_OUTS8", vec![0]),
            ("T.A.INIT[63:32] = 32'b00000000000000000000000000000100", "T", "A.INIT", vec![34]),
            ("T.A.INIT[7:0]=8'ha1 # a comment", "T", "A.INIT", vec![0, 5, 7]),
            (
                "T.CFG[82:0] = 83'b1_0000000000000000000000000000000000000000000000000000000000000001000000010000",
                "T",
                "CFG",
                vec![4, 12, 76],
            ),
            ("  T.A[5] = 1 { .note = \"x\" }", "T", "A", vec![5]),
        ] {
            assert_eq!(parse(line), Ok(Some(Line { tile, feature, bits })), "{line}");
        }
        for line in ["", "# routing for net a", "T.A[3:0] = 4'b0000", "T.A = 0"] {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn other_lines_are_refused() {
        for (line, why) in [
            ("T", "`T` has no tile"),
            ("T.A[0:3] = 1", "not a range"),
            ("T.A[x] = 1", "not a range"),
            ("T.A[4294967295:0] = 1", "not a range"),
            ("T.A[1:0] = 4'b0100", "bit 2 of the value is set, but `T.A` takes 2"),
            ("T.A[1:0] = 4'o1", "not a value"),
            ("T.A = '", "not a value"),
            ("T.A = 2'b12", "not a value"),
        ] {
            let refused = parse(line).unwrap_err();
            assert!(refused.contains(why), "{line}: {refused}");
        }
    }
}
