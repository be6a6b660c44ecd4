//! Scored positions in PackedSfenValue, hcpe and text: against the Python package cshogi both ways, damaged files.

use hayasashi_shogi::{
    random::Random,
    records::GameResult,
    rules::{Move, Position},
    scored::{Format, Reader, ScoredPosition, Writer},
};
use hayasashi_tests::skip;
use std::{ffi::OsStr, fs, process::Command};

const FORMATS: [Format; 3] = [Format::PackedSfenValue, Format::Hcpe, Format::Text];

/// Some thousands of positions, each with one of its legal moves or none, a score and a result.
fn sample() -> Vec<ScoredPosition> {
    let mut random = Random::new(7, 0);
    let lines = include_str!("../data/rules/legal_moves.tsv").lines().filter(|line| !line.starts_with('#'));
    let both_kings = |sfen: &str| {
        let board = sfen.split(' ').next().unwrap_or_default();
        board.contains('k') && board.contains('K')
    };
    let records = lines.filter_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let moves: Vec<Move> = fields[2].split(' ').filter_map(Move::from_usi).collect();
        let best = moves.get(random.below(moves.len() + 1)).copied();
        let score = random.below(1 << 16) as u16 as i16;
        let result = [GameResult::Black, GameResult::White, GameResult::Draw][random.below(3)];
        both_kings(fields[0]).then(|| ScoredPosition {
            position: Position::from_sfen(fields[0]).unwrap(),
            score,
            best,
            result,
        })
    });
    records.collect()
}

fn written(records: &[ScoredPosition], format: Format) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), format);
    records.iter().for_each(|record| writer.write(record).unwrap());
    writer.into_inner()
}

/// All records, the faults as texts.
fn read(bytes: &[u8], format: Format) -> Vec<Result<ScoredPosition, String>> {
    let mut reader = Reader::new(bytes, format);
    std::iter::from_fn(|| reader.next()).map(|record| record.map_err(|error| error.to_string())).collect()
}

/// The record as a format without move numbers has it.
fn without_ply(record: &ScoredPosition) -> ScoredPosition {
    let sfen = record.position.to_sfen();
    let sfen: Vec<&str> = sfen.split(' ').take(3).collect();
    ScoredPosition { position: Position::from_sfen(&sfen.join(" ")).unwrap(), ..record.clone() }
}

#[test]
fn what_is_written_is_read() {
    let records = sample();
    assert!(records.len() > 4000 && records.iter().any(|r| r.best.is_none()), "{}", records.len());
    assert!(records.iter().any(|r| r.best.is_some_and(Move::is_drop)));
    for format in FORMATS {
        let bytes = written(&records, format);
        assert!(format.record_bytes().is_none_or(|length| bytes.len() == length * records.len()));
        for (number, (found, record)) in read(&bytes, format).into_iter().zip(&records).enumerate() {
            let expected = if format == Format::Hcpe { without_ply(record) } else { record.clone() };
            assert_eq!(found.as_ref(), Ok(&expected), "{format:?} {number}");
        }
        // From any format to any other and back.
        for other in FORMATS.into_iter().filter(|_| format != Format::Hcpe) {
            let there: Vec<_> = read(&bytes, format).into_iter().map(Result::unwrap).collect();
            let back: Vec<_> = read(&written(&there, other), other).into_iter().map(Result::unwrap).collect();
            assert!(other == Format::Hcpe || written(&back, format) == bytes, "{format:?} {other:?}");
        }
    }
}

#[test]
fn cshogi_writes_and_reads_the_same() {
    let Some(python) = std::env::var_os("HAYASASHI_PYTHON") else {
        return skip("HAYASASHI_PYTHON does not name a Python with cshogi");
    };
    let run = |arguments: [&OsStr; 3]| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cshogi_records.py");
        let arguments = arguments.iter().filter(|argument| !argument.is_empty());
        let output = Command::new(&python).arg(script).args(arguments).output().expect("the Python named runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let records = sample();
    let text = folder.join("sample.tsv");
    fs::write(&text, written(&records, Format::Text)).unwrap();
    run(["encode".as_ref(), text.as_ref(), folder.as_ref()]);
    for (name, format) in [("bin", Format::PackedSfenValue), ("hcpe", Format::Hcpe)] {
        let ours = written(&records, format);
        let theirs = fs::read(folder.join(format!("cshogi.{name}"))).unwrap();
        let length = format.record_bytes().unwrap();
        for (number, (ours, theirs)) in ours.chunks(length).zip(theirs.chunks(length)).enumerate() {
            assert_eq!(ours, theirs, "{name}: record {number}, {}", records[number].position.to_sfen());
        }
        assert_eq!(ours.len(), theirs.len());
        fs::write(folder.join(format!("ours.{name}")), ours).unwrap();
    }
    run(["decode".as_ref(), folder.as_ref(), "".as_ref()]);
    let lines = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(lines("bin.tsv"), lines("sample.tsv"));
    let plain: Vec<ScoredPosition> = records.iter().map(without_ply).collect();
    assert_eq!(lines("hcpe.tsv").into_bytes(), written(&plain, Format::Text));
}

#[test]
fn damage_is_reported_with_the_number_of_the_record() {
    let records = &sample()[..40];
    for format in [Format::PackedSfenValue, Format::Hcpe] {
        let length = format.record_bytes().unwrap();
        let bytes = written(records, format);
        // Each record may be cut off.
        for cut in [1, length - 1, length + 1, bytes.len() - 1] {
            let found = read(&bytes[..cut], format);
            let error = found.last().unwrap().as_ref().unwrap_err();
            let expected = format!("record {}: it has {} of {length} bytes", cut / length + 1, cut % length);
            assert!(error.starts_with(&expected), "{error}");
        }
        // A changed bit of the position or the move is a fault of that record, or another legal record; the others stay as they are.
        let mut faults = 0;
        for bit in 0..length * 8 {
            let mut damaged = bytes.clone();
            damaged[7 * length + bit / 8] ^= 1 << (bit % 8);
            let found = read(&damaged, format);
            assert_eq!(found.len(), records.len());
            for (number, record) in found.iter().enumerate().filter(|&(number, _)| number != 7) {
                assert!(record.is_ok(), "{number}");
            }
            if let Err(error) = &found[7] {
                assert!(error.starts_with("record 8: ") && error.contains("hint: "), "{error}");
                faults += 1;
            }
        }
        assert!(faults > 150, "{faults}");
        let mut wrong = bytes.clone();
        wrong[3 * length + length - 2] = 5;
        let error = read(&wrong, format)[3].clone().unwrap_err();
        assert!(error.starts_with("record 4: the result 5 is unknown"), "{error}");
    }
    let wrong = [
        ("9/9/9 b - 1\t0\t-\tdraw", "record 3: the board"),
        ("SFEN\t0\t7g7f\tblack", "record 3: "),
        (
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t0\t7g7e\tblack",
            "record 3: the move `7g7e` is not legal",
        ),
        (
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t40000\t-\tblack",
            "record 3: the score `40000`",
        ),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t0\t-\twon", "record 3: the result `won`"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t0\t-", "record 3: 3 fields"),
    ];
    for (line, expected) in wrong {
        let error = read(format!("# lines count\n\n{line}\n").as_bytes(), Format::Text)[0].clone().unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_position_without_a_king_has_no_code() {
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").unwrap();
    let record = ScoredPosition { position, score: 0, best: None, result: GameResult::Draw };
    for format in [Format::PackedSfenValue, Format::Hcpe] {
        let error = Writer::new(Vec::new(), format).write(&record).unwrap_err().to_string();
        assert!(error.starts_with("record 1: `4k4/") && error.contains("need both kings"), "{error}");
    }
}
