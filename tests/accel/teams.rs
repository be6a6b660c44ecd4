//! Several back ends that share requests.

use hayasashi_accel::{
    open, perft::walk, AccelError, BackendSpec, CoProcessor, ModelBackend, Request, SearchRequest, Team, Ticket,
};
use hayasashi_model::evaluate::default_table;
use hayasashi_shogi::rules::Position;
use hayasashi_spec::{opcode::Opcode, position::PositionImage, registers::Info, search::SearchHead};
use hayasashi_tests::{
    data_lines, image_from_sfen,
    program::{run, Session},
};
use std::sync::{
    atomic::{AtomicUsize, Ordering::Relaxed},
    Arc, Condvar, Mutex,
};

/// The software model behind the frames of both ports, and called directly.
const SOFTWARE: &str = "model-stream,model-stream:words,model";

fn team(members: &str) -> Arc<dyn CoProcessor> {
    open(&members.parse::<BackendSpec>().unwrap()).unwrap().chip
}

fn positions(count: usize) -> Vec<PositionImage> {
    let lines = data_lines("rules/legal_moves.tsv");
    lines.iter().take(count).map(|line| image_from_sfen(line.split('\t').next().unwrap()).0).collect()
}

#[test]
fn a_team_answers_as_the_model_does() {
    let (team, model) = (team(SOFTWARE), ModelBackend::new());
    for chip in [&*team, &model] {
        chip.set_evaluation(&default_table().into()).unwrap();
    }
    let positions = positions(5000);
    assert_eq!(team.generate(&positions).unwrap(), model.generate(&positions).unwrap());
    assert_eq!(team.count(&positions).unwrap(), model.count(&positions).unwrap());
    assert_eq!(team.evaluate(&positions).unwrap(), model.evaluate(&positions).unwrap());
    assert_eq!(team.expand(&positions).unwrap(), model.expand(&positions).unwrap());
    assert_eq!(team.echo(&[1, 2, 3]).unwrap(), [1, 2, 3]);
    let answers = team.request(Request::new(Opcode::Count, [0; 9])).unwrap();
    assert_eq!(answers, model.request(Request::new(Opcode::Count, [0; 9])).unwrap());
}

#[test]
fn a_table_is_given_to_every_member() {
    let team = team("model,model,model-stream");
    let mut bytes = default_table().to_bytes();
    assert_eq!(team.info().unwrap().table_loaded, 0);
    team.load_table(&bytes).unwrap();
    let info = team.info().unwrap();
    assert_eq!((info.table_loaded, info.table_checksum), (1, default_table().header().checksum));
    // A part of a table goes to all too: then none of them has one.
    bytes.truncate(100);
    team.request(Request::new(Opcode::LoadTable, [&[0; 4], &bytes[..]].concat())).unwrap();
    assert_eq!(team.info().unwrap().table_loaded, 0);
}

/// The model, whose answers wait until it is opened.
struct Gate {
    model: ModelBackend,
    answered: Arc<AtomicUsize>,
    is_open: Arc<(Mutex<bool>, Condvar)>,
}

impl Gate {
    fn new(is_open: bool) -> Gate {
        Gate {
            model: ModelBackend::new(),
            answered: Arc::default(),
            is_open: Arc::new((is_open.into(), Condvar::new())),
        }
    }
}

impl CoProcessor for Gate {
    fn name(&self) -> String {
        "gate".into()
    }

    fn submit(&self, request: Request) -> Ticket {
        let (answered, is_open, answers) = (self.answered.clone(), self.is_open.clone(), request.answers());
        self.model.submit(request).then(move |outcome| {
            let (is_open, changed) = &*is_open;
            drop(changed.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
            answered.fetch_add(answers, Relaxed);
            outcome
        })
    }

    fn info(&self) -> Result<Info, AccelError> {
        self.model.info()
    }
}

#[test]
fn a_stuck_member_holds_nobody_up() {
    let (stuck, free) = (Gate::new(false), Gate::new(true));
    let (of_stuck, of_free) = (stuck.answered.clone(), free.answered.clone());
    let is_open = stuck.is_open.clone();
    let team = Team::new(vec![Arc::new(stuck), Arc::new(free)]).unwrap();
    let positions = positions(4000);
    let batch = team.submit_count(&positions);
    // All but the stuck member's first requests, which it got before its pace was known.
    while of_free.load(Relaxed) < positions.len() - 300 {
        assert!(!batch.poll(), "all is answered");
        std::thread::yield_now();
    }
    assert_eq!(of_stuck.load(Relaxed), 0);
    *is_open.0.lock().unwrap() = true;
    is_open.1.notify_all();
    let expected = ModelBackend::new().count(&positions).unwrap();
    assert_eq!(batch.wait().unwrap(), expected);
    assert_eq!(of_stuck.load(Relaxed) + of_free.load(Relaxed), positions.len());
    assert!(of_stuck.load(Relaxed) > 0, "it has got nothing");
}

#[test]
fn requests_that_nobody_has_fail_when_the_team_ends() {
    let stuck = Gate::new(false);
    let is_open = stuck.is_open.clone();
    let team = Team::new(vec![Arc::new(stuck)]).unwrap();
    let positions = positions(2000);
    let batch = team.submit_count(&positions);
    std::thread::scope(|scope| {
        scope.spawn(|| drop(team));
        // What was sent is answered; what was not is an error and no endless wait.
        *is_open.0.lock().unwrap() = true;
        is_open.1.notify_all();
        let outcome = batch.wait();
        assert!(
            matches!(&outcome, Ok(results) if results.len() == 2000)
                || matches!(&outcome, Err(AccelError::Lost { .. }))
        );
    });
}

#[test]
fn members_share_the_root_moves_of_a_walk() {
    let team = team(SOFTWARE);
    assert_eq!(team.at_once(), 3);
    let walked = walk(&*team, &Position::startpos(), 5, &mut |_| true).unwrap();
    assert_eq!((walked.result.sums.nodes, walked.result.complete), (19_861_490, true));
    // Stopped at once.
    let walked = walk(&*team, &Position::startpos(), 7, &mut |_| false).unwrap();
    assert!(!walked.result.complete && walked.result.sums.nodes < 9_000_000_000, "{walked:?}");
    let (code, out, err) = run(&["perft", "5", "--on-chip", "--backend", SOFTWARE]);
    assert!(code == 0 && out.contains("nodes: 19861490"), "{out}{err}");
}

#[test]
fn every_member_finds_the_same() {
    let team = team(SOFTWARE);
    team.set_evaluation(&default_table().into()).unwrap();
    let alone = ModelBackend::new();
    alone.set_evaluation(&default_table().into()).unwrap();
    let head = SearchHead { depth: 4, nodes: 20_000, ..SearchHead::default() };
    for image in positions(30) {
        let request = SearchRequest { head, position: image, path: Vec::new() };
        let found =
            |chip: &dyn CoProcessor| chip.search(&request.within(&alone.info().unwrap()), &mut |_| true).unwrap();
        assert_eq!(found(&*team), found(&alone));
    }
}

#[test]
fn a_lost_member_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |name: &str| {
        let path = folder.path().join(name);
        let mut board = Session::open(&["chip", "--pty", path.to_str().unwrap()]);
        board.answer("serial:");
        (board, format!("serial:{}", path.display()))
    };
    let ((mut first, one), (_second, two)) = (serve("one"), serve("two"));
    let backend = format!("{one},{two}");
    let mut engine = Session::engine(&backend);
    engine.begin_search(2000);
    first.kill();
    let line = engine.answer("bestmove");
    assert!(!line.contains("resign"), "{line}");
    engine.quit();
    // A board that is named must be there at the start.
    let (code, _, err) = run(&["perft", "2", "--backend", &backend]);
    assert!(code == 2 && err.contains("one"), "{code}: {err}");
}

#[test]
fn commands_that_examine_a_board_take_one() {
    for command in [&["info"][..], &["selftest"], &["compare"]] {
        let (code, _, err) = run(&[command, &["--backend", "model,rtl"]].concat());
        assert!(code == 2 && err.contains("2 back ends") && err.contains("run it for each"), "{code}: {err}");
    }
}
