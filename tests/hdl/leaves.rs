//! Leaf blocks one by one: the Verilog of each, run by Icarus, does in every clock what RustHDL's simulation does.
//!
//! For the networks (blocks of `network!`) the inputs are what they really see inside the units, and random ones. A new
//! network needs a line in [`NETWORKS`]; a test sees to it.

use super::{search::bench::to_bus, visits::visits};
use hayasashi_hdl::{
    attacks::*,
    evaluate::{correction::*, unit::EvaluateUnit, *},
    link::{self, baud::divisor},
    movegen::{unit::MovegenUnit, *},
    network::Network,
    perft::schedule,
    position::*,
    search::keys::Change,
    verilog,
};
use hayasashi_model::evaluate::{network::default_network, Evaluation};
use hayasashi_sim::{Clocked, Stepper};
use hayasashi_spec::{
    network::{head_bytes, CHIP_UNITS},
    table::TABLE_BYTES,
};
use hayasashi_tests::{
    data_lines, image_from_sfen,
    link_bench::Rng,
    replay::{Replay, Tool},
    rtl,
};
use rust_hdl::prelude::*;
use std::collections::{HashMap, HashSet};

/// Different inputs of each network that are taken from positions, at most.
const SEEN: usize = 800;
/// Those of one position, at most, so that many positions have a part.
const SEEN_OF_POSITION: usize = 3;
/// Random inputs of each network.
const RANDOM: usize = 300;

/// All networks.
const NETWORKS: &[(&str, Check)] = &[
    network::<rays::Rays>(),
    network::<legality::Legality>(),
    network::<arrivals::Arrivals>(),
    network::<targets::Targets>(),
    network::<keep::Keep>(),
    network::<count::Count>(),
    network::<count::Condense>(),
    network::<count::Merge>(),
    network::<total::Total>(),
    network::<entry::Entry>(),
    network::<orders::Orders>(),
    network::<pick::Pick>(),
    network::<load::Load>(),
    network::<fetch::Fetch>(),
    network::<bank::Bank>(),
    network::<schedule::Schedule>(),
    network::<trace::Trace>(),
    network::<origin::Origin>(),
    network::<make_move::MakeMove>(),
    network::<faults::Faults>(),
    network::<kings::Spot>(),
    network::<kings::Kings>(),
    network::<views::Views>(),
    network::<material::Worth>(),
    network::<material::Value>(),
    network::<material::Hands>(),
    network::<material::HandsValue>(),
    network::<score::Couple>(),
    network::<score::Difference>(),
    network::<score::Partial>(),
    network::<score::Placement>(),
    network::<score::Score>(),
    network::<score::Clamp>(),
    network::<features::Features>(),
    network::<sums::Accumulate>(),
    network::<sums::Clip>(),
    network::<product_writer::NextProduct>(),
    network::<products::PartSum>(),
    network::<products::RowSum>(),
    network::<products::RowTotal>(),
    network::<products::Correct>(),
];

const fn network<N: Network>() -> (&'static str, Check) {
    (N::NAME, check_network::<N>)
}

/// Tests a network on these inputs.
type Check = fn(&[Inputs]);

/// Bytes of a network's file up to the first layer.
const LAST_LAYER_END: usize = TABLE_BYTES + head_bytes(CHIP_UNITS);

/// The inputs of a network in one clock: name and wires of each port, the first wire first.
type Inputs = Vec<(String, Vec<bool>)>;

/// What the networks inside a block see.
#[derive(Default)]
struct Seen {
    /// The blocks around the visit: the name of each network whose inputs are still collected, and its inputs.
    path: Vec<(Option<String>, Inputs)>,
    known: HashMap<String, HashSet<Inputs>>,
    inputs: HashMap<String, Vec<Inputs>>,
    of_position: HashMap<String, usize>,
}

impl Seen {
    fn look(&mut self, block: &dyn Block) {
        block.accept("top", self);
    }

    fn next_position(&mut self) {
        self.of_position.clear();
    }

    /// Whether more inputs of this network are taken, from this position.
    fn wants(&self, network: &str) -> bool {
        self.of_position.get(network).is_none_or(|&count| count < SEEN_OF_POSITION)
            && self.known.get(network).is_none_or(|known| known.len() < SEEN)
    }
}

impl Probe for Seen {
    fn visit_start_scope(&mut self, _: &str, block: &dyn Block) {
        let name = block.timing().first().map(|timing| timing.name.clone());
        // RustHDL's own blocks (`dff`, `ram`) have a timing, too; networks have the name of a Rust type.
        let network = name.filter(|name| name.starts_with(char::is_uppercase) && self.wants(name));
        self.path.push((network, Vec::new()));
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let (Some((Some(_), inputs)), AtomKind::InputParameter) = (self.path.last_mut(), signal.kind()) else { return };
        if name != "clock" {
            let wires = match signal.vcd() {
                VCDValue::Single(bit) => vec![is_one(bit)],
                VCDValue::Vector(bits) => bits.into_iter().rev().map(is_one).collect(),
                other => panic!("port {name} has the value {other:?}"),
            };
            inputs.push((name.to_string(), wires));
        }
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let Some((Some(name), inputs)) = self.path.pop() else { return };
        if self.known.entry(name.clone()).or_default().insert(inputs.clone()) {
            *self.of_position.entry(name.clone()).or_default() += 1;
            self.inputs.entry(name).or_default().push(inputs);
        }
    }
}

fn is_one(bit: impl std::fmt::Display) -> bool {
    bit.to_string() == "1"
}

/// What the networks of both units see while they work on positions of the data.
fn seen() -> HashMap<String, Vec<Inputs>> {
    let images: Vec<_> = data_lines("rules/uchifuzume.tsv")
        .into_iter()
        .chain(data_lines("rules/legal_moves.tsv").into_iter().step_by(6))
        .map(|line| image_from_sfen(line.split('\t').next().expect("a first field")).0)
        .collect();
    let mut seen = Seen::default();

    let mut unit = Stepper::new(MovegenUnit::default());
    for (i, image) in images.iter().enumerate() {
        seen.next_position();
        // The first moves of every third position are enough.
        let want_records = i % 3 == 0;
        let looked = if want_records { 50 } else { 20 };
        unit.block.position.next = rtl::bus(&image.bytes);
        unit.block.requests.want_records.next = want_records;
        unit.block.start.next = true;
        let (mut clocks, mut answered) = (0, false);
        while clocks < looked || !answered || !unit.block.requests.ready.val() {
            unit.settle();
            unit.block.requests.retire.next = unit.block.requests.answered.val() && !answered;
            answered |= unit.block.requests.answered.val();
            unit.settle();
            if clocks < looked && clocks % 2 == 0 {
                seen.look(&*unit.block);
            }
            unit.rise();
            unit.block.start.next = false;
            clocks += 1;
            assert!(clocks < 5000, "the unit does not come to an end");
        }
        unit.block.requests.retire.next = false;
    }

    // Walks, so that nodes come and go.
    for image in images.iter().step_by(40) {
        seen.next_position();
        unit.block.position.next = rtl::bus(&image.bytes);
        unit.block.walk.depth.next = 4u64.into();
        unit.block.walk.start.next = true;
        for clock in 0..1500 {
            unit.block.walk.stop.next = clock == 1000;
            unit.settle();
            if clock % 40 == 0 {
                seen.next_position();
            }
            seen.look(&*unit.block);
            unit.rise();
            unit.block.walk.start.next = false;
        }
        while unit.block.walk.busy.val() {
            unit.settle();
            unit.rise();
        }
    }

    let mut unit = Stepper::new(EvaluateUnit::default());
    unit.block.load_start.next = true;
    unit.settle();
    unit.rise();
    unit.block.load_start.next = false;
    unit.block.load_valid.next = true;
    for (at, &byte) in Evaluation::from(default_network()).to_bytes().iter().enumerate() {
        unit.block.load_byte.next = (byte as u64).into();
        unit.settle();
        // The values of pairs of pieces are computed while the table comes in, products behind the last layer's weights.
        if at < 2 * SEEN || (LAST_LAYER_END..LAST_LAYER_END + 2 * SEEN).contains(&at) {
            seen.next_position();
            seen.look(&*unit.block);
        }
        unit.rise();
    }
    unit.block.load_valid.next = false;
    for image in &data_lines("rules/legal_moves.tsv") {
        seen.next_position();
        let image = image_from_sfen(image.split('\t').next().expect("a first field")).0;
        unit.block.board.next = rtl::board(&image);
        unit.block.child.next = true;
        unit.settle();
        seen.look(&*unit.block);
        unit.rise();
    }
    // Positions of a search, which the network corrects.
    unit.block.child.next = false;
    let roots = data_lines("rules/legal_moves.tsv").into_iter().step_by(40);
    let roots: Vec<_> = roots.map(|line| image_from_sfen(line.split('\t').next().expect("a first field")).0).collect();
    for visit in visits(&roots, 12, &mut Rng(0x9E6C_63D0_876A_6A9B)) {
        seen.next_position();
        unit.block.board.next = rtl::board(&visit.image());
        unit.block.change.next = to_bus::<Change, _>(&visit.change());
        unit.block.row.next = visit.row().into();
        unit.block.search.next = true;
        let mut taken = false;
        for clock in 0.. {
            unit.settle();
            if clock % 3 == 0 {
                seen.next_position();
            }
            seen.look(&*unit.block);
            taken |= unit.block.search_takes.val();
            unit.rise();
            unit.block.search.next = false;
            if taken {
                break;
            }
            assert!(clock < 100, "the unit takes no other position");
        }
    }
    seen.inputs
}

/// Gives a network these inputs and random ones, one each clock, and replays it.
fn check_network<N: Network>(seen: &[Inputs]) {
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    let mut network = N::default();
    network.connect_all();
    let mut replay = Replay::default();
    let clock = |network: &mut N, replay: &mut Replay| {
        for high in [false, true] {
            network.set_clock(high);
            for pass in 0.. {
                network.update_all();
                if !network.has_changed() {
                    break;
                }
                assert!(pass < 100, "{} does not settle", N::NAME);
            }
            if !high {
                replay.sample(network);
            }
        }
    };
    for inputs in seen {
        let of_port = |name: &str| inputs.iter().find(|(port, _)| port == name).expect("a port of the network");
        network.set_inputs(&mut |name, _| of_port(name).1.clone());
        clock(&mut network, &mut replay);
    }
    for _ in 0..RANDOM {
        // Mostly zeros, mostly ones, or anything.
        let ones = [1, 4, 7][rng.below(3) as usize];
        network.set_inputs(&mut |_, width| (0..width).map(|_| rng.below(8) < ones).collect());
        clock(&mut network, &mut replay);
    }
    // The answer to the last inputs.
    clock(&mut network, &mut replay);
    assert!(replay.clocks() > seen.len() + RANDOM);
    replay.check(Tool::Icarus, N::NAME, &verilog::of(N::default())).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn networks_on_what_they_see() {
    if !Tool::Icarus.installed() {
        return;
    }
    let seen = seen();
    for name in seen.keys() {
        assert!(NETWORKS.iter().any(|(network, _)| network == name), "{name} is missing in NETWORKS");
    }
    for (name, check) in NETWORKS {
        let inputs = seen.get(*name).unwrap_or_else(|| panic!("no unit has a {name}"));
        // Moves are often the same, and orders are few.
        let least = if *name == "Orders" { 150 } else { 600 };
        assert!(inputs.len() >= least, "{name} saw only {} different inputs", inputs.len());
        check(inputs);
        println!("{name}: {} inputs from positions, {RANDOM} random", inputs.len());
    }
}

/// Drives a block of the link by random values and replays it.
fn check_link<B: Clocked>(name: &str, make: impl Fn() -> B, mut drive: impl FnMut(&mut B, &mut Rng)) {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let mut stepper = Stepper::new(make());
    let mut replay = Replay::default();
    for _ in 0..3000 {
        drive(&mut stepper.block, &mut rng);
        stepper.settle();
        replay.sample(&*stepper.block);
        stepper.rise();
    }
    replay.check(Tool::Icarus, name, &verilog::of(make())).unwrap_or_else(|e| panic!("{e}"));
}

/// A byte that is often one of SLIP's.
fn slip_byte(rng: &mut Rng) -> Bits<8> {
    let special = [0xC0, 0xDB, 0xDC, 0xDD];
    let byte = if rng.below(2) == 0 { special[rng.below(4) as usize] } else { rng.below(256) };
    byte.into()
}

#[test]
fn crc() {
    check_link("crc32", link::crc32::Crc32::default, |block, rng| {
        block.clear.next = rng.below(40) == 0;
        block.valid.next = rng.below(4) > 0;
        block.data.next = rng.below(256).into();
    });
}

#[test]
fn slip_decoder() {
    check_link("slip_decoder", link::slip_decoder::SlipDecoder::default, |block, rng| {
        block.raw_valid.next = rng.below(4) > 0;
        block.raw_data.next = slip_byte(rng);
    });
}

#[test]
fn slip_encoder() {
    check_link("slip_encoder", link::slip_encoder::SlipEncoder::default, |block, rng| {
        // An offer stands until it is taken.
        if block.ready.val() || !block.valid.val() {
            block.valid.next = rng.below(4) > 0;
            block.delimiter.next = rng.below(8) == 0;
            block.data.next = slip_byte(rng);
        }
        block.tx_ready.next = rng.below(3) > 0;
    });
}

#[test]
fn uart_transmitter() {
    let divisor = divisor(25_000_000, 3_000_000).expect("a rate that the clock gives");
    check_link(
        "uart_tx",
        || link::uart_tx::UartTx::new(divisor),
        |block, rng| {
            if block.ready.val() || !block.valid.val() {
                block.valid.next = rng.below(3) > 0;
                block.data.next = rng.below(256).into();
            }
        },
    );
}

#[test]
fn uart_receiver() {
    let divisor = divisor(25_000_000, 3_000_000).expect("a rate that the clock gives");
    let mut line = hayasashi_sim::LineWriter::new(8.2, 0.4);
    check_link(
        "uart_rx",
        || link::uart_rx::UartRx::new(divisor),
        |block, rng| {
            if line.idle() && rng.below(20) == 0 {
                line.push(&[rng.below(256) as u8, rng.below(256) as u8]);
            }
            // Now and then a disturbance.
            block.line.next = line.level() ^ (rng.below(200) == 0);
        },
    );
}
