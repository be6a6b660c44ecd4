//! Game records in all formats, and training: losses, gradients, checkpoints, the command.

use hayasashi_cluster::{threads, Alone};
use hayasashi_lab::{
    learning::{
        checkpoint,
        features::{of_table, to_table},
        network::{
            run::{NetworkEvent, NetworkSession, Start},
            samples::Source,
        },
        objective::{returns, with_later, LossStats, Objective},
        optimiser::{Rates, State},
        passes::{run, TrainingEvent},
        selfplay::SelfPlay,
        trainer::Trainer,
        LearnError,
    },
    matches::openings::Opening,
    parts::Part,
};
use hayasashi_model::evaluate::{first_table, EvalTable};
use hayasashi_shogi::{
    random::Random,
    records::{self, GameCollection, GameResult, RecordedGame},
    rules::{Color, MoveList, Position},
};
use hayasashi_tests::program::run as program;
use std::{
    cell::Cell,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        Arc,
    },
};

const SHORT: &str = "7g7f 3c3d 2g2f 8b3b 2f2e 2b8h+ 7i8h";

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records").join(name)
}

fn read(names: &[&str]) -> Result<GameCollection, records::RecordsError> {
    records::read(&names.iter().map(|name| data(name)).collect::<Vec<_>>(), &mut |_| {})
}

fn moves(game: &RecordedGame) -> String {
    game.moves.iter().map(|mv| mv.to_usi()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_reads_the_same_in_every_format_and_encoding() {
    for name in ["short.csa", "short_sjis.kif", "short.ki2"] {
        let reading = read(&[name]).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((reading.games.len(), &reading.faults[..], reading.handicaps), (1, &[][..], 0), "{name}");
        assert_eq!(moves(&reading.games[0]), SHORT, "{name}");
        assert_eq!(reading.games[0].result, Some(GameResult::Black), "{name}");
    }
    let game = &read(&["list.usi"]).unwrap().games[0];
    assert_eq!((moves(game).as_str(), game.result), (SHORT, Some(GameResult::Black)));
    assert_eq!(game.scores[..3], [None, Some(20), Some(-15)]);
}

#[test]
fn a_file_may_have_several_games_of_csa_3() {
    let games = read(&["two_games_v3.csa"]).unwrap().games;
    let told: Vec<_> = games.iter().map(|game| (moves(game), game.result)).collect();
    let expected = [("7g7f 3c3d 8h2b+ 3a2b", Some(GameResult::Draw)), ("2g2f 8c8d 2f2e 8d8e", None)];
    assert_eq!(told, expected.map(|(moves, result)| (moves.to_string(), result)));
}

#[test]
fn a_handicap_game_has_its_start_position() {
    let reading = read(&["rook_handicap.kif"]).unwrap();
    let game = &reading.games[0];
    assert_eq!(reading.handicaps, 1);
    assert_eq!(game.start.to_sfen(), "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!((game.start.side_to_move(), moves(game).as_str()), (Color::White, "3c3d 7g7f 4c4d 3i4h"));
    assert_eq!(game.result, Some(GameResult::Black));
}

#[test]
fn faults_name_file_line_and_ply() {
    let reading = read(&["list.usi", "illegal.kif"]).unwrap();
    assert_eq!(reading.games.len(), 3);
    let told: Vec<String> = reading.faults.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 5, "{told:?}");
    for (fault, parts) in told.iter().zip([
        ["list.usi:5, ply 3: ", "7g7f"],
        ["list.usi:6: ", "1 scores for 2 moves"],
        ["list.usi:8: ", "hello"],
        ["list.usi:9: ", "no king"],
        ["illegal.kif:1, ply 6: ", "illegal"],
    ]) {
        assert!(parts.iter().all(|part| fault.contains(part)), "{fault}: {parts:?}");
    }
}

#[test]
fn folders_are_read_recursively_and_empty_ones_refused() {
    let all = read(&[""]).unwrap();
    assert_eq!((all.files, all.games.len(), all.handicaps), (7, 9, 2));
    let empty = tempfile::tempdir().unwrap();
    let error = records::read(&[empty.path().to_path_buf()], &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("no game in 0 files") && error.contains("hint"), "{error}");
    let error = records::read(&[empty.path().join("missing")], &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("missing"), "{error}");
}

/// A few self-play games with few nodes.
fn played(games: u64) -> Vec<RecordedGame> {
    let folder = tempfile::tempdir().unwrap();
    let openings = vec![Opening::parse("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b").unwrap()];
    let table = Arc::new(first_table());
    let play = SelfPlay {
        evaluation: table.into(),
        openings,
        nodes: 40,
        by_chip: false,
        games,
        part: Part::WHOLE,
        seed: 3,
        threads: 2,
    };
    let file = folder.path().join("selfplay.usi");
    play.play(&file, &AtomicBool::new(false), &|_| {}).unwrap();
    let mut games = records::read(&[file], &mut |_| {}).unwrap().games;
    // Threads finish games in any order.
    games.sort_by_key(moves);
    games
}

const RATES: Rates = Rates { step: 2.0, decay: 0.9, l1: 1e-8, l2: 1e-8 };
const BONANZA: Objective = Objective::Bonanza { temperature: 60.0 };
const RESULT: Objective = Objective::Result { scale: 600.0, result: 0.5, lambda: 0.0 };
const SQUARES: Objective = Objective::Squares { scale: 600.0, result: 0.5, lambda: 0.0 };
const TEMPORAL: Objective = Objective::Temporal { scale: 600.0, lambda: 0.7 };
/// With this λ the targets do not depend on the weights.
const TO_THE_END: Objective = Objective::Temporal { scale: 600.0, lambda: 1.0 };

fn trainer(games: &[RecordedGame], objective: Objective) -> Trainer {
    let mut trainer = Trainer::new(&first_table(), objective, RATES).unwrap();
    trainer.games = games[1..].to_vec();
    trainer.held_out = games[..1].to_vec();
    trainer.compared = games[..1].to_vec();
    (trainer.batch, trainer.threads) = (2, 2);
    trainer
}

#[test]
fn the_loss_falls() {
    let games = played(5);
    for objective in [BONANZA, RESULT, SQUARES, TEMPORAL] {
        let trainer = trainer(&games, objective);
        let progress = run(&Alone, &trainer, 4, None, &|| false, &mut |_| Ok(())).unwrap();
        let loss: Vec<f64> = progress.rows[1..].iter().map(|row| row.loss).collect();
        assert!(loss[3] < 0.95 * loss[0], "{objective:?}: {loss:?}");
    }
}

#[test]
fn returns_are_those_computed_by_hand() {
    let chances = [0.5, 0.6, 0.8];
    for (lambda, targets) in [(0.0, [0.6, 0.8, 1.0]), (0.5, [0.75, 0.9, 1.0]), (1.0, [1.0; 3])] {
        let found = returns(&chances, 1.0, lambda);
        assert!(found.iter().zip(targets).all(|(f, t)| (f - t).abs() < 1e-6), "{lambda}: {found:?}");
    }
    assert!(returns(&[], 1.0, 0.5).is_empty());
}

#[test]
fn later_scores_count_less_from_ply_to_ply() {
    // What the scores say for the movers in turn.
    let scores = [Some(50), Some(75), None, Some(80)];
    let expected = [
        (0.0, [0.5, 0.75, 0.8]),
        (0.5, [0.5 * 0.5 + 0.5 * (1.0 - 0.775), 0.5 * 0.75 + 0.5 * 0.8, 0.8]),
        (1.0, [0.2, 0.8, 0.8]),
    ];
    for (lambda, [first, second, last]) in expected {
        let found = with_later(&scores, &|score| score / 100.0, lambda);
        assert_eq!((found.len(), found[2]), (4, None), "{lambda}");
        let found = [0, 1, 3].map(|ply| found[ply].unwrap());
        assert!(found.iter().zip([first, second, last]).all(|(f, e)| (f - e).abs() < 1e-6), "{lambda}: {found:?}");
    }
}

#[test]
fn the_gradient_matches_finite_differences() {
    let games = played(4);
    let games: Vec<&RecordedGame> = games.iter().collect();
    for objective in [BONANZA, RESULT, SQUARES, TO_THE_END] {
        let start = of_table(&first_table()).unwrap();
        let loss = |change: Option<(usize, f32)>| -> (LossStats, Vec<f32>) {
            let mut parameters = start.clone();
            if let Some((i, by)) = change {
                parameters[i] += by;
            }
            let trainer = Trainer::new(&to_table(&parameters, 1), objective, RATES).unwrap();
            trainer.gradient(&Alone, &State::default(), &games).unwrap()
        };
        let (_, slopes) = loss(None);
        let mut steepest: Vec<usize> = (0..slopes.len()).collect();
        steepest.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
        // Principal variations may change with a weight, so single components may differ.
        let (mut wrong, mut sum) = (0.0, 0.0);
        for &i in steepest[..200].iter().step_by(10) {
            let [less, more] = [-1.0, 1.0].map(|by| loss(Some((i, by))).0.loss);
            let (measured, told) = ((more - less) / 2.0, slopes[i] as f64);
            (wrong, sum) = (wrong + (measured - told).abs(), sum + told.abs());
        }
        assert!(wrong < 0.15 * sum, "{objective:?}: wrong by {wrong} of {sum}");
    }
}

/// Any number of ranks makes the same steps, and a run goes on with another number.
#[test]
fn ranks_make_the_same_steps() {
    let games = played(27);
    let mut alone = trainer(&games, RESULT);
    // Several chunks of games a step, and a step with fewer of them than ranks.
    (alone.batch, alone.threads) = (20, 1);
    let whole = run(&Alone, &alone, 2, None, &|| false, &mut |_| Ok(())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (ranks, passes) in [(2, 1), (5, 2)] {
        let found = threads::run(ranks, &|ranks| {
            let events = AtomicU64::new(0);
            let mut tell = |_: TrainingEvent| {
                events.fetch_add(1, Relaxed);
                Ok(())
            };
            let progress = run(ranks, &alone, passes, Some(folder.path()), &|| false, &mut tell).unwrap();
            // Rank 0 alone tells what it does.
            ranks.all((events.into_inner() > 0) == (ranks.rank() == 0)).map(|told| (progress, told))
        });
        let (progress, told) = found.unwrap();
        assert!(told);
        assert_eq!(progress.rows, whole.rows[..=passes as usize]);
        assert!(passes < 2 || progress == whole, "weights or moments differ");
    }
    let failed = threads::run(3, &|ranks| {
        let games = &games[..games.len() - usize::from(ranks.rank() == 2)];
        let failed = run(ranks, &trainer(games, RESULT), 1, None, &|| false, &mut |_| Ok(()));
        ranks.all(matches!(failed, Err(LearnError::OtherRank { rank: 2 })))
    });
    assert!(failed.unwrap());
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let games = played(7);
    let whole = run(&Alone, &trainer(&games, RESULT), 2, None, &|| false, &mut |_| Ok(())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let steps = Cell::new(0);
    for threads in [1, 2, 3] {
        let mut trainer = trainer(&games, RESULT);
        trainer.threads = threads;
        let stop = steps.get() + 2;
        let mut tell = |news: TrainingEvent| {
            steps.set(steps.get() + matches!(news, TrainingEvent::Step { .. }) as usize);
            Ok(())
        };
        run(&Alone, &trainer, 2, Some(folder.path()), &|| steps.get() >= stop && threads < 3, &mut tell).unwrap();
    }
    let trainer = trainer(&games, RESULT);
    let resumed = checkpoint::load(folder.path(), &trainer.setting()).unwrap().unwrap();
    assert_eq!(resumed.rows, whole.rows);
    assert!(resumed == whole, "weights or moments differ");
    let other = checkpoint::load(folder.path(), "another").unwrap_err();
    assert!(matches!(other, LearnError::OtherSetting { .. }), "{other}");
    let file = checkpoint::file(folder.path());
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    assert!(matches!(checkpoint::load(folder.path(), &trainer.setting()), Err(LearnError::Damaged { .. })));
}

#[test]
fn trained_weights_fit_the_chip_s_format() {
    let mut state = State::default();
    for (i, part) in state.parts.iter_mut().enumerate() {
        *part = (i % 1001) as f32 * 3.7 - 1850.0;
    }
    let trainer = Trainer::new(&first_table(), RESULT, RATES).unwrap();
    let table = trainer.table(&state, 7);
    assert_eq!(EvalTable::from_bytes(&table.to_bytes()).unwrap().header().version, 7);
}

#[test]
fn the_command_trains_and_keeps_the_old_table_on_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (out, list, empty) = (path("out.hyet"), path("games.usi"), path("empty"));
    std::fs::create_dir(&empty).unwrap();
    let line = format!("black\tstartpos moves {SHORT} 3d3e 4g4f 3e3f 5i6h\n");
    std::fs::write(&list, line.repeat(4)).unwrap();
    std::fs::write(&out, "an old table").unwrap();
    let learn = |arguments: &[&str]| program(&[&["learn", "eval", "--quiet", "--out", &out], arguments].concat());
    let refused = |arguments: &[&str], part: &str| {
        let (code, _, err) = learn(arguments);
        assert!(code == 2 && err.contains(part), "{arguments:?}: {code}, {err}");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "an old table");
    };
    refused(&["--games", &empty], "no game in 0 files");
    refused(&["--games", data("illegal.kif").to_str().unwrap()], "ply 6");
    refused(&["--games", &list, "--table", &list], "HYET");
    let mut format_2 = first_table().to_bytes();
    format_2[4] = 2;
    std::fs::write(path("format2"), format_2).unwrap();
    refused(&["--games", &list, "--table", &path("format2")], "format 2");
    refused(&["--games", &list, "--held-out", "0"], "too few");
    refused(&["--games", &list, "--step", "0"], "--step 0");
    refused(&["--games", &list, "--method", "td", "--lambda", "1.5"], "--lambda 1.5");
    refused(&[], "--games PATH");
    let (code, told, err) = learn(&["--games", &list, "--method", "bonanza", "--passes", "2", "--json"]);
    assert_eq!((code, told.lines().count()), (0, 3), "{told}{err}");
    assert!(EvalTable::from_bytes(&std::fs::read(&out).unwrap()).is_ok());
    let (code, again, _) = learn(&["--games", &list, "--method", "bonanza", "--passes", "2", "--json"]);
    assert_eq!((code, again), (0, told));
    for method in ["squares", "td"] {
        let run = path(method);
        let (code, told, err) =
            learn(&["--games", &list, "--method", method, "--passes", "1", "--json", "--checkpoint", &run]);
        assert_eq!((code, told.lines().count()), (0, 2), "{method}: {told}{err}");
    }
}

/// Records of games with scores: random moves after an opening, so that no two games are the same.
fn scored_games(count: u64) -> String {
    let mut text = String::new();
    for game in 0..count {
        let mut random = Random::new(7, game);
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for _ in 0..60 {
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            let mv = list[random.below(list.len())];
            position.do_move(mv);
            moves.push(mv.to_usi());
        }
        let scores: Vec<String> = moves.iter().map(|_| (random.below(800) as i32 - 400).to_string()).collect();
        let result = ["black", "white", "draw"][random.below(3)];
        text += &format!("{result}\tstartpos moves {}\t{}\tgame {game}\n", moves.join(" "), scores.join(" "));
    }
    text
}

#[test]
fn a_network_s_run_that_is_stopped_in_any_block_gives_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.usi");
    std::fs::write(&games, scored_games(300)).unwrap();
    let session = |name: &str| {
        let checkpoint = folder.path().join(format!("{name}.run"));
        std::fs::create_dir_all(&checkpoint).unwrap();
        NetworkSession {
            table: Arc::new(first_table()),
            source: Source {
                files: vec![games.clone()],
                scale: 600.0,
                blend: 0.5,
                lambda: 0.0,
                held_out: 25.0,
                block: 1000,
            },
            start: Start::Random { units: 8 },
            rate: 0.002,
            decay: 0.7,
            batch: 300,
            passes: 2,
            threads: 2,
            seed: 4,
            out: folder.path().join(name),
            version: 1,
            checkpoint,
        }
    };
    session("whole").run(&|| false, &mut |_| {}).unwrap();
    let stopped = session("stopped");
    let mut runs = 0;
    loop {
        let learned = Cell::new(false);
        let mut on_event = |event: NetworkEvent| {
            if let NetworkEvent::Block { .. } = event {
                learned.set(true);
            }
        };
        stopped.run(&|| learned.get(), &mut on_event).unwrap();
        if !learned.get() {
            break;
        }
        runs += 1;
    }
    assert!(runs > 5, "{runs}");
    assert!(std::fs::read(folder.path().join("whole")).unwrap() == std::fs::read(&stopped.out).unwrap());
    let other = NetworkSession { seed: 5, ..session("stopped") };
    assert!(matches!(other.run(&|| false, &mut |_| {}), Err(LearnError::OtherSetting { .. })));
}

#[test]
fn the_command_trains_a_network_that_the_engine_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let games = path("games.usi");
    std::fs::write(&games, scored_games(300)).unwrap();
    let learn = |out: &str, more: &[&str]| {
        let usual = ["learn", "network", "--quiet", "--json", "--data", &games, "--units", "8", "--batch", "512"];
        program(&[&usual[..], &["--held-out", "25", "--out", &path(out)], more].concat())
    };
    // The same bytes with any number of threads, and in two runs.
    let (code, told, err) = learn("one.hyet", &["--passes", "3", "--threads", "1"]);
    assert_eq!((code, told.lines().count()), (0, 4), "{told}{err}");
    assert_eq!(learn("two.hyet", &["--passes", "3", "--threads", "3"]).1, told);
    assert_eq!(learn("parts.hyet", &["--passes", "1"]).1.lines().count(), 2);
    assert_eq!(learn("parts.hyet", &["--passes", "3"]).1, told);
    let one = std::fs::read(path("one.hyet")).unwrap();
    for other in ["two.hyet", "parts.hyet"] {
        assert!(std::fs::read(path(other)).unwrap() == one, "{other} differs");
    }
    let number =
        |line: &str, key: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()[key].as_f64().unwrap();
    let losses: Vec<f64> = told.lines().skip(1).map(|line| number(line, "loss")).collect();
    assert!(losses[2] < losses[0], "{losses:?}");

    // Another run starts where the first one ended, and goes on from there.
    let from = ["--start", &path("one.hyet")];
    let (code, more, err) = learn("more.hyet", &[&from[..], &["--passes", "1"]].concat());
    assert_eq!(code, 0, "{err}");
    let (first, last) = (more.lines().next().unwrap(), told.lines().last().unwrap());
    assert_eq!(number(first, "held_out"), number(last, "held_out"));
    assert!(std::fs::read(path("more.hyet")).unwrap() != one);

    // The engine plays it, on every back end the same; commands of the chip refuse it.
    let bench = |backend: &str, table: &[&str]| {
        let usual = ["bench", "--quiet", "--depth", "3", "--backend", backend];
        let (code, out, err) = program(&[&usual[..], table].concat());
        assert_eq!(code, 0, "{err}");
        out.lines().last().unwrap().split(' ').next().unwrap().to_string()
    };
    let network = ["--table", &path("one.hyet")].map(String::from);
    let network = [network[0].as_str(), network[1].as_str()];
    let nodes = bench("model", &network);
    assert_eq!(bench("model-stream", &network), nodes);
    assert_ne!(bench("model", &[]), nodes);
    let (code, _, err) = program(&[&["eval", "--backend", "model"], &network[..]].concat());
    assert!(code == 2 && err.contains("is a network"), "{err}");

    let refused = |more: &[&str], part: &str| {
        let usual = [
            "learn",
            "network",
            "--quiet",
            "--data",
            &games,
            "--passes",
            "1",
            "--held-out",
            "25",
            "--out",
            &path("no.hyet"),
        ];
        let (code, _, err) = program(&[&usual[..], more].concat());
        assert!(code == 2 && err.contains(part), "{more:?}: {code}, {err}");
        assert!(!folder.path().join("no.hyet").exists());
    };
    refused(&["--units", "12"], "--units 12");
    refused(&["--units", "16", "--start", &path("one.hyet")], "--start has 8");
    std::fs::write(path("table.hyet"), first_table().to_bytes()).unwrap();
    refused(&["--start", &path("table.hyet")], "without a network");
    refused(&["--blend", "1.5"], "--blend 1.5");
    refused(&["--lambda", "1.5"], "--lambda 1.5");
    refused(&["--table", &path("one.hyet")], "is a network");
    refused(&["--checkpoint", &path("one.hyet.run")], "belongs to another run");
}
