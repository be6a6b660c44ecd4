//! Text encodings of records: UTF-8, Shift_JIS, EUC-JP and UTF-16.

use encoding_rs::{Encoding, EUC_JP, SHIFT_JIS, UTF_8};

/// Encodings in the order in which they are tried, with the names that CSA 3.0 has for them.
const DECLARED: [(&str, &Encoding); 3] = [("UTF-8", UTF_8), ("SHIFT_JIS", SHIFT_JIS), ("EUC-JP", EUC_JP)];

/// Decodes a file by its byte order mark, by the declaration in its first line (`'CSA encoding=…`), or as the first of
/// UTF-8, Shift_JIS and EUC-JP in which it is valid. `None` if it is valid in none of them.
pub fn decode(bytes: &[u8]) -> Option<String> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, faulty) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return (!faulty).then(|| text.into_owned());
    }
    let first = String::from_utf8_lossy(bytes.split(|&b| b == b'\n').next().unwrap_or(bytes)).to_uppercase();
    let declared = first.trim().strip_prefix("'CSA ENCODING=").map(str::to_string);
    let declared_first = DECLARED.iter().filter(|(name, _)| declared.as_deref() == Some(*name));
    declared_first.chain(&DECLARED).find_map(|(_, encoding)| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        Some(text.into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_detected() {
        let text = "手合割：平手\n▲７六歩 △３四歩\n";
        let utf_16: Vec<u8> = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        let (shift_jis, euc_jp) = (SHIFT_JIS.encode(text).0, EUC_JP.encode(text).0);
        for bytes in [text.as_bytes(), &marked, &utf_16, &shift_jis, &euc_jp] {
            assert_eq!(decode(bytes).as_deref(), Some(text));
        }
        let declared = EUC_JP.encode("'CSA encoding=EUC-JP\nN+早指し\n").0;
        assert!(decode(&declared).unwrap().ends_with("N+早指し\n"));
        assert_eq!(decode(b"\xff\xff\xff\xff"), None);
    }
}
