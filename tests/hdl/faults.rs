//! The check of positions in RustHDL's simulator against the software model, on positions that cannot occur.

use hayasashi_hdl::position::fault_server::FaultServer;
use hayasashi_hdl::position::faults::{Faults, FAULTS_CLOCKS};
use hayasashi_model::position::Position;
use hayasashi_sim::Stepper;
use hayasashi_spec::piece::{HAND_KINDS, SQUARES};
use hayasashi_spec::position::{Fault, Owner, PositionImage};
use hayasashi_tests::{data_lines, image_from_sfen, link_bench::Rng, rtl};

/// The faults that are not left to the attack pipeline.
const FOUND_HERE: u8 = !(Fault::Capturable as u8);

struct Bench(Stepper<Faults>);

impl Bench {
    fn step(&mut self) -> u8 {
        self.0.settle();
        self.0.block.state_in.next = self.0.block.state.val();
        self.0.settle();
        self.0.rise();
        self.0.block.faults.val().to_u8()
    }

    /// The faults in each clock after `start`, with another position before it.
    fn run(&mut self, before: &PositionImage, idle: u64, image: &PositionImage) -> Vec<u8> {
        self.0.block.image.next = rtl::bus(&before.bytes);
        for _ in 0..idle {
            self.step();
        }
        self.0.block.image.next = rtl::bus(&image.bytes);
        (0..FAULTS_CLOCKS)
            .map(|clock| {
                self.0.block.start.next = ((clock == 0) as u64).into();
                self.step()
            })
            .collect()
    }
}

/// Changes a position in a few places, mostly so that it cannot occur.
fn disturb(image: &mut PositionImage, rng: &mut Rng) {
    let mut square = || rng.below(SQUARES as u64) as usize;
    let (a, b, c) = (square(), square(), square());
    match rng.below(5) {
        0 => image.set_piece(a, rng.below(32) as u8),
        1 => image.bytes[rng.below(64) as usize] ^= 1 << rng.below(8),
        2 => {
            let kind = 1 + rng.below(HAND_KINDS as u64) as u8;
            let owner = [Owner::Mover, Owner::Theirs][rng.below(2) as usize];
            image.set_hand(owner, kind, (image.hand(owner, kind) + 1).min(3));
        }
        // Pieces elsewhere, no more and no less of them.
        _ => {
            for (a, b) in [(a, b), (b, c)] {
                let (first, second) = (image.piece(a), image.piece(b));
                image.set_piece(a, second);
                image.set_piece(b, first);
            }
        }
    }
}

#[test]
fn faults_equal_the_model() {
    let mut bench = Bench(Stepper::new(Faults::default()));
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let mut alone = [0; 4];
    let (mut none, mut last_clock) = (0, 0);
    let mut before = PositionImage::default();
    for line in data_lines("rules/legal_moves.tsv").into_iter().step_by(3) {
        let (good, _) = image_from_sfen(line.split('\t').next().unwrap());
        let mut image = good;
        disturb(&mut image, &mut rng);
        for image in [image, good] {
            let expected = Position::from(&image).faults() & FOUND_HERE;
            let got = bench.run(&before, rng.below(3), &image);
            assert_eq!(*got.last().unwrap(), expected, "faults of {:?}", image.bytes);
            for (bit, count) in alone.iter_mut().enumerate() {
                *count += (expected == 1 << bit) as usize;
            }
            none += (expected == 0) as usize;
            last_clock += (got[FAULTS_CLOCKS as usize - 2] != expected) as usize;
            before = image;
        }
    }
    println!("alone {alone:?}, none {none}, known in the last clock {last_clock}");
    assert!(alone.iter().all(|&count| count >= 10) && none >= 10 && last_clock >= 10);
}

/// All faults of a position, as the chip that only searches finds them, and clocks from `start` until they are answered.
fn served(server: &mut Stepper<FaultServer>, image: &PositionImage) -> (u8, u64) {
    server.block.position.next = rtl::bus(&image.bytes);
    server.block.requests.retire.next = false;
    for clock in 0..100 {
        server.block.start.next = clock == 0;
        server.settle();
        server.rise();
        if server.block.requests.answered.val() {
            let (faults, word) = (server.block.requests.faults.val().to_u8(), server.block.words.data.val().to_u64());
            assert!(server.block.words.valid.val() && word == faults as u64 && !server.block.requests.ready.val());
            server.block.requests.retire.next = true;
            server.settle();
            server.rise();
            assert!(!server.block.requests.answered.val() && server.block.requests.ready.val());
            return (faults, clock + 1);
        }
    }
    panic!("no answer about {:?}", image.bytes);
}

#[test]
fn all_faults_are_served() {
    let mut server = Stepper::new(FaultServer::default());
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    let (mut alone, mut none) = ([0; Fault::ALL.len()], 0);
    for line in data_lines("rules/legal_moves.tsv") {
        let (good, _) = image_from_sfen(line.split('\t').next().unwrap());
        let mut image = good;
        disturb(&mut image, &mut rng);
        for image in [image, good] {
            let expected = Position::from(&image).faults();
            assert_eq!(served(&mut server, &image), (expected, FAULTS_CLOCKS + 1), "faults of {:?}", image.bytes);
            for (bit, count) in alone.iter_mut().enumerate() {
                *count += (expected == 1 << bit) as usize;
            }
            none += (expected == 0) as usize;
        }
    }
    println!("alone {alone:?}, none {none}");
    assert!(alone.iter().all(|&count| count >= 10) && none >= 1_000);
}
