//! A self-test of a chip: every opcode that it has, against the software model, on built-in positions.

use crate::{verify::compare, view, AccelError, Capability, CoProcessor, ModelBackend, Request, SearchRequest};
use hayasashi_hdl::config::BUILD_ID;
use hayasashi_model::{evaluate::Evaluation, Model};
use hayasashi_shogi::rules::{Position, PositionCommand};
use hayasashi_spec::{
    frame::MAX_REQUEST_PAYLOAD,
    opcode::Opcode,
    perft::MAX_DEPTH,
    piece::{NO_KIND, PAWN},
    position::PositionImage,
    registers::{Info, BOARD_OTHER},
    search::{Found, SearchHead, MIN_TABLE_BITS},
    MAGIC, PROTOCOL_VERSION,
};

/// Positions of many kinds: openings, checks, promotions, full hands, missing kings, no legal move, pawn-drop mate.
const POSITIONS: [&str; 12] = [
    "startpos",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
    "lnsgkgsnl/1r5b1/p1pppp1pp/6p2/1p7/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 7",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "8k/9/8S/9/9/9/9/9/K8 b P 1",
    "7k1/6P2/7G1/8L/9/9/9/9/9 b 2r2b3g4s4n3l17p 1",
    "k8/1G7/1K7/9/9/9/9/9/9 w - 1",
    "9/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "3sks3/9/4S4/9/1+B5b1/9/9/9/3R2r2 w 2P 1",
];

/// Plies of the walks below the first positions, and below the others.
const FIRST_WALKS: (usize, u8) = (2, 3);
const OTHER_WALKS: u8 = 2;
/// Plies of one search of each position, and steps of another.
const SEARCH_DEPTH: u8 = 3;
const SEARCH_STEPS: u64 = 500;

/// What to tell the user about a chip whose gateware was not built from the sources of this program; `None` if it was.
/// Software models and designs of third parties have no such build.
pub fn gateware_note(info: &Info) -> Option<String> {
    let differs = info.build_id != BUILD_ID && info.build_id != 0 && info.board != BOARD_OTHER;
    differs.then(|| {
        format!(
            "the chip's gateware is build {:08x}, this program has build {BUILD_ID:08x}; hint: `hayasashi build` and `hayasashi flash` load the present one",
            info.build_id
        )
    })
}

/// One part of the self-test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// `INFO` has the right magic and protocol version.
    Registers,
    /// `ECHO` returns payloads of several lengths with every byte value.
    Echo,
    /// The evaluation table or the network can be loaded, even if the chip says that it has it.
    Table,
    /// This opcode has the model's answers for the built-in positions.
    Positions(Opcode),
    /// `PERFT` counts as the model does.
    Walks,
    /// `CANCEL` ends a walk, and the next one is complete.
    Cancel,
    /// `SEARCH` finds what the model finds, in as many nodes and steps.
    Searches,
    /// Bad requests have the model's answers.
    BadRequests,
}

impl Test {
    /// Every test, in the order in which they run.
    pub const ALL: [Test; 11] = [
        Test::Registers,
        Test::Echo,
        Test::Table,
        Test::Positions(Opcode::Generate),
        Test::Positions(Opcode::Count),
        Test::Positions(Opcode::Evaluate),
        Test::Positions(Opcode::Expand),
        Test::Walks,
        Test::Cancel,
        Test::Searches,
        Test::BadRequests,
    ];

    /// The name in output.
    pub fn name(self) -> String {
        match self {
            Test::Registers => "registers".into(),
            Test::Echo => "echo".into(),
            Test::Table => "table".into(),
            Test::Positions(opcode) => opcode.name().to_lowercase(),
            Test::Walks => "perft".into(),
            Test::Cancel => "cancel".into(),
            Test::Searches => "search".into(),
            Test::BadRequests => "bad requests".into(),
        }
    }

    /// The request that it is about. [`Test::BadRequests`] checks that a chip refuses what it lacks.
    fn opcode(self) -> Opcode {
        match self {
            Test::Table => Opcode::LoadTable,
            Test::Positions(opcode) => opcode,
            Test::Walks | Test::Cancel => Opcode::Perft,
            Test::Searches => Opcode::Search,
            Test::Registers | Test::BadRequests => Opcode::Info,
            Test::Echo => Opcode::Echo,
        }
    }
}

/// A chip under test, beside a model with the same capabilities.
pub struct Selftest<'a> {
    chip: &'a dyn CoProcessor,
    /// As the chip takes it.
    evaluation: Evaluation,
    model: ModelBackend,
    capabilities: u32,
    positions: Vec<Position>,
}

impl<'a> Selftest<'a> {
    /// Reads the capabilities of the chip. [`Test::Table`] loads the evaluation into it, as far as the chip takes it.
    ///
    /// # Errors
    /// The chip does not answer `INFO`.
    ///
    /// # Panics
    /// Never: the built-in positions are valid.
    pub fn new(chip: &'a dyn CoProcessor, evaluation: &Evaluation) -> Result<Selftest<'a>, AccelError> {
        let capabilities = chip.info()?.capabilities;
        let evaluation = evaluation.for_chip(capabilities);
        let model = ModelBackend::with_model(Model::without(!capabilities));
        if capabilities & Capability::Evaluate.bit() != 0 {
            model.load_table(&evaluation.to_bytes())?;
        }
        let position = |text: &&str| PositionCommand::parse(text).expect("the built-in positions are valid").position;
        let positions = POSITIONS.iter().map(position).collect();
        Ok(Selftest { chip, evaluation, model, capabilities, positions })
    }

    /// The tests that suit the chip's capabilities.
    pub fn tests(&self) -> Vec<Test> {
        let suits = |test: &Test| test.opcode().lacks(self.capabilities) == 0;
        Test::ALL.into_iter().filter(suits).collect()
    }

    /// Runs one test; returns what is wrong, line by line.
    pub fn run(&self, test: Test) -> Vec<String> {
        let faults = match test {
            Test::Registers => self.registers(),
            Test::Echo => self.echo(),
            Test::Table => self.chip.load_table(&self.evaluation.to_bytes()).map(|()| Vec::new()),
            Test::Positions(opcode) => self.compare(opcode),
            Test::Walks => self.walks(),
            Test::Cancel => self.cancel(),
            Test::Searches => self.searches(),
            Test::BadRequests => self.bad_requests(),
        };
        faults.unwrap_or_else(|e| vec![e.to_string()])
    }

    fn compare(&self, opcode: Opcode) -> Result<Vec<String>, AccelError> {
        let differences = compare(&[self.chip, &self.model], opcode, &self.positions)?;
        Ok(differences.iter().map(ToString::to_string).collect())
    }

    fn registers(&self) -> Result<Vec<String>, AccelError> {
        let info = self.chip.info()?;
        let mut faults = Vec::new();
        if info.magic != MAGIC {
            faults.push(format!("MAGIC is {:#010x}, not {MAGIC:#010x}", info.magic));
        }
        if info.protocol >> 16 != PROTOCOL_VERSION >> 16 {
            faults.push(format!("PROTOCOL is {:#010x}, this program speaks {PROTOCOL_VERSION:#010x}", info.protocol));
        }
        Ok(faults)
    }

    fn echo(&self) -> Result<Vec<String>, AccelError> {
        let mut faults = Vec::new();
        for length in [0, 1, 255, 256, MAX_REQUEST_PAYLOAD] {
            // Every byte value, including those that are stuffed.
            let bytes: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
            if self.chip.echo(&bytes)? != bytes {
                faults.push(format!("a payload of {length} bytes is returned changed"));
            }
        }
        Ok(faults)
    }

    /// Leaves and expansions below each position.
    fn walks(&self) -> Result<Vec<String>, AccelError> {
        let mut faults = Vec::new();
        for (index, position) in self.positions.iter().enumerate() {
            let depth = if index < FIRST_WALKS.0 { FIRST_WALKS.1 } else { OTHER_WALKS };
            faults.extend(self.walk(position, depth)?);
        }
        Ok(faults)
    }

    /// What is wrong with one walk.
    fn walk(&self, position: &Position, depth: u8) -> Result<Option<String>, AccelError> {
        let count = |chip: &dyn CoProcessor| {
            let result = chip.perft(&view::image(position), depth, &mut |_| true)?;
            Ok::<_, AccelError>(result.map(|result| (result.sums.nodes, result.sums.expansions, result.complete)))
        };
        let (found, expected) = (count(self.chip)?, count(&self.model)?);
        let differs = found != expected;
        Ok(differs.then(|| {
            let sfen = position.to_sfen();
            format!("{depth} plies below {sfen}: {found:?} instead of {expected:?} (leaves, expansions, complete)")
        }))
    }

    /// A walk that no chip completes is cancelled.
    fn cancel(&self) -> Result<Vec<String>, AccelError> {
        let start = &self.positions[0];
        let mut faults = Vec::new();
        match self.chip.perft(&view::image(start), MAX_DEPTH, &mut |_| false)? {
            Ok(result) if !result.complete => {}
            other => faults.push(format!("a walk of {MAX_DEPTH} plies is answered {other:?} instead of `CANCELLED`")),
        }
        faults.extend(self.walk(start, OTHER_WALKS)?);
        Ok(faults)
    }

    /// Searches of a few plies, and one that a limit of steps ends.
    fn searches(&self) -> Result<Vec<String>, AccelError> {
        let mut faults = Vec::new();
        for position in &self.positions {
            for head in [
                SearchHead { depth: SEARCH_DEPTH, table_bits: MIN_TABLE_BITS, ..SearchHead::default() },
                SearchHead { steps: SEARCH_STEPS, table_bits: MIN_TABLE_BITS, ..SearchHead::default() },
            ] {
                let request = SearchRequest::of_game(head, &[], position);
                let search = |chip: &dyn CoProcessor| {
                    let result = chip.search(&request, &mut |_| true)?;
                    Ok::<_, AccelError>(result.map(|result| Found { clocks: 0, ..result.found }))
                };
                let (found, expected) = (search(self.chip)?, search(&self.model)?);
                if found != expected {
                    faults.push(format!("{}: {found:?} instead of {expected:?}", position.to_sfen()));
                }
            }
        }
        Ok(faults)
    }

    /// Bad requests must have the same answers as the model's.
    fn bad_requests(&self) -> Result<Vec<String>, AccelError> {
        let mut faults = Vec::new();
        for (name, request) in bad_requests() {
            let (answers, expected) = (self.chip.request(request.clone())?, self.model.request(request)?);
            if answers != expected {
                let describe = |answers: &[crate::Response]| {
                    let fields = |a: &crate::Response| format!("{:02x?}", (a.opcode, a.status, a.index, &a.payload));
                    answers.iter().map(fields).collect::<Vec<_>>().join(", ")
                };
                faults.push(format!("{name}: {} instead of {}", describe(&answers), describe(&expected)));
            }
        }
        Ok(faults)
    }
}

fn bad_requests() -> Vec<(&'static str, Request)> {
    let image = |squares: &[usize], code| {
        let mut image = PositionImage::default();
        squares.iter().for_each(|&s| image.set_piece(s, code));
        image
    };
    let raw = |opcode: u8, count, payload: Vec<u8>| Request { opcode, count, payload };
    let count = Opcode::Count as u8;
    vec![
        ("unknown opcode", raw(0x7F, 0, vec![])),
        ("INFO with a payload", raw(Opcode::Info as u8, 0, vec![1])),
        ("COUNT without a position", raw(count, 0, vec![])),
        ("COUNT of half a position", raw(count, 1, vec![0; 32])),
        ("LOAD_TABLE without offset", raw(Opcode::LoadTable as u8, 0, vec![0; 3])),
        ("LOAD_TABLE out of sequence", raw(Opcode::LoadTable as u8, 0, vec![64, 0, 0, 0, 1, 2])),
        ("a piece that does not exist", Request::batch(Opcode::Count, &[image(&[40], NO_KIND)])),
        ("two pawns on a file", Request::batch(Opcode::Generate, &[image(&[3, 4], PAWN)])),
        ("a dead pawn", Request::batch(Opcode::Evaluate, &[image(&[0], PAWN)])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesBackend;

    fn failures(chip: &dyn CoProcessor) -> (usize, Vec<String>) {
        let selftest = Selftest::new(chip, &Evaluation::default()).unwrap();
        let failed = |test: &Test| !selftest.run(*test).is_empty();
        let tests = selftest.tests();
        (tests.len(), tests.into_iter().filter(failed).map(Test::name).collect())
    }

    #[test]
    fn models_pass_and_the_rules_miss_bad_tables() {
        assert_eq!(failures(&ModelBackend::new()), (11, vec![]));
        let lacks =
            Capability::Movegen.bit() | Capability::Evaluate.bit() | Capability::Perft.bit() | Capability::Search.bit();
        assert_eq!(failures(&ModelBackend::with_model(Model::without(lacks))), (4, vec![]));
        let network = ModelBackend::with_model(Model::without(Capability::Network.bit()));
        assert_eq!(failures(&network), (11, vec![]));
        let only_searches = Capability::Movegen.bit() | Capability::Perft.bit();
        assert_eq!(failures(&ModelBackend::with_model(Model::without(only_searches))), (5, vec![]));
        assert_eq!(failures(&RulesBackend::default()), (8, vec!["bad requests".to_string()]));
    }

    #[test]
    fn other_gateware_is_named() {
        let chip = |build_id, board| gateware_note(&Info { build_id, board, ..Info::default() });
        assert_eq!((chip(BUILD_ID, 2), chip(0, 0), chip(7, BOARD_OTHER)), (None, None, None));
        let note = chip(0x1234_ABCD, 2).unwrap();
        assert!(note.contains("1234abcd") && note.contains(&format!("{BUILD_ID:08x}")), "{note}");
    }
}
