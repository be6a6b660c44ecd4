//! Planes of attacks, and exchanges.

use super::bench::{assert_same, signed, to_bus, Bench};
use super::situations::{candidate, situations};
use hayasashi_hdl::network::{bus, Value};
use hayasashi_hdl::search as hdl;
use hayasashi_model::search::judge::gain;
use hayasashi_spec::piece::SQUARES;
use hayasashi_spec::position::PositionImage;
use hayasashi_tests::{link_bench::Rng, rtl};

#[test]
fn attacks_and_exchanges_equal_the_model() {
    let mut rng = Rng(8);
    let mut attacks = Bench::new(|block: &mut hdl::attacks::Attacks| &mut block.clock);
    let mut exchange = Bench::new(|block: &mut hdl::exchange::Exchange| &mut block.clock);
    let mut signs = [0; 3];
    for mut situation in situations(2000, &mut rng) {
        situation.spot.find_attacks();
        let expected = situation.spot.attacks;
        let plane = |plane: u128| Value::new(plane, SQUARES);
        let planes = hdl::attacks::AttackPlanes { own: expected.own.map(plane), their: expected.their.map(plane) };
        attacks.block.board.next = rtl::board(&PositionImage::from(&situation.spot.position));
        attacks.run(hdl::attacks::ATTACKS_CLOCKS);
        let got = bus::read::<hdl::attacks::AttackPlanes, _>(&attacks.block.attacks.val());
        assert_same::<hdl::attacks::AttackPlanes>(&got, &planes, || format!("{:?}", situation.spot.position));

        exchange.block.attacks.next = attacks.block.attacks.val();
        // Captures and promotions first, as the order has them.
        for c in situation.moves.iter().take(3).chain(situation.moves.iter().skip(3).step_by(11)) {
            exchange.block.candidate.next = to_bus::<hdl::node::Candidate, _>(&candidate(c));
            exchange.run(hdl::exchange::EXCHANGE_CLOCKS);
            let expected = expected.exchange(c);
            let got = signed(bus::read::<hdl::node::Score, _>(&exchange.block.exchange.val()));
            assert_eq!(got, expected, "{c:?} in {:?}", situation.spot.position);
            assert_eq!(exchange.block.gain.val().to_u64(), gain(c) as u64, "{c:?}");
            signs[(expected.signum() + 1) as usize] += 1;
        }
    }
    println!("exchanges below, at and above zero: {signs:?}");
    assert!(signs.iter().all(|&count| count > 500), "{signs:?}");
    attacks.check_verilog("attacks");
    exchange.check_verilog("exchange");
}
