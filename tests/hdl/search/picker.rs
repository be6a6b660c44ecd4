//! The order of moves: pick after pick until none is left.

use super::bench::{signed, to_bus, wire, Bench};
use super::situations::*;
use hayasashi_hdl::network::{bus, Value, Word};
use hayasashi_hdl::search as hdl;
use hayasashi_hdl::search::order::Place;
use hayasashi_model::evaluate::{first_table, Evaluation};
use hayasashi_model::position::Position;
use hayasashi_model::search::judge::gain;
use hayasashi_model::search::order::{Class, Picker, Selection};
use hayasashi_model::search::spot::{Candidate, Spot};
use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::SQUARES;
use hayasashi_spec::position::PositionImage;
use hayasashi_spec::search::Technique;
use hayasashi_spec::search_table::{FREE_CAPTURE_PLIES, HISTORY_LIMIT};
use hayasashi_tests::{data_lines, image_from_sfen, link_bench::Rng, rtl};
use rust_hdl::prelude::*;

/// Who looks and who picks, as two walkers use them: this one is the second.
#[derive(LogicBlock, Default)]
struct Block {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub board: Signal<In, Bits<447>>,
    pub ply: Signal<In, Bits<6>>,
    pub look: Signal<In, Bit>,
    pub selection: Signal<In, Bits<16>>,
    pub special: Signal<In, Bits<60>>,
    pub after: Signal<In, Bits<28>>,
    pub pick: Signal<In, Bit>,
    pub looked: Signal<Out, Bit>,
    pub has_move: Signal<Out, Bit>,
    pub in_check: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub chosen: Signal<Out, Bits<85>>,
    looks: hdl::look_share::LookShare,
    picks: hdl::pick_share::PickShare,
    /// The counters: see `place`.
    counter: DFF<Bits<8>>,
    asked: Signal<Local, Bits<13>>,
}

impl Logic for Block {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, looks, picks);
        dff_setup!(self, clock, counter);
        self.asked.next = self.picks.walkers[1].counter_at.val();
        self.counter.d.next = self.asked.val().get_bits::<8>(0) ^ self.asked.val().get_bits::<8>(5);
        self.looks.reset.next = self.reset.val();
        self.picks.reset.next = self.reset.val();
        self.looks.wants_attacked.next = self.picks.wants_attacked.val();
        self.picks.finding.next = self.looks.finding.val();
        for i in 0..4 {
            self.looks.walkers[i].board.next = self.board.val();
            self.looks.walkers[i].ply.next = self.ply.val();
            self.looks.walkers[i].looks.next = false;
            self.looks.walkers[i].again.next = false;
        }
        self.looks.walkers[1].looks.next = self.look.val();
        for i in 0..2 {
            self.picks.walkers[i].ply.next = self.ply.val();
            self.picks.walkers[i].selection.next = self.selection.val();
            self.picks.walkers[i].special.next = self.special.val();
            self.picks.walkers[i].after.next = self.after.val();
            self.picks.walkers[i].picks.next = false;
            self.picks.walkers[i].counter.next = 0.into();
        }
        self.picks.walkers[1].picks.next = self.pick.val();
        self.picks.walkers[1].counter.next = self.counter.q.val();
        self.picks.at.next = self.looks.at.val();
        self.picks.row.next = self.looks.row.val();
        self.picks.writes_row.next = self.looks.writes_row.val();
        self.picks.arrivals.next = self.looks.arrivals.val();
        self.picks.writes_arrivals.next = self.looks.writes_arrivals.val();
        self.picks.attacked.next = self.looks.attacked.val();
        self.picks.parts.next = self.looks.parts.val();
        self.picks.writes_parts.next = self.looks.writes_parts.val();
        self.looked.next = self.looks.walkers[1].looked.val();
        self.has_move.next = self.looks.walkers[1].has_move.val();
        self.in_check.next = self.looks.walkers[1].in_check.val();
        self.done.next = self.picks.walkers[1].picked.val();
        self.chosen.next = self.picks.walkers[1].chosen.val();
    }
}

/// What a walker asks: a node, its position, and what it knows.
struct Question {
    spot: Spot,
    selection: Selection,
    special: [Move16; 4],
}

/// The selections of the model's walker, from a node.
fn selection(situation: &Situation, rng: &mut Rng) -> Selection {
    let (head, node) = (&situation.head, &situation.node);
    let in_check = situation.spot.in_check();
    let quiescence = node.quiescence || rng.below(5) == 0;
    let late = node.quiet_ply >= FREE_CAPTURE_PLIES || rng.below(3) == 0;
    let their = situation.spot.their.all;
    let some: Vec<u8> = (0..SQUARES as u8).filter(|&s| their >> s & 1 != 0 || rng.below(9) == 0).collect();
    let only_on = some[rng.below(some.len() as u64) as usize];
    Selection {
        evasions: in_check,
        forcing_only: quiescence && !in_check,
        only_on: (quiescence && late && !in_check && head.has(Technique::Recaptures)).then_some(only_on),
        by_exchange: head.has(Technique::Exchange) && !in_check,
        by_victim: head.has(Technique::CaptureOrder),
        checks_first: head.has(Technique::CheckOrder),
        attacked_first: head.has(Technique::AttackedOrder),
        promotions: head.has(Technique::Promotions),
        by_history: head.has(Technique::History),
    }
}

/// The counter of a move, as the block has them: few moves have the same, and some have.
fn counter(mv: Move16) -> i32 {
    let address = 81 * mv.from() as i32 + mv.to() as i32;
    HISTORY_LIMIT - 1 - ((address ^ address >> 5) & 255)
}

/// The table's move, killers and the counter move of the selections above.
fn special(selection: &Selection, moves: &[Candidate], others: &[Candidate], rng: &mut Rng) -> [Move16; 4] {
    let mut special = [Move16(0); 4];
    for at in 0..4 {
        let any = |of: &[Candidate], rng: &mut Rng| match of {
            [] => Move16(0),
            of => of[rng.below(of.len() as u64) as usize].mv,
        };
        special[at] = match rng.below(8) {
            0 => Move16(0),
            1 => any(others, rng),
            2 => Move16(rng.below(1 << 15) as u16),
            3 => special[rng.below(4) as usize],
            4 => {
                // Nearly a legal move.
                let bits = any(moves, rng).0 ^ 1 << rng.below(15);
                Move16(bits)
            }
            _ => any(moves, rng),
        };
    }
    if selection.forcing_only {
        special[0] = Move16(0);
    }
    if selection.forcing_only || selection.evasions {
        special[1..].fill(Move16(0));
    }
    special
}

/// Questions about nodes of searches, and about positions in which a king is missing or there are very many moves.
fn questions(count: usize, rng: &mut Rng) -> Vec<Question> {
    let mut all = situations(count, rng);
    let evaluation = Evaluation::from(first_table());
    for line in data_lines("rules/legal_moves.tsv") {
        let (image, _) = image_from_sfen(line.split('\t').next().expect("a first field"));
        let position = Position::from(&image);
        let spot = Spot::new(&evaluation, &position);
        let kings = (spot.own.king != 0) as u32 + (spot.their.king != 0) as u32;
        if kings < 2 && rng.below(4) == 0 || rng.below(60) == 0 {
            let from = &all[rng.below(all.len() as u64) as usize];
            let mut moves = Vec::new();
            hayasashi_model::movegen::generate(&position, &mut moves);
            let moves = moves.iter().map(|r| Candidate { mv: r.mv, moved: r.moved(), captured: r.captured() });
            all.push(Situation { head: from.head, ply: 1, node: from.node, spot, moves: moves.collect() });
        }
    }
    let mut questions: Vec<Question> = Vec::new();
    for (i, situation) in all.iter().enumerate() {
        let selection = selection(situation, rng);
        let others = &all[i.saturating_sub(1)].moves;
        let special = special(&selection, &situation.moves, others, rng);
        questions.push(Question { spot: situation.spot.clone(), selection, special });
    }
    questions
}

fn selection_wires(s: &Selection) -> hdl::order::Selection {
    hdl::order::Selection {
        evasions: wire(s.evasions),
        forcing_only: wire(s.forcing_only),
        has_only_on: wire(s.only_on.is_some()),
        only_on: Value::new(s.only_on.unwrap_or(0) as u128, 7),
        by_exchange: wire(s.by_exchange),
        by_victim: wire(s.by_victim),
        checks_first: wire(s.checks_first),
        attacked_first: wire(s.attacked_first),
        promotions: wire(s.promotions),
        by_history: wire(s.by_history),
    }
}

/// The start of a node.
fn before_all() -> Place {
    Place { class: Value::zero(4), key: Value::zero(hdl::order::KEY_BITS) }
}

/// Looks at a position at this ply; whether it has moves, and whether the mover is in check.
fn look(bench: &mut Bench<Block>, spot: &Spot, ply: u64) -> (bool, bool) {
    bench.block.board.next = rtl::board(&PositionImage::from(&spot.position));
    bench.block.ply.next = ply.into();
    bench.pulse(|block| &mut block.look);
    for _ in 0..hdl::look_share::LOOK_CLOCKS + 1 {
        if bench.block.looked.val() {
            let found = (bench.block.has_move.val(), bench.block.in_check.val());
            // Until the last rows are written.
            bench.run(6);
            return found;
        }
        bench.run(1);
    }
    panic!("no answer; {:?}", spot.position);
}

/// What has been seen: picks and clocks by class, the end behind them.
#[derive(Default)]
struct Seen {
    picks: [usize; 11],
    clocks: [usize; 11],
    most_clocks: usize,
    skips: usize,
    most_picks: usize,
    looks_between: usize,
    without_move: usize,
}

/// The block's next pick, and the clocks that it took.
fn next(bench: &mut Bench<Block>, question: &Question, after: &Place) -> usize {
    bench.block.selection.next = to_bus::<hdl::order::Selection, _>(&selection_wires(&question.selection));
    bench.block.special.next = to_bus::<[hdl::node::Move; 4], _>(&question.special.map(mv));
    bench.block.after.next = to_bus::<Place, _>(after);
    bench.pulse(|block| &mut block.pick);
    for clocks in 1..1000 {
        if bench.block.done.val() {
            return clocks;
        }
        bench.run(1);
    }
    panic!("no answer; {:?} {:?}", question.selection, question.spot.position);
}

/// Picks all moves of a node; `between` looks at other positions between picks.
fn pick_all(bench: &mut Bench<Block>, question: &Question, between: &Question, rng: &mut Rng, seen: &mut Seen) {
    let mut spot = question.spot.clone();
    let mut picker = Picker::default();
    picker.start(question.selection, question.special);
    let ply = rng.below(62);
    let found = look(bench, &spot, ply);
    let context = |n: usize| {
        let Question { spot, selection, special } = question;
        format!("pick {n}, {selection:?} {special:?}, {:?}", spot.position)
    };
    assert_eq!(found, (spot.clone().has_move(), spot.in_check()), "{}", context(0));
    seen.without_move += !spot.has_move() as usize;
    let mut after = before_all();
    for n in 1.. {
        if rng.below(40) == 0 {
            // A child is searched; then the node goes on.
            look(bench, &between.spot, ply + 1);
            next(bench, between, &before_all());
            bench.block.ply.next = ply.into();
            bench.run(1);
            seen.looks_between += 1;
        }
        if rng.below(20) == 0 {
            // A reset interrupts a pick.
            bench.pulse(|block| &mut block.pick);
            bench.run(rng.below(14));
            bench.pulse(|block| &mut block.reset);
        }
        let clocks = next(bench, question, &after);
        let expected = picker.next(&mut spot, &counter);
        let (class, found) = expected.unwrap_or((Class::End, Candidate::default()));
        let chosen = bus::read::<hdl::choose::Chosen, _>(&bench.block.chosen.val());
        assert_eq!(chosen.class.bits, class as u128, "{} {expected:?}", context(n));
        assert_eq!(chosen.valid.bits, expected.is_some() as u128, "{}", context(n));
        after = chosen.place;
        seen.picks[class as usize] += 1;
        seen.clocks[class as usize] += clocks;
        seen.most_clocks = seen.most_clocks.max(clocks);
        if expected.is_none() {
            seen.most_picks = seen.most_picks.max(n);
            return;
        }
        let got = chosen.candidate;
        assert_eq!((got.mv, got.moved.bits), (mv(found.mv), found.moved as u128), "{} {found:?}", context(n));
        assert_eq!(got.captured.bits, found.captured as u128, "{} {found:?}", context(n));
        spot.find_attacks();
        spot.find_checking();
        assert_eq!(chosen.checks.bits, spot.checks(&found) as u128, "{} {found:?}", context(n));
        assert_eq!(chosen.gain.bits, gain(&found) as u128, "{} {found:?}", context(n));
        assert_eq!(signed(chosen.exchange), spot.attacks.exchange(&found), "{} {found:?}", context(n));

        let all = !question.selection.forcing_only && !question.selection.evasions;
        if all && class > Class::Captures && class < Class::Losing && rng.below(60) == 0 {
            picker.skip_quiets();
            after = Place::before_losing();
            seen.skips += 1;
        }
    }
}

fn pick_from(bench: &mut Bench<Block>, questions: &[Question], rng: &mut Rng) -> Seen {
    let mut seen = Seen::default();
    for (i, question) in questions.iter().enumerate() {
        pick_all(bench, question, &questions[(i + 1) % questions.len()], rng, &mut seen);
    }
    for (class, (&picks, &clocks)) in CLASSES.iter().chain([&Class::End]).zip(seen.picks.iter().zip(&seen.clocks)) {
        println!("{class:?}: {picks} picks of {:.1} clocks", clocks as f64 / picks.max(1) as f64);
    }
    let Seen { most_clocks, skips, most_picks, looks_between, without_move, .. } = seen;
    println!("at most {most_clocks} clocks and {most_picks} picks; {skips} times quiet moves are passed over,");
    println!("{looks_between} times another position comes between, {without_move} positions without a move");
    seen
}

#[test]
fn picks_equal_the_model() {
    let mut rng = Rng(12);
    let mut bench = Bench::unrecorded(|block: &mut Block| &mut block.clock);
    let questions = questions(700, &mut rng);
    let seen = pick_from(&mut bench, &questions, &mut rng);
    assert!(seen.picks.iter().all(|&count| count >= 50), "{:?}", seen.picks);
    assert!(seen.most_picks > 100 && seen.skips > 50 && seen.looks_between > 50);
}

#[test]
fn picks_in_verilog_equal_the_simulation() {
    let mut rng = Rng(13);
    let mut bench = Bench::new(|block: &mut Block| &mut block.clock);
    let questions: Vec<Question> = questions(240, &mut rng).into_iter().step_by(4).collect();
    pick_from(&mut bench, &questions, &mut rng);
    bench.check_verilog("picker");
}
