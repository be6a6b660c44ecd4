//! Everything that a comparison found. Fields are added, never renamed or removed.

use super::{
    chip::Walk,
    clock::Device,
    link::{Linear, Link, Shape},
    machine::Machine,
    software::{fastest, Software},
    Basis, Figure,
};
use serde::Serialize;

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Where and when.
    pub machine: Machine,
    /// The board whose chip is compared.
    pub device: Device,
    /// What told the chip's clocks.
    pub simulation: Simulation,
    /// Ways to the chip.
    pub links: Vec<Link>,
    /// The positions.
    pub sample: SampleNote,
    /// A chip that was attached and timed.
    pub attached: Option<Attached>,
    /// What was compared.
    pub works: Vec<Work>,
    /// Ctrl-C came before all was measured.
    pub interrupted: bool,
}

/// The simulated chip.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    /// Its back end.
    pub backend: String,
    /// Why this one, where that needs a word.
    pub note: Option<String>,
}

/// The positions that were measured with.
#[derive(Clone, Debug, Serialize)]
pub struct SampleNote {
    /// How many.
    pub positions: usize,
    /// Where they come from.
    pub source: String,
    /// Their legal moves on average.
    pub moves_each: Figure,
}

/// A chip at the end of a line.
#[derive(Clone, Debug, Serialize)]
pub struct Attached {
    /// Its back end.
    pub backend: String,
    /// What it says of itself.
    pub note: String,
    /// It is simulated, or a software model: its times are none of a chip.
    pub simulated: bool,
}

/// One thing that both can do.
#[derive(Clone, Debug, Serialize)]
pub struct Work {
    /// `moves`, `counts`, `evaluation`, `perft startpos`, …
    pub work: String,
    /// What is counted: `positions` or `expansions`.
    pub unit: &'static str,
    /// The project's own software.
    pub software: Vec<Software>,
    /// The chip, without any link.
    pub chip: Option<Chip>,
    /// Why there is none.
    pub no_chip: Option<String>,
    /// The chip behind each link.
    pub linked: Vec<Linked>,
    /// The attached chip: units a second.
    pub attached: Option<Figure>,
    /// Walks: each depth.
    pub walks: Vec<Walk>,
    /// Walks: plies of the deepest.
    pub depth: Option<u8>,
    /// Walks: leaves of one expansion there; rates of expansions times this are rates of leaves.
    pub leaves_each: Option<Figure>,
}

/// The chip's own speed.
#[derive(Clone, Debug, Serialize)]
pub struct Chip {
    /// Clocks for a unit of work, in a long stream of them.
    pub clocks_each: Figure,
    /// Units of work a second at the device's clock.
    pub rate: Figure,
    /// That as a multiple of the fastest software on one core.
    pub ratio: Figure,
    /// Bytes of a request on the link: for each position, or of the whole request of a walk.
    pub bytes_there: Figure,
    /// Bytes of its answers.
    pub bytes_back: Figure,
    /// Bytes and clocks of requests.
    #[serde(skip)]
    pub shape: Shape,
}

/// The chip behind a link.
#[derive(Clone, Debug, Serialize)]
pub struct Linked {
    /// Name of the link.
    pub link: String,
    /// Units of work a second: of positions with many full requests in flight, of expansions with the deepest walk.
    pub rate: Figure,
    /// That as a multiple of the fastest software on one core.
    pub ratio: Figure,
    /// From which size on a request is done sooner than by the fastest software on one core.
    pub break_even: BreakEven,
    /// Requests of several sizes.
    pub sizes: Vec<Size>,
}

/// A size of a request.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BreakEven {
    /// Units of work; none where no size is enough: "never".
    pub value: Option<u64>,
    /// Always worked out.
    pub basis: Basis,
}

/// A request of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// Units of work.
    pub units: u64,
    /// Seconds of the fastest software on one core.
    pub software: Figure,
    /// Seconds of the chip and its link, nothing else in flight.
    pub linked: Figure,
}

impl Work {
    /// Adds the chip, whose clocks were counted; `sizes` are those of requests to be shown.
    pub fn add_chip(&mut self, clocks_each: Figure, shape: Shape, device: &Device, links: &[Link], sizes: &[u64]) {
        let Some(best) = fastest(&self.software).map(|s| s.rate) else { return };
        let hz = device.clock_hz();
        let rate = Figure::computed(hz / clocks_each.value, best.unit);
        let bytes = |part: Linear| match self.walks.is_empty() {
            true => Figure::computed(part.each + part.fixed / shape.most as f64, "bytes/position"),
            false => Figure::computed(part.fixed, "bytes/request"),
        };
        self.chip = Some(Chip {
            clocks_each,
            rate,
            ratio: rate.over(&best),
            bytes_there: bytes(shape.request),
            bytes_back: bytes(shape.answers),
            shape,
        });
        let of_link = |link: &Link| {
            let seconds = |units: u64| link.seconds(&shape, hz, units as f64);
            let rate = match (self.walks.is_empty(), sizes.last()) {
                (false, Some(&deepest)) => deepest as f64 / seconds(deepest),
                _ => link.stream_rate(&shape, hz),
            };
            let rate = Figure::computed(rate, best.unit);
            let size = |&units: &u64| Size {
                units,
                software: Figure::computed(units as f64 / best.value, "s"),
                linked: Figure::computed(seconds(units), "s"),
            };
            Linked {
                link: link.name.clone(),
                rate,
                ratio: rate.over(&best),
                break_even: BreakEven { value: link.break_even(&shape, hz, 1.0 / best.value), basis: Basis::Computed },
                sizes: sizes.iter().map(size).collect(),
            }
        };
        self.linked = links.iter().map(of_link).collect();
    }

    /// Leaves of one expansion, at the deepest walk.
    pub fn leaves_each(&self) -> Option<f64> {
        self.leaves_each.map(|leaves| leaves.value)
    }

    /// What its rates are called.
    pub fn title(&self) -> String {
        match self.depth {
            Some(depth) => format!("{} {depth}: {} a second", self.work, self.unit),
            None => format!("{}: {} a second", self.work, self.unit),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::compare::clock::Placed;

    /// A report that is put together by hand: 100 positions a second in software, 10 clocks of 1 kHz in the chip.
    pub fn by_hand() -> Comparison {
        let device = Device {
            board: "test".into(),
            name: "Test <board>".into(),
            part: "P".into(),
            clock: Figure::computed(1000.0, "Hz"),
            clock_from: "by hand".into(),
            clock_asked_hz: 1000,
            perft_units: 1,
            baud_hz: 10_000,
            placed: None::<Placed>,
        };
        let links = vec![Link { round_trip_seconds: 0.1, ..Link::uart(10_000) }];
        let rate = |value| Figure::measured(value, "positions/s");
        let software = vec![
            Software { name: "rules", cores: 1, rate: rate(20.0) },
            Software { name: "model", cores: 1, rate: rate(10.0) },
            Software { name: "rules", cores: 2, rate: rate(40.0) },
        ];
        let mut work = Work {
            work: "counts".into(),
            unit: "positions",
            software,
            chip: None,
            no_chip: None,
            linked: Vec::new(),
            attached: None,
            walks: Vec::new(),
            depth: None,
            leaves_each: None,
        };
        let shape = Shape {
            request: Linear { fixed: 14.0, each: 16.0 },
            answers: Linear { fixed: 0.0, each: 10.0 },
            clocks: Linear { fixed: 0.0, each: 10.0 },
            most: 32,
        };
        work.add_chip(Figure::measured(10.0, "clocks/position"), shape, &device, &links, &[1, 32]);
        Comparison {
            machine: Machine::here(),
            device,
            simulation: Simulation { backend: "rtl".into(), note: None },
            links,
            sample: SampleNote {
                positions: 1,
                source: "by hand".into(),
                moves_each: Figure::measured(30.0, "moves/position"),
            },
            attached: None,
            works: vec![work],
            interrupted: false,
        }
    }

    #[test]
    fn ratios_are_to_the_fastest_software_on_one_core() {
        let report = by_hand();
        let work = &report.works[0];
        let chip = work.chip.as_ref().unwrap();
        assert_eq!((chip.rate.value, chip.ratio.value, chip.ratio.basis), (100.0, 5.0, Basis::Computed));
        let linked = &work.linked[0];
        // 1000 bytes a second: (14 + 32 * 16) / 1000 s for 32 positions is the slowest leg.
        assert!((linked.rate.value - 32.0 / 0.526).abs() < 1e-9);
        assert!((linked.ratio.value - 32.0 / 0.526 / 20.0).abs() < 1e-9);
        // 0.1 + 0.014 s, and 0.036 s for each position of which software takes 0.05.
        assert_eq!(linked.break_even.value, Some(9));
        assert!((linked.sizes[0].linked.value - 0.150).abs() < 1e-9 && linked.sizes[0].software.value == 0.05);
    }
}
