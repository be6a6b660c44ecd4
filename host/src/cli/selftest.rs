//! `selftest`: is the chip well?

use super::{
    args::Global,
    backend,
    session::{say, Exit, Interrupt},
};
use crate::accel::{self, Answer, BackendSpec, CoProcessor, Request, Software};
use crate::model::Model;
use crate::rules::Position;
use crate::search::view;
use anyhow::{ensure, Context};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    position::PositionImage,
    registers::{CAP_EVALUATE, CAP_MOVEGEN},
    MAGIC, PROTOCOL_VERSION,
};
use serde_json::json;
use std::sync::Arc;

/// Positions that between them use every part of the move generator: the start, many captures, 593 moves, double
/// check, pins, a pawn drop that would be mate, mate itself, tsume without an own king, all pieces in hand.
const POSITIONS: [&str; 9] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
    "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
    "S1+P+S5/1PG2G1K1/g2k5/5+R2R/g1l+BP3P/2n1p1s2/p+n1+s4+p/1p2+n1P2/2+p1+p2+l1 b B2Pn2l5p 301",
    "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
    "7nl/5G1k1/6p1p/9/9/9/9/9/9 b RGSrb2g3s3n3l16p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
];

/// Runs the command.
pub fn run(global: &Global, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let spec: BackendSpec = global.backend.parse()?;
    let opened = accel::open(&spec)?;
    eprintln!("{}", opened.note);
    let table = backend::table(global.table.as_deref())?;
    let chip = &*opened.chip;
    let capabilities = chip.info()?.capabilities;

    let steps: [(&str, Box<dyn Fn() -> anyhow::Result<String>>); 6] = [
        ("information registers", Box::new(|| registers(chip))),
        ("echo", Box::new(|| echo(chip))),
        (
            "evaluation table",
            Box::new(|| {
                if capabilities & CAP_EVALUATE == 0 {
                    return Ok("none on this chip".into());
                }
                chip.load_table(&table.to_bytes())?;
                let checksum = chip.info()?.table_checksum;
                ensure!(checksum == table.header().checksum, "the chip reports checksum {checksum:#010x}");
                Ok(format!("loaded, checksum {checksum:#010x}"))
            }),
        ),
        (
            "moves, counts and scores",
            Box::new(|| answers(chip, capabilities, Model::with_table(Arc::new(table.clone())))),
        ),
        ("impossible positions", Box::new(|| impossible(chip))),
        ("bad requests", Box::new(|| bad_requests(chip))),
    ];
    let mut failed = 0;
    for (name, step) in &steps {
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        let outcome = step();
        failed += outcome.is_err() as u32;
        let (word, text) = match &outcome {
            Ok(text) => ("ok", text.clone()),
            Err(error) => ("FAILED", format!("{error:#}")),
        };
        if global.json {
            say(json!({"step": name, "ok": outcome.is_ok(), "text": text}))?;
        } else {
            say(format!("{name:<26} {word:<6} {text}"))?;
        }
    }
    if !global.json {
        say(format!("steps: {}, failed: {failed}", steps.len()))?;
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Differs })
}

fn registers(chip: &dyn CoProcessor) -> anyhow::Result<String> {
    let info = chip.info()?;
    ensure!(info.magic == MAGIC, "magic {:#010x} where {MAGIC:#010x} should be", info.magic);
    let major = |version: u32| version >> 16;
    ensure!(
        major(info.protocol) == major(PROTOCOL_VERSION),
        "protocol version {}.{} where {} is spoken here",
        major(info.protocol),
        info.protocol & 0xffff,
        major(PROTOCOL_VERSION)
    );
    Ok(format!("protocol {}.{}, build {:#010x}", major(info.protocol), info.protocol & 0xffff, info.build_id))
}

fn echo(chip: &dyn CoProcessor) -> anyhow::Result<String> {
    let lengths = [0, 1, 63, 64, 65, 511, 2048];
    for length in lengths {
        // Every byte value, the end and escape bytes of frames among them.
        let sent: Vec<u8> = (0..length).map(|i| (i * 0x5b + 0xc0) as u8).collect();
        let back = chip.echo(&sent)?;
        ensure!(back == sent, "{length} bytes came back different");
    }
    Ok(format!("{} lengths up to 2048 bytes", lengths.len()))
}

fn images() -> Vec<PositionImage> {
    let parse = |sfen: &&str| view::image(&Position::from_sfen(sfen).expect("a built-in position"));
    POSITIONS.iter().map(parse).collect()
}

fn answers(chip: &dyn CoProcessor, capabilities: u32, model: Model) -> anyhow::Result<String> {
    let model = Software::with_model(model);
    let opcodes = [(Opcode::Generate, CAP_MOVEGEN), (Opcode::Count, CAP_MOVEGEN), (Opcode::Evaluate, CAP_EVALUATE)];
    let mut asked = 0;
    for (opcode, _) in opcodes.into_iter().filter(|(_, needs)| capabilities & needs != 0) {
        let request = Request::batch(opcode, &images());
        let (got, want) = (chip.request(request.clone())?, model.answer(&request));
        for (i, (got, want)) in got.iter().zip(&want).enumerate() {
            ensure!(
                got == want,
                "{} of '{}': {got:02x?} where the model answers {want:02x?}",
                opcode.name(),
                POSITIONS[i]
            );
            asked += 1;
        }
        ensure!(got.len() == want.len(), "{} answers to {} positions", got.len(), want.len());
    }
    Ok(format!("{asked} answers as the model's"))
}

fn impossible(chip: &dyn CoProcessor) -> anyhow::Result<String> {
    let mut image = images()[0];
    image.set_piece(40, 13);
    let answers = chip.request(Request::batch(Opcode::Count, &[image]))?;
    status(&answers, Status::Position, "a piece that does not exist")?;
    Ok("refused".into())
}

fn bad_requests(chip: &dyn CoProcessor) -> anyhow::Result<String> {
    let unknown = Request { opcode: 0x7f, count: 0, payload: vec![] };
    status(&chip.request(unknown)?, Status::BadOpcode, "an unknown opcode")?;
    let short = Request { opcode: Opcode::Count as u8, count: 2, payload: vec![0; 64] };
    status(&chip.request(short)?, Status::BadLength, "a batch of the wrong length")?;
    Ok("refused".into())
}

fn status(answers: &[Answer], want: Status, what: &str) -> anyhow::Result<()> {
    let first = answers.first().context("no answer")?;
    ensure!(first.status == want as u8, "{what} was answered by status {:#04x}, not {}", first.status, want.name());
    Ok(())
}
