//! `SEARCH` on back ends: progress, cancellation, refusal, and the same answer from each.

use hayasashi_accel::{
    self,
    search::{line, many},
    AccelError, BackendSpec, Capability, CoProcessor, InProcessTransport, PositionError, RemoteChip, Request,
    RtlStream, SearchRequest,
};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::{evaluate::default_table, Model};
use hayasashi_shogi::rules::Position;
use hayasashi_sim::RtlChip;
use hayasashi_spec::{
    opcode::*,
    registers::{Info, CAP_SEARCH},
    search::*,
};
use hayasashi_tests::{data_lines, image_from_sfen};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The model, and the model behind the byte protocol.
fn both() -> [Arc<dyn CoProcessor>; 2] {
    [BackendSpec::Model, BackendSpec::ModelStream].map(|spec| {
        let chip = hayasashi_accel::open(&spec).unwrap().chip;
        chip.set_evaluation(&default_table().into()).unwrap();
        chip
    })
}

fn request(sfen: &str, head: SearchHead) -> SearchRequest {
    SearchRequest::of_game(head, &[], &Position::from_sfen(sfen).unwrap())
}

fn small() -> SearchHead {
    SearchHead { depth: 5, table_bits: 10, ..SearchHead::default() }
}

#[test]
fn every_back_end_finds_the_same() {
    let [model, stream] = both();
    for text in data_lines("rules/sampled_positions.sfen").iter().step_by(5) {
        let sfen = text.split('\t').next().unwrap();
        let request = request(sfen, SearchHead { nodes: 20_000, ..small() });
        let answers = [&model, &stream].map(|chip| chip.search(&request, &mut |_| true).unwrap().unwrap());
        assert_eq!(answers[0], answers[1], "{sfen}");
        assert!(answers[0].complete && answers[0].found.nodes <= 20_000);
        assert!(!line(&answers[0].found, &Position::from_sfen(sfen).unwrap()).is_empty());
    }
}

#[test]
fn searches_at_the_same_time_do_not_touch_each_other() {
    let [model, _] = both();
    let sfens: Vec<String> = data_lines("rules/sampled_positions.sfen").iter().step_by(6).cloned().collect();
    let requests: Vec<SearchRequest> =
        sfens.iter().map(|text| request(text.split('\t').next().unwrap(), small())).collect();
    let alone: Vec<_> = requests.iter().map(|r| model.request(r.request(0)).unwrap()).collect();
    #[expect(clippy::needless_collect, reason = "all are submitted before the first is awaited")]
    let tickets: Vec<_> = requests.iter().map(|r| model.submit(r.request(0))).collect();
    let together: Vec<_> = tickets.into_iter().map(|ticket| ticket.wait().unwrap()).collect();
    assert_eq!(alone, together);
}

/// A long search reports its progress, ends when cancelled with what it has found, and leaves the chip in its earlier state.
#[test]
fn a_search_may_be_ended() {
    for chip in both() {
        let mut told = Vec::new();
        let result = chip.search(&request(START, SearchHead::default()), &mut |found| {
            told.push(found);
            found.nodes < 20_000
        });
        let result = result.unwrap().unwrap();
        let found = result.found;
        assert!(!result.complete && found.nodes >= 20_000 && found.depth >= 1, "{}: {found:?}", chip.name());
        let line = line(&found, &Position::startpos());
        assert!(line.len() == found.length as usize && !line.is_empty());
        assert!(told.is_sorted_by_key(|found| found.nodes), "{}", chip.name());
        let after = chip.search(&request(START, small()), &mut |_| true).unwrap().unwrap();
        let fresh = both()[0].search(&request(START, small()), &mut |_| true).unwrap().unwrap();
        assert_eq!(after, fresh);
        // A cancellation without a search is answered, and ends none that comes after it.
        assert_eq!(chip.request(Request::new(Opcode::Cancel, [])).unwrap()[0].status, Status::Ok as u8);
        assert!(chip.search(&request(START, small()), &mut |_| true).unwrap().unwrap().complete);
    }
}

/// A `CANCEL` waited behind the searches for which the chip had no room, and so for the end of the first one.
#[test]
fn a_cancel_overtakes_searches_without_room() {
    let [_, stream] = both();
    // Four of these fill the request buffer, and each takes much longer than the test.
    let one = SearchRequest {
        path: vec![5; MAX_PATH],
        ..request(START, SearchHead { nodes: 50_000_000, ..SearchHead::default() })
    };
    let began = Instant::now();
    let mut ended = 0;
    let goes_on = || began.elapsed() < Duration::from_millis(300);
    many(&*stream, (0..10).map(|_| one.clone()), 10, &goes_on, &mut |_, outcome| {
        ended += 1;
        assert!(!outcome.unwrap().unwrap().complete);
    });
    assert_eq!(ended, 10);
    assert!(stream.search(&request(START, small()), &mut |_| true).unwrap().unwrap().complete);
}

/// A search that keeps the table begins where the last one has ended, if that had as many entries.
#[test]
fn a_search_keeps_the_table_of_the_one_before() {
    let keeping = |head| SearchHead { mode: KEEP_TABLE, ..head };
    let impossible = image_from_sfen("4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1").0;
    let usual = SearchHead { depth: 6, ..SearchHead::default() };
    for chip in both() {
        let search = |request: SearchRequest| chip.search(&request, &mut |_| true).unwrap();
        let found = |sfen: &str, head| search(request(sfen, head)).unwrap().found;
        let first = found(START, keeping(usual));
        assert_eq!(first, found(START, usual), "nothing was kept before");
        let again = found(START, keeping(usual));
        assert!(again.nodes < first.nodes, "{first:?} {again:?}");
        // What is refused does not count.
        let refused = request(START, keeping(SearchHead { depth: 0, ..usual }));
        assert_eq!(chip.request(refused.request(0)).unwrap()[0].status, Status::Range as u8);
        assert!(search(SearchRequest { position: impossible, ..request(START, usual) }).is_err());
        let third = found(START, keeping(usual));
        assert!(third.nodes < first.nodes, "{again:?} {third:?}");
        // Positions after two moves of the line, as deep as the search before has seen them.
        let sampled = data_lines("rules/sampled_positions.sfen");
        let starts = sampled.iter().step_by(3).map(|text| text.split('\t').next().unwrap());
        let nodes = starts.map(|sfen| {
            let mut after = Position::from_sfen(sfen).unwrap();
            for &mv in line(&found(sfen, usual), &after.clone()).iter().take(2) {
                after.do_move(mv);
            }
            [KEEP_TABLE, 0].map(|mode| {
                found(sfen, usual);
                found(&after.to_sfen(), SearchHead { mode, depth: usual.depth - 2, ..usual }).nodes
            })
        });
        let [kept, fresh] = nodes.fold([0, 0], |sum, nodes| [sum[0] + nodes[0], sum[1] + nodes[1]]);
        println!("{kept} nodes with the table kept, {fresh} without");
        assert!(5 * kept < 4 * fresh, "{kept} {fresh}");
        // Another number of entries begins with an empty table.
        found(START, usual);
        let other = SearchHead { table_bits: 11, ..usual };
        assert_eq!(found(START, keeping(other)), found(START, other));
        assert_eq!(found(START, usual), first);
    }
}

/// A chip with small tables is asked for no larger one, and the model then searches with the same.
#[test]
fn the_table_is_no_larger_than_the_chip_has() {
    let [model, _] = both();
    let info = model.identity().unwrap();
    assert_eq!(info.search_table_bits, MAX_TABLE_BITS as u32);
    let wanted = request(START, SearchHead { table_bits: 20, ..small() });
    assert_eq!(wanted.within(&info), wanted);
    let smaller = Info { search_table_bits: 11, ..info };
    assert_eq!(wanted.within(&smaller).head, SearchHead { table_bits: 11, ..wanted.head });
    assert_eq!(request(START, small()).within(&smaller), request(START, small()));
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let impossible = image_from_sfen("4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1").0;
    for chip in both() {
        let good = request(START, small());
        let status = |request: Request| {
            let answers = chip.request(request).unwrap();
            assert_eq!(answers.len(), 1);
            (Status::from_code(answers[0].status).unwrap(), answers[0].payload.len())
        };
        for head in [
            SearchHead { mode: Mode::Shared as u8, ..small() },
            SearchHead { mode: 9, ..small() },
            SearchHead { depth: 0, ..small() },
            SearchHead { depth: 33, ..small() },
            SearchHead { table_bits: 7, ..small() },
            SearchHead { table_bits: 255, ..small() },
            SearchHead { techniques: !0, ..small() },
            SearchHead { alpha: 10, beta: 10, ..small() },
            SearchHead { beta: i16::MAX, ..small() },
            SearchHead { draw: i16::MIN, ..small() },
            SearchHead { reserved: 1, ..small() },
        ] {
            assert_eq!(status(SearchRequest { head, ..good.clone() }.request(0)), (Status::Range, 0), "{head:?}");
        }
        assert_eq!(status(good.request(9)), (Status::Range, 0));
        let refused = SearchRequest { position: impossible, ..good.clone() };
        assert_eq!(status(refused.request(0)), (Status::Position, 4));
        assert!(matches!(chip.search(&refused, &mut |_| true), Ok(Err(PositionError::Impossible { .. }))));
        let mut long = good.request(0);
        long.payload.push(0);
        assert_eq!(status(long), (Status::BadLength, 0));
        let path = SearchRequest { path: vec![5; MAX_PATH + 50], ..good.clone() };
        assert_eq!(status(path.request(0)), (Status::Ok, FOUND_BYTES));
        let mut longer = path.request(0);
        longer.payload.extend([0; 8]);
        assert_eq!(status(longer), (Status::BadLength, 0));
        assert_eq!(status(good.request(0)), (Status::Ok, FOUND_BYTES));
    }
    let without = hayasashi_accel::open(&BackendSpec::Model).unwrap().chip;
    assert_eq!(without.search(&request(START, small()), &mut |_| true), Ok(Err(PositionError::NoTable)));
}

/// A mated root, and one without kings.
#[test]
fn unusual_roots() {
    let [model, _] = both();
    let mated = "k8/1G7/1K7/9/9/9/9/9/9 w - 1";
    let found = model.search(&request(mated, small()), &mut |_| true).unwrap().unwrap().found;
    assert_eq!((found.score, found.length, found.nodes), (-MATE, 0, 0));
    // Whoever has nothing to move loses, king or not.
    let kingless = "9/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1";
    let found = model.search(&request(kingless, small()), &mut |_| true).unwrap().unwrap().found;
    assert_eq!((found.score, found.length), (MATE - 1, 1));
}

#[test]
fn a_chip_without_it_says_so() {
    let model = hayasashi_accel::ModelBackend::with_model(Model::without(CAP_SEARCH));
    model.load_table(&default_table().to_bytes()).unwrap();
    let usual = ChipConfig::default();
    let chip = RtlChip::new(&ChipConfig { capabilities: usual.capabilities & !CAP_SEARCH, ..usual });
    let rtl = RemoteChip::connect(InProcessTransport(RtlStream::new(chip)), Duration::from_secs(60)).unwrap();
    for chip in [Arc::new(model) as Arc<dyn CoProcessor>, Arc::new(rtl)] {
        let error = chip.search(&request(START, small()), &mut |_| true).unwrap_err();
        assert!(matches!(error, AccelError::MissingCapability { capability: Capability::Search, .. }), "{error}");
        let answer = chip.request(request(START, small()).request(0)).unwrap();
        assert_eq!((answer.len(), answer[0].status), (1, Status::BadOpcode as u8), "{}", chip.name());
    }
}
