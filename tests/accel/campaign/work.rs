//! The work that the campaign's boards do.

use super::board::Random;
use hayasashi_accel::{perft, verify, *};
use hayasashi_engine::{
    search::{Decision, GamePath, MoveSource, SearchLimits, Searcher},
    Control,
};
use hayasashi_model::{
    evaluate::{default_table, EvalTable},
    Model,
};
use hayasashi_shogi::rules::{MoveList, Position, PositionCommand};
use hayasashi_spec::{
    opcode::Opcode,
    perft::Sums,
    search::{Found, SearchHead},
};
use hayasashi_tests::program::Session;
use std::{
    net::SocketAddr,
    sync::{
        atomic::{AtomicU64, Ordering},
        Arc, OnceLock,
    },
    time::{Duration, Instant},
};

/// One round: an error says what is wrong.
type Round = Box<dyn FnMut() -> Result<(), String>>;

/// A kind of work.
#[derive(Clone, Copy)]
pub struct Work {
    pub name: &'static str,
    /// Connects to a board with a seed.
    pub start: fn(SocketAddr, u64) -> Result<Round, String>,
}

/// Every kind.
pub const WORK: [Work; 7] = [
    Work { name: "verify", start: compare },
    Work { name: "evaluations", start: evaluations },
    Work { name: "perft", start: walks },
    Work { name: "`SEARCH`", start: searches },
    Work { name: "board alone", start: board_alone },
    Work { name: "analysis", start: analysis },
    Work { name: "USI moves", start: game },
];

const RETRY: Duration = Duration::from_millis(100);
const HANDSHAKE: Duration = Duration::from_secs(3);
/// How long a board may take to answer for the first time, whatever its line does.
const CONNECT: Duration = Duration::from_secs(120);

fn table() -> &'static Arc<EvalTable> {
    static TABLE: OnceLock<Arc<EvalTable>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(default_table()))
}

fn model() -> ModelBackend {
    ModelBackend::with_model(Model::with_evaluation(table().clone()))
}

/// Positions of random games.
fn positions(random: &mut Random, n: usize) -> Vec<Position> {
    let one = |_| {
        let mut position = Position::startpos();
        for _ in 0..random.below(80) {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len() as u64) as usize]);
        }
        position
    };
    (0..n).map(one).collect()
}

/// The board itself; its line may damage the first handshakes.
fn connect(address: SocketAddr) -> Result<RemoteChip, String> {
    let spec = BackendSpec::Tcp { address: address.to_string() };
    let end = Instant::now() + CONNECT;
    loop {
        match open_remote(&spec, HANDSHAKE) {
            Ok(board) => return Ok(board),
            Err(error) if Instant::now() >= end => return Err(format!("never connected: {error}")),
            Err(_) => std::thread::sleep(RETRY),
        }
    }
}

/// The board with the model as its replacement, and the table loaded.
fn guarded(address: SocketAddr) -> Result<Failover, String> {
    let spec = BackendSpec::Tcp { address: address.to_string() };
    let reopen = move || open_remote(&spec, HANDSHAKE);
    let chip = Failover::with_interval(connect(address)?, reopen, Arc::new(|_: &FailoverEvent| ()), RETRY)
        .map_err(|e| e.to_string())?;
    chip.load_table(&table().to_bytes()).map_err(|e| format!("the table: {e}"))?;
    Ok(chip)
}

fn compare(address: SocketAddr, seed: u64) -> Result<Round, String> {
    let (chip, model, mut random) = (guarded(address)?, model(), Random(seed));
    Ok(Box::new(move || {
        let positions = positions(&mut random, 64);
        for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand] {
            let differences = verify::compare(&[&chip, &model], opcode, &positions).map_err(|e| e.to_string())?;
            if let Some(difference) = differences.first() {
                return Err(difference.to_string());
            }
        }
        Ok(())
    }))
}

/// Static evaluations, as learning asks for them.
fn evaluations(address: SocketAddr, seed: u64) -> Result<Round, String> {
    let (chip, model, mut random) = (guarded(address)?, model(), Random(seed));
    Ok(Box::new(move || {
        let images: Vec<_> = positions(&mut random, 300).iter().map(view::image).collect();
        let (found, expected) = (chip.evaluate(&images).map_err(|e| e.to_string())?, model.evaluate(&images).unwrap());
        (found == expected).then_some(()).ok_or_else(|| "wrong evaluations".to_string())
    }))
}

/// Trees counted by the host and by the chip.
fn walks(address: SocketAddr, seed: u64) -> Result<Round, String> {
    let (chip, model, mut random) = (guarded(address)?, model(), Random(seed));
    Ok(Box::new(move || {
        let position = positions(&mut random, 1).remove(0);
        let divide =
            |chip: &dyn CoProcessor| perft::divide(chip, &position, 2, &mut |_| true).map_err(|e| e.to_string());
        let expected = divide(&model)?;
        if divide(&chip)? != expected {
            return Err(format!("perft 2 below {}", position.to_sfen()));
        }
        match chip.perft(&view::image(&position), 2, &mut |_| true) {
            Ok(Ok(PerftResult { sums: Sums { nodes, .. }, complete: true })) if nodes == expected.nodes => Ok(()),
            // A smaller board may have taken the place of the first.
            Err(AccelError::MissingCapability { .. }) => Ok(()),
            other => Err(format!("a walk below {}: {other:?}", position.to_sfen())),
        }
    }))
}

/// Searches by the chip.
fn searches(address: SocketAddr, seed: u64) -> Result<Round, String> {
    let (chip, model, mut random) = (guarded(address)?, model(), Random(seed));
    Ok(Box::new(move || {
        let position = positions(&mut random, 1).remove(0);
        let head = SearchHead { nodes: 500, ..SearchHead::default() };
        let request = SearchRequest::of_game(head, &[], &position);
        let expected = model.search(&request, &mut |_| true).map_err(|e| e.to_string())?;
        let without_clocks = |result: SearchResult| (Found { clocks: 0, ..result.found }, result.complete);
        match chip.search(&request, &mut |_| true) {
            Ok(found) if found.map(without_clocks) == expected.map(without_clocks) => Ok(()),
            // A smaller board may have taken the place of the first.
            Err(AccelError::MissingCapability { .. }) => Ok(()),
            other => Err(format!("a search of {}: {other:?}", position.to_sfen())),
        }
    }))
}

/// Without a replacement: an answer is right, or there is an error that says that the board is lost.
fn board_alone(address: SocketAddr, seed: u64) -> Result<Round, String> {
    let (mut open, model, mut random) = (Some(connect(address)?), model(), Random(seed));
    Ok(Box::new(move || {
        let board = match open.take() {
            Some(board) => board,
            None => connect(address)?,
        };
        let images: Vec<_> = positions(&mut random, 200).iter().map(view::image).collect();
        match board.generate(&images) {
            Ok(found) if Ok(&found) != model.generate(&images).as_ref() => return Err("wrong moves".into()),
            Ok(_) | Err(AccelError::MissingCapability { .. }) => open = Some(board),
            // It is closed here: the line serves one client.
            Err(error) if error.is_lost() => (),
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    }))
}

/// Searches of some hundred nodes: the same decision as with the model.
fn analysis(address: SocketAddr, seed: u64) -> Result<Round, String> {
    let searcher = |chip| MoveSource::open(chip, table().clone()).map(|source| Searcher::new(source, 1));
    let mut searchers = [Arc::new(guarded(address)?) as Arc<dyn CoProcessor>, Arc::new(model())]
        .map(|chip| searcher(chip).map_err(|e| e.to_string()));
    let mut random = Random(seed);
    Ok(Box::new(move || {
        let position = positions(&mut random, 1).remove(0);
        let path: GamePath =
            PositionCommand::parse(&format!("sfen {}", position.to_sfen())).map_err(|e| e.to_string())?.into();
        let limits = SearchLimits { nodes: Some(150), ..SearchLimits::default() };
        let mut decisions = Vec::new();
        for searcher in &mut searchers {
            let searcher = searcher.as_mut().map_err(|e| e.clone())?;
            let outcome = searcher.search(&path, &limits, &[], &Control::default(), &mut |_| {});
            match outcome.failure {
                Some(failure) => return Err(failure.to_string()),
                None => decisions.push(match outcome.decision {
                    Decision::Move(mv, _) => mv.to_usi(),
                    other => format!("{other:?}"),
                }),
            }
        }
        match decisions[0] == decisions[1] {
            true => Ok(()),
            false => Err(format!("{decisions:?} in {}", position.to_sfen())),
        }
    }))
}

/// The latest reply of an engine, in milliseconds after its time limit. It is reported, not checked: a busy machine delays it.
pub static LATEST_REPLY: AtomicU64 = AtomicU64::new(0);

/// A game on the USI engine, one move a round: each `go` has one legal move as its answer.
fn game(address: SocketAddr, seed: u64) -> Result<Round, String> {
    // The engine, too, needs a board that answers at its start.
    drop(connect(address)?);
    let mut engine = Session::engine(&format!("tcp:{address}"));
    let (mut position, mut random, mut played) = (Position::startpos(), Random(seed), String::new());
    engine.send("usinewgame");
    Ok(Box::new(move || {
        let (limit, most) =
            [("nodes 200", None), ("movetime 60", Some(60)), ("byoyomi 50", Some(50))][random.below(3) as usize];
        let moves = if played.is_empty() { String::new() } else { format!(" moves{played}") };
        engine.send(&format!("position startpos{moves}"));
        let start = Instant::now();
        engine.send(&format!("go {limit}"));
        let line = engine.answer("bestmove");
        if let Some(most) = most {
            LATEST_REPLY.fetch_max((start.elapsed().as_millis() as u64).saturating_sub(most), Ordering::Relaxed);
        }
        let text = line.split_whitespace().nth(1).unwrap_or_default().to_string();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        match moves.iter().find(|mv| mv.to_usi() == text) {
            Some(mv) => {
                position.do_move(*mv);
                played.push_str(&format!(" {text}"));
            }
            None if text == "resign" || text == "win" => {
                (position, played) = (Position::startpos(), String::new());
                engine.send("usinewgame");
            }
            None => return Err(format!("`{line}` to `go {limit}` in {}", position.to_sfen())),
        }
        Ok(())
    }))
}
