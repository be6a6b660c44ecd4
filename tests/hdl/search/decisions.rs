//! What happens at a node: entering it, judging and making moves, scores that return, its end, and iterations.

use super::bench::{assert_same, number, signed, to_bus, wire, Bench};
use super::situations::*;
use hayasashi_hdl::network::{bus, Value};
use hayasashi_hdl::search as hdl;
use hayasashi_model::search::child::{make, null_window, open, pass};
use hayasashi_model::search::enter::{enter, enter_root, Arrival, Entered};
use hayasashi_model::search::iteration::iterate;
use hayasashi_model::search::judge::{gain, judge, Facts, Verdict};
use hayasashi_model::search::node::{Child, Node, Waiting};
use hayasashi_model::search::order::Class;
use hayasashi_model::search::path::Repeated;
use hayasashi_model::search::reduction::reduction;
use hayasashi_model::search::returned::{finished, returned, Finished, Next};
use hayasashi_model::search::spot::Candidate;
use hayasashi_model::search::table::{to_table, Bound, NewEntry, Table};
use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::PAWN;
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use hayasashi_tests::link_bench::Rng;

/// Situations of each test.
const SITUATIONS: usize = 2500;

/// How often each kind of answer has been given; each must have been often.
#[derive(Default)]
struct Kinds(std::collections::BTreeMap<&'static str, usize>);

impl Kinds {
    fn count(&mut self, kind: &'static str) {
        *self.0.entry(kind).or_default() += 1;
    }

    fn check(&self, name: &str, kinds: usize, least: usize) {
        println!("{name}: {:?}", self.0);
        assert!(self.0.len() == kinds && self.0.values().all(|&count| count >= least), "{name}: {:?}", self.0);
    }
}

fn pick<T: Copy>(of: &[T], rng: &mut Rng) -> T {
    of[rng.below(of.len() as u64) as usize]
}

/// The table's entry for a node, as found in a table.
fn table_entry(node: &Node, ply: usize, best: Move16, rng: &mut Rng) -> Table {
    let mut table = Table::new(MIN_TABLE_BITS);
    let bound = pick(&[Bound::Upper, Bound::Lower, Bound::Exact], rng);
    let depth = (node.table_depth() + rng.below(5) as i32 - 2).clamp(0, 33);
    // A score that the walk can have stored: a mate is at least as far as its node.
    let limit = MATE as i32 - ply as i32;
    let score = near(&[node.alpha, node.beta, node.eval], rng).clamp(-limit, limit);
    table.put(1, ply, &NewEntry { best, score, depth, bound, iteration: 1 });
    table
}

fn entry_wires(table: &Table, stored: bool) -> hdl::arrival::Entry {
    let zero =
        hdl::arrival::Entry { bound: number(0, 2), best: number(0, 15), score: number(0, 16), depth: number(0, 6) };
    table.get(1).filter(|_| stored).map_or(zero, |entry| hdl::arrival::Entry {
        bound: Value::new(entry.bound as u128, 2),
        best: mv(entry.best),
        score: number(entry.score(0), 16),
        depth: plies(entry.depth as i32),
    })
}

#[test]
fn entering_equals_the_model() {
    let mut rng = Rng(1);
    let mut bench = Bench::new(|block: &mut hdl::enter::Enter| &mut block.clock);
    let mut kinds = Kinds::default();
    for situation in situations(SITUATIONS, &mut rng) {
        let (mut techniques, head) = (situation.head.techniques, situation.head);
        if rng.below(4) == 0 {
            techniques = rng.below(1 << Technique::ALL.len()) as u32;
        }
        let head = SearchHead { techniques, ..head };
        let n = disturbed(&situation.node, &mut rng);
        let ply = pick(&[situation.ply, 1, 2, 7, 39, 40, rng.below(41) as usize], &mut rng);
        let Node { alpha, beta, depth, cut, quiet_ply, .. } = n;
        let mut last = n.last;
        if rng.below(6) == 0 {
            last = Some(Candidate { mv: Move16::drop(PAWN, rng.below(81) as u8), moved: PAWN, captured: 0 });
        }
        let quiet_ply = if rng.below(8) == 0 && depth == 0 { QUIESCENCE_PLIES } else { quiet_ply };
        let best = situation.moves.first().map_or(Move16(0), |candidate| candidate.mv);
        let begun = Child { alpha, beta, depth: if ply == 0 { depth.max(1) } else { depth }, cut, quiet_ply, last };
        let table = table_entry(&n, ply, best, &mut rng);
        let arrival = Arrival {
            ply,
            repeated: pick(&[Some(Repeated::Draw), Some(Repeated::Win), Some(Repeated::Loss)], &mut rng)
                .filter(|_| rng.below(12) == 0),
            has_move: rng.below(6) != 0,
            in_check: n.in_check,
            eval: n.eval,
            before: Some(near(&[n.eval], &mut rng)).filter(|_| rng.below(4) != 0),
            entry: table.get(1).filter(|_| rng.below(3) != 0),
        };
        let mut expected = Node::enter(begun);
        let entered = if ply == 0 {
            expected = enter_root(begun, arrival.in_check, arrival.eval, best);
            Entered::Moves
        } else {
            enter(&head, &mut expected, &arrival)
        };

        let mut entry = entry_wires(&table, arrival.entry.is_some());
        if ply == 0 {
            entry.best = mv(best);
        }
        let wires = hdl::arrival::Arrival {
            ply: plies(ply as i32),
            repeats: wire(ply != 0 && arrival.repeated.is_some()),
            wins: wire(arrival.repeated == Some(Repeated::Win)),
            loses: wire(arrival.repeated == Some(Repeated::Loss)),
            has_move: wire(ply == 0 || arrival.has_move),
            in_check: wire(arrival.in_check),
            eval: score(arrival.eval),
            has_before: wire(ply != 0 && arrival.before.is_some()),
            before: score(arrival.before.unwrap_or(0)),
            entry,
        };
        bench.block.head.next = to_bus::<hdl::node::Head, _>(&self::head(&head));
        bench.block.child.next = to_bus::<hdl::node::Child, _>(&child(&begun));
        bench.block.arrival.next = to_bus::<hdl::arrival::Arrival, _>(&wires);
        bench.run(hdl::enter::ENTER_CLOCKS);
        let got = bus::read::<hdl::arrival::Entered, _>(&bench.block.entered.val());
        let got_kind = match (got.valid.bits, got.pawn_drop_mate.bits) {
            (0, 0) => Entered::Moves,
            (1, 0) => Entered::Score(signed(got.score)),
            _ => Entered::PawnDropMate,
        };
        let context = || format!("{begun:?} {arrival:?} techniques {techniques:#x}");
        assert_eq!(got_kind, entered, "{}", context());
        if entered == Entered::Moves {
            let got = bus::read::<hdl::node::Node, _>(&bench.block.node.val());
            assert_same::<hdl::node::Node>(&got, &node(&expected), context);
        }
        kinds.count(match entered {
            Entered::PawnDropMate => "pawn drop mate",
            Entered::Score(_) if arrival.repeated.is_some() => "repeated",
            Entered::Score(_) if !arrival.has_move => "mate",
            Entered::Score(s) if s == expected.eval && depth == 0 => "quiet",
            Entered::Score(s) if s == (expected.eval + expected.beta) >> 1 => "far above",
            Entered::Score(_) => "other score",
            Entered::Moves if expected.razored => "razored",
            Entered::Moves if expected.waiting == Waiting::Null => "null move",
            Entered::Moves if expected.quiescence => "quiescence",
            Entered::Moves if expected.eval != arrival.eval => "evaluation of the table",
            Entered::Moves => "moves",
        });
    }
    kinds.check("enter", 11, 10);
    bench.check_verilog("enter");
}

#[test]
fn reductions_equal_the_model() {
    let mut rng = Rng(2);
    let mut bench = Bench::new(|block: &mut hdl::reduction::Reduction| &mut block.clock);
    for depth in 1..=MAX_DEPTH as i32 {
        for number in (1..80).step_by(1 + rng.below(2) as usize).chain([100, 300, 593]) {
            let improving = rng.below(2) == 0;
            bench.block.depth.next = (depth as u64).into();
            bench.block.number.next = (number as u64).into();
            bench.block.improving.next = (improving as u64).into();
            bench.run(hdl::reduction::REDUCTION_CLOCKS);
            let expected = reduction(depth, number, improving) / ONE_PLY;
            assert_eq!(bench.block.plies.val().to_u64(), expected as u64, "{depth} {number} {improving}");
        }
    }
    bench.check_verilog("reduction");
}

/// What is known about a candidate.
struct Known {
    checks: bool,
    exchange: i32,
}

impl Facts for Known {
    fn gives_check(&mut self) -> bool {
        self.checks
    }
    fn exchange(&mut self) -> i32 {
        self.exchange
    }
}

fn whole_plies(node: &Node, number: i32) -> Value {
    Value::new((reduction(node.depth, number, node.improving) / ONE_PLY) as u128, hdl::reduction::REDUCTION_BITS)
}

#[test]
fn verdicts_equal_the_model() {
    let mut rng = Rng(3);
    let mut bench = Bench::new(|block: &mut hdl::judge::Judge| &mut block.clock);
    let mut kinds = Kinds::default();
    for mut situation in situations(SITUATIONS, &mut rng) {
        if situation.moves.is_empty() {
            continue;
        }
        for _ in 0..2 {
            let n = disturbed(&situation.node, &mut rng);
            let c = pick(&situation.moves, &mut rng);
            situation.spot.find_checking();
            situation.spot.find_attacks();
            let mut known = Known { checks: situation.spot.checks(&c), exchange: situation.spot.attacks.exchange(&c) };
            if rng.below(3) == 0 {
                // Where the exchange test decides.
                let (depth, reduced) = (n.depth.min(EXCHANGE_DEPTH), rng.below(8) as i32);
                let limits = [EXCHANGE_CHECK * depth, EXCHANGE_CAPTURE * depth, EXCHANGE_QUIET * reduced * reduced];
                let exchange = rng.below(3) as i32 - 1 - pick(&limits, &mut rng);
                known = Known { checks: rng.below(2) == 0, exchange };
            }
            let mut expected = n;
            let class = pick(&CLASSES, &mut rng);
            let verdict = judge(&situation.head, &mut expected, situation.ply, class, &c, &mut known);

            let question = hdl::judge_stages::Question {
                node: node(&n),
                root: wire(situation.ply == 0),
                quiet: wire(c.is_quiet()),
                early: wire(class < Class::Attacked),
                checks: wire(known.checks),
                gain: number(gain(&c), hdl::judge_stages::GAIN_BITS),
                exchange: score(known.exchange),
                plies: whole_plies(&n, n.made + 1),
            };
            bench.block.head.next = to_bus::<hdl::node::Head, _>(&head(&situation.head));
            bench.block.question.next = to_bus::<hdl::judge_stages::Question, _>(&question);
            bench.run(hdl::judge::JUDGE_CLOCKS);
            let got = bus::read::<hdl::judge_stages::Verdict, _>(&bench.block.verdict.val());
            let got_verdict = match (got.refuse.bits, got.refuse_quiets.bits) {
                (0, 0) => Verdict::Make,
                (1, 0) => Verdict::Refuse,
                _ => Verdict::RefuseQuiets,
            };
            let context = || format!("{n:?} {c:?} checks {} exchange {}", known.checks, known.exchange);
            assert_eq!((got_verdict, signed(got.best)), (verdict, expected.best), "{}", context());
            kinds.count(match (verdict, n.best != expected.best) {
                (Verdict::Make, _) => "made",
                (Verdict::Refuse, false) if n.quiescence => "refused in quiescence",
                (Verdict::Refuse, true) if !n.quiescence => "futile alone",
                (Verdict::Refuse, true) => "refused with a score",
                (Verdict::Refuse, false) => "loses",
                (Verdict::RefuseQuiets, false) => "no more quiet moves",
                (Verdict::RefuseQuiets, true) => "futile",
            });
        }
    }
    kinds.check("judge", 7, 20);
    bench.check_verilog("judge");
}

#[test]
fn children_equal_the_model() {
    let mut rng = Rng(4);
    let mut bench = Bench::new(|block: &mut hdl::child::Issue| &mut block.clock);
    let mut kinds = Kinds::default();
    for situation in situations(SITUATIONS, &mut rng) {
        if situation.moves.is_empty() {
            continue;
        }
        for what in [hdl::child::MAKE, hdl::child::MAKE, hdl::child::AGAIN, hdl::child::WIDE, hdl::child::PASS] {
            let mut n = disturbed(&situation.node, &mut rng);
            let c = pick(&situation.moves, &mut rng);
            let (class, checks) = (pick(&CLASSES, &mut rng), rng.below(2) == 0);
            if what != hdl::child::MAKE {
                // Only of nodes outside quiescence; a null move only above beta.
                n.depth = n.depth.max(1);
                (n.quiescence, n.razored, n.quiet_evasions, n.quiet_ply) = (false, false, 0, 0);
            }
            if what == hdl::child::PASS {
                let above = rng.below(900) as i32;
                n.beta = near(&[n.eval - above], &mut rng).clamp(1 - LONGEST_MATE as i32, n.eval);
                (n.alpha, n.waiting) = (n.beta - 1, Waiting::Null);
            }
            let mut expected = n;
            let issued = match what {
                hdl::child::MAKE => make(&situation.head, &mut expected, class, c, || checks),
                hdl::child::AGAIN => {
                    expected.waiting = Waiting::NullWindow;
                    null_window(&expected)
                }
                hdl::child::WIDE => open(&mut expected),
                _ => pass(&expected),
            };
            let order = hdl::child::Order {
                what: Value::new(what, 2),
                candidate: candidate(&c),
                class: Value::new(class as u128, 4),
                checks: wire(checks),
                plies: whole_plies(&n, n.made + 1),
            };
            bench.block.head.next = to_bus::<hdl::node::Head, _>(&head(&situation.head));
            bench.block.node_in.next = to_bus::<hdl::node::Node, _>(&node(&n));
            bench.block.order.next = to_bus::<hdl::child::Order, _>(&order);
            bench.run(hdl::child::ISSUE_CLOCKS);
            let context = || format!("{what} {n:?} {c:?} {class:?} checks {checks}");
            let got = bus::read::<hdl::node::Child, _>(&bench.block.child.val());
            assert_same::<hdl::node::Child>(&got, &child(&issued), context);
            let got = bus::read::<hdl::node::Node, _>(&bench.block.node.val());
            assert_same::<hdl::node::Node>(&got, &node(&expected), context);
            kinds.count(match (issued.last, expected.waiting) {
                (None, _) => "null move",
                (_, Waiting::Reduced) if issued.depth < n.depth - 1 => "reduced",
                (_, Waiting::Reduced) => "not less deep",
                (_, Waiting::NullWindow) => "null window",
                (_, Waiting::Open) if n.quiescence => "quiescence",
                _ => "window of the node",
            });
        }
    }
    kinds.check("child", 6, 100);
    bench.check_verilog("child");
}

#[test]
fn returns_equal_the_model() {
    let mut rng = Rng(5);
    let mut bench = Bench::new(|block: &mut hdl::returned::Returned| &mut block.clock);
    let mut kinds = Kinds::default();
    for situation in situations(SITUATIONS, &mut rng) {
        for _ in 0..3 {
            let mut n = disturbed(&situation.node, &mut rng);
            if n.quiescence {
                n.waiting = Waiting::Open;
            }
            if let Some(&c) = situation.moves.first() {
                n.current = pick(&[n.current, c], &mut rng);
            }
            let came = near(&[n.alpha, n.beta, n.best, n.alpha + 1], &mut rng);
            let mut expected = n;
            let after = returned(&mut expected, situation.ply, came);

            bench.block.node_in.next = to_bus::<hdl::node::Node, _>(&node(&n));
            bench.block.root.next = ((situation.ply == 0) as u64).into();
            bench.block.score.next = (score(came).bits as u64).into();
            bench.run(1);
            let context = || format!("{came} returns to {n:?}");
            let got = bus::read::<hdl::node::Node, _>(&bench.block.node.val());
            assert_same::<hdl::node::Node>(&got, &node(&expected), context);
            let again = matches!(after.next, Next::Search(_));
            let wide = again && expected.waiting == Waiting::Open;
            let outcome = hdl::returned::Outcome {
                finish: wire(after.next == Next::Finish),
                again: wire(again && !wide),
                wide: wire(wide),
                raises_line: wire(after.raises_line),
                learns: wire(after.learns),
                fails: wire(after.fails),
            };
            let got = bus::read::<hdl::returned::Outcome, _>(&bench.block.outcome.val());
            assert_same::<hdl::returned::Outcome>(&got, &outcome, context);
            kinds.count(match after.next {
                Next::Search(_) if wide => "wide",
                Next::Search(_) => "again",
                Next::Finish if n.waiting == Waiting::Null => "null move cuts",
                Next::Finish if after.learns => "cuts and learns",
                Next::Finish => "cuts",
                Next::Pick if expected.alpha > n.alpha => "raises alpha",
                Next::Pick if after.fails => "a quiet move fails",
                Next::Pick => "next",
            });
        }
    }
    kinds.check("returned", 8, 20);
    bench.check_verilog("returned");
}

#[test]
fn ends_equal_the_model() {
    let mut rng = Rng(6);
    let mut bench = Bench::new(|block: &mut hdl::returned::Finished| &mut block.clock);
    let mut kinds = Kinds::default();
    for situation in situations(SITUATIONS, &mut rng) {
        for _ in 0..2 {
            let n = disturbed(&situation.node, &mut rng);
            let ply = pick(&[situation.ply, rng.below(41) as usize], &mut rng);
            let n = Node { best: n.best.clamp(ply as i32 - MATE as i32, MATE as i32 - ply as i32), ..n };
            let mut expected = n;
            let end = finished(&mut expected, ply);

            bench.block.node_in.next = to_bus::<hdl::node::Node, _>(&node(&n));
            bench.block.ply.next = (ply as u64).into();
            bench.run(1);
            let context = || format!("{n:?} at ply {ply}");
            let got = bus::read::<hdl::node::Node, _>(&bench.block.node.val());
            assert_same::<hdl::node::Node>(&got, &node(&expected), context);
            let bound = match end {
                Finished::Ended(bound) => bound,
                Finished::Again => Bound::None,
            };
            let ending = hdl::returned::Ending {
                again: wire(end == Finished::Again),
                bound: Value::new(bound as u128, 2),
                depth: plies(n.table_depth()),
                stored: number(to_table(n.best, ply) as i32, 16),
                score: score(-n.best),
            };
            let got = bus::read::<hdl::returned::Ending, _>(&bench.block.ending.val());
            assert_same::<hdl::returned::Ending>(&got, &ending, context);
            kinds.count(match end {
                Finished::Again => "again",
                Finished::Ended(_) if n.quiescence => "quiescence",
                Finished::Ended(Bound::Upper) => "upper",
                Finished::Ended(Bound::Lower) => "lower",
                Finished::Ended(_) => "exact",
            });
        }
    }
    kinds.check("finished", 5, 20);
    bench.check_verilog("finished");
}

#[test]
fn iterations_equal_the_model() {
    let mut rng = Rng(7);
    let mut bench = Bench::new(|block: &mut hdl::iteration::Iterate| &mut block.clock);
    let mut kinds = Kinds::default();
    for _ in 0..4000 {
        let any = rng.below(4000) as i32 - 2000;
        let (alpha, beta) = match rng.below(3) {
            0 => (any, (any + 1 + rng.below(400) as i32).min(MATE as i32)),
            _ => (-(MATE as i32), MATE as i32),
        };
        let depth = 1 + rng.below(MAX_DEPTH as u64) as u8;
        let techniques = if rng.below(5) == 0 { 0 } else { ALL_TECHNIQUES };
        let head = SearchHead { alpha: alpha as i16, beta: beta as i16, depth, techniques, ..SearchHead::default() };
        let iteration = if rng.below(10) == 0 { 0 } else { 1 + rng.below(depth as u64) as u8 };
        let came = near(&[any, alpha, beta], &mut rng);
        let low = if rng.below(2) == 0 { alpha } else { near(&[came, alpha], &mut rng).clamp(alpha, beta - 1) };
        let high = if rng.below(2) == 0 { beta } else { near(&[came, beta], &mut rng).clamp(low + 1, beta) };
        let best = near(&[low, high, came], &mut rng);
        let root = Node { first_alpha: low, beta: high, best, ..Node::default() };
        let expected = iterate(&head, iteration, came, &root);

        bench.block.head.next = to_bus::<hdl::node::Head, _>(&self::head(&head));
        bench.block.iteration.next = (iteration as u64).into();
        bench.block.score.next = (score(came).bits as u64).into();
        bench.block.root.next = to_bus::<hdl::iteration::Root, _>(&hdl::iteration::Root {
            alpha: score(low),
            beta: score(high),
            best: score(best),
        });
        bench.run(hdl::iteration::ITERATE_CLOCKS);
        let got = bus::read::<hdl::iteration::Iteration, _>(&bench.block.following.val());
        let begins = (got.iteration.bits as u8, signed(got.alpha), signed(got.beta));
        let found = hayasashi_model::search::iteration::Iterated {
            completed: got.completed.bits == 1,
            fails_low: got.fails_low.bits == 1,
            begins: Some(begins).filter(|_| got.ends.bits == 0),
        };
        assert_eq!(found, expected, "{head:?}, iteration {iteration}, score {came}, root {low} {high} {best}");
        kinds.count(match expected.begins {
            None => "ends",
            Some((next, ..)) if next == iteration => "again",
            Some((_, a, b)) if (a, b) == (alpha, beta) => "whole window",
            Some(_) => "narrow window",
        });
    }
    kinds.check("iteration", 4, 100);
    bench.check_verilog("iteration");
}
