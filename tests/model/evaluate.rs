//! The software co-processor's scores and tables against a slow reading of the contract.

use hayasashi_model::evaluate::{default_table, first_table, EvalTable, EvalTableError, Loader, PartError};
use hayasashi_model::position::Position;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Owner, PositionImage};
use hayasashi_spec::table::*;
use hayasashi_tests::{data_lines, image_from_sfen};

/// Images of every tenth position of the move test data and of some without kings.
fn images() -> Vec<PositionImage> {
    let lines = data_lines("rules/legal_moves.tsv");
    let games = lines.iter().step_by(10).map(|line| image_from_sfen(line.split('\t').next().unwrap()).0);
    let tsume = data_lines("mate/tsume_1.sfen");
    let tsume = tsume.iter().map(|line| image_from_sfen(line.strip_prefix("sfen ").unwrap()).0);
    games.chain(tsume).collect()
}

fn transformed(image: &PositionImage, to: impl Fn(usize) -> usize, exchange: bool) -> PositionImage {
    let mut out = PositionImage::default();
    for s in 0..SQUARES {
        let code = image.piece(s);
        out.set_piece(to(s), if exchange && code != EMPTY { code ^ THEIRS } else { code });
    }
    for kind in PAWN..=ROOK {
        let [own, theirs] = [Owner::Mover, Owner::Theirs].map(|owner| image.hand(owner, kind));
        let (own, theirs) = if exchange { (theirs, own) } else { (own, theirs) };
        out.set_hand(Owner::Mover, kind, own);
        out.set_hand(Owner::Theirs, kind, theirs);
    }
    out
}

/// The score as the contract defines it, from the bytes of a table file.
fn score_slowly(file: &[u8], image: &PositionImage) -> i32 {
    let header: TableHeader = bytemuck::pod_read_unaligned(&file[..64]);
    let weight = |slot, row, code| {
        let at = 64 + 2 * weight_index(slot, row, code);
        i16::from_le_bytes([file[at], file[at + 1]]) as i32
    };
    let material_and_placement = |view: &PositionImage| {
        let king = (0..SQUARES).find(|&s| view.piece(s) == KING);
        let (row, view) = match king {
            None => (ROW_NO_KING, *view),
            Some(s) if s / SIDE < 5 => (s, *view),
            Some(s) => (mirror(s), transformed(view, mirror, false)),
        };
        let mut sum = 0;
        for s in 0..SQUARES {
            let code = view.piece(s);
            sum += weight(s, row, code as usize);
            if code & THEIRS == 0 && !matches!(code, EMPTY | KING | NO_KIND) {
                sum += header.board_value[code as usize] as i32;
            }
        }
        for k in 0..HAND_KINDS {
            let held = view.hand(Owner::Mover, k as u8 + 1);
            sum += weight(SQUARES + k, row, held as usize) + held as i32 * header.hand_value[k] as i32;
        }
        sum
    };
    let sum = material_and_placement(image) - material_and_placement(&transformed(image, turn, true));
    (sum + header.tempo as i32).clamp(-SCORE_LIMIT, SCORE_LIMIT)
}

/// A table of arbitrary weights, including those of empty squares.
fn arbitrary_table(seed: u32, board_value: [i16; 16]) -> EvalTable {
    let first = *first_table().header();
    let header = TableHeader { version: seed, board_value, hand_value: [7, -9, 11, 301, 3000, -1200, 9], ..first };
    let weight = |slot, row, code| {
        let mixed = (weight_index(slot, row, code) as u32).wrapping_mul(0x9E37_79B9).wrapping_add(seed);
        ((mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B) >> 16) as i16 % (WEIGHT_LIMIT + 1)
    };
    EvalTable::from_weights(header, weight).unwrap()
}

#[test]
fn scores_are_those_of_the_contract() {
    let tables = [
        first_table(),
        arbitrary_table(1, first_table().header().board_value),
        // The values of kinds 0, 8 and 13 are ignored; sums beyond the limit are clamped.
        arbitrary_table(2, std::array::from_fn(|kind| 2000 * kind as i16)),
        arbitrary_table(3, [-32768; 16]),
    ];
    let mut clamped = 0;
    for table in tables {
        let file = table.to_bytes();
        for image in images() {
            let score = table.score(&Position::from(&image)) as i32;
            assert_eq!(score, score_slowly(&file, &image), "{image:?}");
            clamped += (score.abs() == SCORE_LIMIT) as u32;
        }
    }
    assert!(clamped > 0);
}

#[test]
fn a_score_is_the_same_in_the_mirror_and_opposite_for_the_other_side() {
    let table = first_table();
    let tempo = table.header().tempo;
    for image in images() {
        let score = |image: &PositionImage| table.score(&Position::from(image));
        assert_eq!(score(&image), score(&transformed(&image, mirror, false)), "{image:?}");
        let other = transformed(&image, turn, true);
        assert_eq!(score(&image) - tempo, tempo - score(&other), "{image:?}");
        assert_eq!(Position::from(&image).turned(), Position::from(&other));
    }
}

#[test]
fn the_first_table_is_level_at_the_start_and_likes_castles() {
    let table = first_table();
    let score = |sfen: &str| table.score(&Position::from(&image_from_sfen(sfen).0));
    assert_eq!(score("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), table.header().tempo);
    // Mino castle against a king that has stayed in the middle.
    let castle = score("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1RG1SK1/LNS2G1NL b - 1");
    assert!(castle > 40, "{castle}");
}

#[test]
fn tables_survive_their_file() {
    let table = arbitrary_table(77, [0; 16]);
    let bytes = table.to_bytes();
    assert_eq!(bytes.len(), TABLE_BYTES);
    let again = EvalTable::from_bytes(&bytes).unwrap();
    assert!(again == table);
    assert_eq!(again.to_bytes(), bytes);
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&bytes[CHECKSUM_FROM..]);
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn wrong_tables_are_told_apart() {
    let good = first_table().to_bytes();
    let check = |change: &dyn Fn(&mut Vec<u8>), expect: EvalTableError| {
        let mut bytes = good.clone();
        change(&mut bytes);
        assert_eq!(EvalTable::from_bytes(&bytes).unwrap_err(), expect);
        assert!(expect.to_string().contains([';', '?']), "no hint: {expect}");
    };
    check(&|b| b[0] = b'X', EvalTableError::Magic(u32::from_le_bytes(*b"XYET")));
    check(&|b| b[4] = 2, EvalTableError::Format(2));
    check(&|b| b[12..16].fill(0), EvalTableError::Version);
    check(
        &|b| b[1000..1002].copy_from_slice(&256i16.to_le_bytes()),
        EvalTableError::Weight { offset: 1000, weight: 256 },
    );
    check(
        &|b| b[TABLE_BYTES - 2..].copy_from_slice(&(-256i16).to_le_bytes()),
        EvalTableError::Weight { offset: TABLE_BYTES - 2, weight: -256 },
    );
    check(&|b| b.truncate(99), EvalTableError::Length(99));
    check(&|b| b.push(0), EvalTableError::Length(TABLE_BYTES + 1));
    let mut other = good.clone();
    other[20] ^= 1;
    let error = EvalTable::from_bytes(&other).unwrap_err();
    assert!(matches!(error, EvalTableError::Checksum { .. }), "{error}");
    EvalTable::from_bytes(&with_checksum(other)).unwrap();
}

#[test]
fn parts_of_any_size_make_a_table() {
    let bytes = first_table().to_bytes();
    for size in [1, 3, 63, 64, 65, 2044, TABLE_BYTES - 1, TABLE_BYTES] {
        let mut loader = Loader::default();
        let mut at = 0;
        loop {
            let part = &bytes[at..(at + size).min(TABLE_BYTES)];
            let (next, table) = loader.part(at as u32, part).unwrap();
            at += part.len();
            if at == TABLE_BYTES {
                assert_eq!((next, table.unwrap() == first_table().into()), (0, true), "{size}");
                break;
            }
            assert_eq!((next, table.is_none()), (at as u32, true), "{size}");
        }
    }
}

#[test]
fn a_wrong_field_is_seen_with_its_last_byte() {
    let good = first_table().to_bytes();
    for (wrong, last) in [(0, 3), (5, 7), (65, 65), (1001, 1001), (20, TABLE_BYTES - 1), (9, TABLE_BYTES - 1)] {
        let mut bytes = good.clone();
        bytes[wrong] = 0x40;
        let mut loader = Loader::default();
        loader.part(0, &bytes[..last]).unwrap_or_else(|e| panic!("byte {wrong}: {e}"));
        assert!(matches!(loader.part(last as u32, &bytes[last..=last]), Err(PartError::Content(_))), "byte {wrong}");
        assert_eq!(loader.expected(), 0);
    }
}

#[test]
fn parts_out_of_sequence_change_nothing() {
    let bytes = first_table().to_bytes();
    let mut loader = Loader::default();
    assert_eq!(loader.part(4, b"x"), Err(PartError::Sequence { offset: 4, expected: 0 }));
    assert_eq!(loader.part(0, &bytes[..100]).unwrap().0, 100);
    assert_eq!(loader.part(99, &bytes[99..]), Err(PartError::Sequence { offset: 99, expected: 100 }));
    assert_eq!(loader.part(100, &[]).unwrap().0, 100);
    assert_eq!(loader.part(0, &bytes[..50]).unwrap().0, 50);
    assert!(loader.part(50, &bytes[50..]).unwrap().1.is_some());
    let end = TABLE_BYTES as u32;
    assert_eq!(loader.part(end, &[]), Err(PartError::Sequence { offset: end, expected: 0 }));
}

#[test]
fn a_table_as_text_comes_back_to_the_byte() {
    let uncommon = EvalTable::from_weights(
        TableHeader { version: u32::MAX, tempo: i16::MIN, board_value: [i16::MAX; 16], ..*first_table().header() },
        |slot, row, code| ((slot * 31 + row * 7 + code) % 511) as i16 - 255,
    );
    for table in [default_table(), first_table(), uncommon.unwrap()] {
        let text = table.to_text();
        let again = EvalTable::from_text(&text).unwrap();
        assert_eq!(again.to_bytes(), table.to_bytes());
        assert_eq!(again.to_text(), text);
        // Spaces, blank lines and comments do not count.
        let loose = format!("\n# mine\n{}", text.replace('\n', " \r\n\n").replace(": ", ":   "));
        assert_eq!(EvalTable::from_text(&loose).unwrap(), table);
    }
}

#[test]
fn an_edited_weight_is_the_one_that_the_line_names() {
    let table = default_table();
    let text = table.to_text();
    let line = text.lines().find(|line| line.starts_with("5e king 5i: ")).unwrap();
    let mut weights: Vec<i16> = line.split(": ").nth(1).unwrap().split(' ').map(|w| w.parse().unwrap()).collect();
    let (slot, row, code) = (square(4, 4), square(4, 8), GOLD as usize);
    assert_eq!(weights[code], table.weight(slot, row, code));
    weights[code] += 1;
    let weights: Vec<String> = weights.iter().map(ToString::to_string).collect();
    let edited = EvalTable::from_text(&text.replace(line, &format!("5e king 5i: {}", weights.join(" ")))).unwrap();
    let different = (0..SLOTS).flat_map(|s| (0..ROWS).flat_map(move |r| (0..CODES).map(move |c| (s, r, c))));
    let different: Vec<_> = different.filter(|&(s, r, c)| edited.weight(s, r, c) != table.weight(s, r, c)).collect();
    assert_eq!(different, [(slot, row, code)]);
    let kings = text.lines().filter(|line| line.starts_with("hand R king -: ")).count();
    assert_eq!(kings, 1);
}

#[test]
fn wrong_texts_are_refused_with_the_line() {
    let text = first_table().to_text();
    let line = |number: usize| text.lines().nth(number - 1).unwrap().to_string();
    let with = |number: usize, new: &str| text.replacen(&format!("{}\n", line(number)), new, 1);
    let number = text.lines().position(|line| line.starts_with("1a king 1b: ")).unwrap() + 1;
    let weights = line(number);
    let cases = [
        (with(3, "version x\n"), "line 3: `x` is not a number"),
        (with(3, "version 0\n"), "table version 0"),
        (with(4, ""), "line 4: `board "),
        (with(5, "board 1 2\n"), "line 5: 2 numbers after `board` instead of 16"),
        (with(number, ""), "instead of `1a king 1b: …`"),
        (with(number, &format!("{weights} 1\n")), "33 numbers after `1a king 1b:`"),
        (
            with(number, "1a king 1b: 256 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"),
            "weight 256 is beyond ±255",
        ),
        (with(number, &weights.replace("1b: ", "1b: 1.5 ")), "`1.5` is not a number"),
        (with(number, "あ\n"), "`あ` instead of"),
        (format!("{text}1a king 1a: 0\n"), "follows the last weights"),
        (text[..text.len() / 2].rsplit_once('\n').unwrap().0.to_string(), "the text ends after line"),
        (String::new(), "the text ends after line 0, before `version`"),
    ];
    for (text, expected) in cases {
        let error = EvalTable::from_text(&text).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("hint: "), "{error} | {expected}");
    }
}
