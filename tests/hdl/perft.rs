//! The walk over a tree: units in RustHDL's simulation against the engine's own rules.

use hayasashi_hdl::movegen::unit::{MovegenUnit, UnitConfig};
use hayasashi_shogi::rules::Position;
use hayasashi_sim::Stepper;
use hayasashi_tests::{data_lines, image_from_sfen, rtl};

/// Clocks after which the units must have ended.
const PATIENCE: u64 = 200_000;

fn units(count: u32) -> Vec<Stepper<MovegenUnit>> {
    let config =
        |unit| UnitConfig { requests: unit == 0, generates: unit == 0, scores: unit == 0, walks: Some((unit, count)) };
    (0..count).map(|unit| Stepper::new(MovegenUnit::new(config(unit)))).collect()
}

/// Leaves, expansions, and clocks of the last unit to end. Each unit is stopped after so many clocks.
fn walk(units: &mut [Stepper<MovegenUnit>], sfen: &str, depth: u32, stop: Option<u64>) -> (u64, u64, u64) {
    let (image, _) = image_from_sfen(sfen);
    let (mut nodes, mut expansions, mut clocks) = (0, 0, 0);
    for unit in units {
        unit.block.position.next = rtl::bus(&image.bytes);
        unit.block.walk.depth.next = (depth as u64).into();
        unit.block.walk.start.next = true;
        let begun = unit.clocks();
        while unit.clocks() == begun || unit.block.walk.busy.val() {
            unit.settle();
            unit.rise();
            unit.block.walk.start.next = false;
            unit.block.walk.stop.next = stop.is_some_and(|stop| unit.clocks() - begun >= stop);
            expansions += unit.block.leaf.val() as u64;
            nodes += unit.block.leaf_count.val().to_u64();
            assert!(unit.clocks() - begun < PATIENCE, "{sfen}, {depth} plies: no end");
        }
        unit.block.walk.stop.next = false;
        clocks = clocks.max(unit.clocks() - begun);
    }
    (nodes, expansions, clocks)
}

fn check(units: &mut [Stepper<MovegenUnit>], sfen: &str, depth: u32) {
    let mut position = Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
    let expected = (position.perft(depth), position.perft(depth - 1));
    let (nodes, expansions, clocks) = walk(units, sfen, depth, None);
    assert_eq!((nodes, expansions), expected, "{sfen}, {depth} plies, {} units", units.len());
    println!("{sfen}, {depth} plies, {} units: {expansions} expansions in {clocks} clocks", units.len());
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// 593 moves.
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
/// Small trees: few pieces, no own king, no king at all, mate, stalemate, one move, all pieces in one hand.
const SMALL: &[(&str, u32)] = &[
    ("4k4/9/9/9/9/9/9/9/4K4 b - 1", 6),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", 3),
    ("4k4/9/4G4/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1", 2),
    ("9/9/9/9/4P4/9/9/9/9 b 2r2b4g4s4n4l17p 1", 3),
    ("9/9/9/9/4P4/9/4p4/9/9 w - 1", 7),
    ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", 5),
    ("K8/2n6/1gg6/9/9/9/9/9/4k4 b - 1", 4),
    ("K8/2n6/1gg6/9/9/9/9/9/4k4 w - 1", 3),
    ("7bK/9/9/9/9/9/9/9/k8 b - 1", 5),
    ("k8/1P7/K8/9/9/9/9/9/9 b PL 1", 5),
];

#[test]
fn small_trees() {
    let mut one = units(1);
    for &(sfen, plies) in SMALL {
        for depth in 2..=plies {
            check(&mut one, sfen, depth);
        }
    }
    check(&mut one, START, 3);
}

/// Nodes of many moves, at the root and below it.
#[test]
fn many_moves() {
    let mut one = units(1);
    check(&mut one, MOST, 2);
    // 65 to 593 moves at each of the upper plies, and few below.
    check(&mut one, "4k4/9/9/9/9/9/9/9/4K4 b R 1", 3);
    check(&mut one, "4k4/9/9/9/9/9/9/9/4K4 b Rr 1", 3);
}

#[test]
fn pawn_drops_that_mate() {
    let mut one = units(1);
    for line in data_lines("rules/uchifuzume.tsv").iter().step_by(5) {
        check(&mut one, line.split('\t').next().expect("a first field"), 2);
    }
}

/// Each part of a tree is walked by one unit: below the first ply, and from five plies on below the second.
#[test]
fn units_share_a_tree() {
    for count in 2..=4 {
        let mut units = units(count);
        check(&mut units, START, 2);
        check(&mut units, START, 3);
        for &(sfen, plies) in SMALL {
            check(&mut units, sfen, plies);
        }
    }
}

/// Wherever a walk is ended, the next one is whole.
#[test]
fn a_stopped_walk_leaves_nothing_behind() {
    let mut one = units(1);
    for stop in (1..40).chain([75, 300, 777]) {
        let (nodes, _, clocks) = walk(&mut one, START, 5, Some(stop));
        assert!(nodes < 100_000 && clocks < stop + 200, "{nodes} leaves in {clocks} clocks, to be ended after {stop}");
        check(&mut one, START, 2);
    }
    check(&mut one, START, 3);
    let (_, _, clocks) = walk(&mut one, MOST, 4, Some(3000));
    assert!(clocks < 3000 + 1300, "{clocks}");
    check(&mut one, SMALL[1].0, SMALL[1].1);
}
