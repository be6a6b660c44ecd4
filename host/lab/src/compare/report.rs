//! The report of a comparison. Its fields are the JSON output: they may be added, but not renamed or removed.

use super::{
    chip::PerftRun,
    clock::Device,
    link::{BreakEven, LinearCost, Link, Port, Race, RequestCost, RequestSize},
    machine::Machine,
    search::SearchComparison,
    software::{fastest, SoftwareRate},
    Figure,
};
use serde::Serialize;

/// The report of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Machine, date and versions.
    pub machine: Machine,
    /// The board whose chip is compared.
    pub device: Device,
    /// The simulation that counted the chip's clocks.
    pub simulation: Simulation,
    /// The simulation that counted those behind the word port.
    pub word_port: Option<Simulation>,
    /// Links to the chip.
    pub links: Vec<Link>,
    /// The positions.
    pub sample: SampleSummary,
    /// The attached chip that was timed.
    pub attached: Option<AttachedChip>,
    /// The workloads that were compared.
    pub works: Vec<Workload>,
    /// Searches; none if an interrupt came before.
    pub search: Option<SearchComparison>,
    /// Whether an interrupt left figures unmeasured.
    pub interrupted: bool,
}

/// The simulated chip.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    /// Name of the back end.
    pub backend: String,
    /// Why this back end was chosen, if it is not the default.
    pub note: Option<String>,
}

/// The positions of the measurements.
#[derive(Clone, Debug, Serialize)]
pub struct SampleSummary {
    /// Number of positions.
    pub positions: usize,
    /// Where the positions come from.
    pub source: String,
    /// Mean number of legal moves.
    pub moves_each: Figure,
}

/// An attached chip.
#[derive(Clone, Debug, Serialize)]
pub struct AttachedChip {
    /// Name of the back end.
    pub backend: String,
    /// Its description of itself.
    pub note: String,
    /// Whether it is a simulation or a software model; its times are then not those of a chip.
    pub simulated: bool,
}

/// A task that software and chip perform.
#[derive(Clone, Debug, Serialize)]
pub struct Workload {
    /// `moves`, `counts`, `evaluation`, `perft startpos`, …
    pub work: String,
    /// Unit of work: `positions` or `expansions`.
    pub unit: &'static str,
    /// Rates of the project's software.
    pub software: Vec<SoftwareRate>,
    /// The chip without a link, behind its byte port.
    pub chip: Option<Chip>,
    /// The same behind its word port.
    pub word_port: Option<Chip>,
    /// Why there is no chip.
    pub no_chip: Option<String>,
    /// The chip over each link.
    pub linked: Vec<ChipOverLink>,
    /// Rate of the attached chip.
    pub attached: Option<Figure>,
    /// For perft: the walk of each depth.
    pub walks: Vec<PerftRun>,
    /// For perft: depth of the deepest walk.
    pub depth: Option<u8>,
    /// For perft: mean leaves per expansion of the deepest walk, which converts rates of expansions to rates of leaves.
    pub leaves_each: Option<Figure>,
}

/// The speed of the chip without a link.
#[derive(Clone, Debug, Serialize)]
pub struct Chip {
    /// Clocks per unit of work in a long stream.
    pub clocks_each: Figure,
    /// Units of work per second at the device's clock rate.
    pub rate: Figure,
    /// The rate as a multiple of the fastest software on one core.
    pub ratio: Figure,
    /// Request bytes on the link: per position, or of the whole request of a walk.
    pub bytes_there: Figure,
    /// Answer bytes on the link, likewise.
    pub bytes_back: Figure,
    /// Bytes and clocks of a request.
    #[serde(skip)]
    pub cost: RequestCost,
}

/// The chip over a link.
#[derive(Clone, Debug, Serialize)]
pub struct ChipOverLink {
    /// Name of the link.
    pub link: String,
    /// The port that it leads to.
    pub port: Port,
    /// Units of work per second: positions with many full requests in flight, or expansions of the deepest walk.
    pub rate: Figure,
    /// The rate as a multiple of the fastest software on one core.
    pub ratio: Figure,
    /// The smallest request that finishes no later than on the fastest software on one core.
    pub break_even: BreakEven,
    /// The same for more cores.
    pub more_cores: Vec<BreakEven>,
    /// Requests of several sizes.
    pub sizes: Vec<RequestSize>,
}

/// A share of the processor below which a measurement is not to be trusted.
const LEAST_SHARE: f64 = 0.95;

impl Comparison {
    /// Warns where other programs used the processor while the software was measured.
    pub fn warning(&self) -> Option<String> {
        let shares = self.works.iter().flat_map(|work| &work.software).map(|s| s.processor_share.value);
        let least = shares.fold(1.0, f64::min);
        (least < LEAST_SHARE).then(|| {
            format!(
                "NOT TO BE TRUSTED: other programs used the processor, and the software measured got as little as {:.0} % \
                 of its time; repeat on an idle machine",
                100.0 * least
            )
        })
    }
}

impl Workload {
    /// Adds the figures of the chip behind a port.
    pub fn add_chip(&mut self, port: Port, clocks_each: Figure, cost: RequestCost, device: &Device) {
        let Some(best) = fastest(&self.software).map(|s| s.rate) else { return };
        let hz = device.clock_hz();
        let rate = Figure::computed(hz / clocks_each.value, best.unit);
        let bytes = |part: LinearCost| match self.walks.is_empty() {
            true => Figure::computed(part.each + part.fixed / cost.max_units as f64, "bytes/position"),
            false => Figure::computed(part.fixed, "bytes/request"),
        };
        let chip = Some(Chip {
            clocks_each,
            rate,
            ratio: rate.over(&best),
            bytes_there: bytes(cost.request),
            bytes_back: bytes(cost.answers),
            cost,
        });
        match port {
            Port::Bytes => self.chip = chip,
            Port::Words => self.word_port = chip,
        }
    }

    /// The chip behind a port.
    pub fn behind(&self, port: Port) -> Option<&Chip> {
        match port {
            Port::Bytes => self.chip.as_ref(),
            Port::Words => self.word_port.as_ref(),
        }
    }

    /// Adds the figures of the chip over the links. `sizes` are the request sizes to be shown.
    pub fn add_links(&mut self, device: &Device, links: &[Link], sizes: &[u64]) {
        let Some(best) = fastest(&self.software).map(|s| s.rate) else { return };
        let hz = device.clock_hz();
        let over_link = |link: &Link| {
            let cost = self.behind(link.port)?.cost;
            let race = Race { link, cost: &cost, clock_hz: hz, rate: best.value };
            let rate = match (self.walks.is_empty(), sizes.last()) {
                (false, Some(&deepest)) => deepest as f64 / link.seconds(&cost, hz, deepest as f64),
                _ => link.stream_rate(&cost, hz),
            };
            let rate = Figure::computed(rate, best.unit);
            Some(ChipOverLink {
                link: link.name.clone(),
                port: link.port,
                rate,
                ratio: rate.over(&best),
                break_even: race.break_even(),
                more_cores: race.more_cores(),
                sizes: sizes.iter().map(|&units| race.size(units)).collect(),
            })
        };
        self.linked = links.iter().filter_map(over_link).collect();
    }

    /// Mean leaves per expansion of the deepest walk.
    pub fn leaves_each(&self) -> Option<f64> {
        self.leaves_each.map(|leaves| leaves.value)
    }

    /// Heading of its rates.
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
    use crate::compare::clock::PlaceAndRoute;
    use crate::compare::search::{InFlight, SearchOverLink, TimeToDepth};
    use crate::compare::Provenance;

    /// A report with known numbers: software with 10 to 40 positions a second, a chip with 10 clocks per position at 1 kHz.
    pub fn by_hand() -> Comparison {
        let device = Device {
            board: "test".into(),
            name: "Test <board>".into(),
            part: "P".into(),
            clock: Figure::computed(1000.0, "Hz"),
            clock_from: "by hand".into(),
            clock_asked_hz: 1000,
            perft_units: 1,
            search_walkers: 1,
            baud_hz: 10_000,
            placed: None::<PlaceAndRoute>,
        };
        let links = vec![slow_link()];
        let rate = |value| Figure::measured(value, "positions/s");
        let software = |name, cores, value| SoftwareRate {
            name,
            cores,
            rate: rate(value),
            processor_share: Figure::measured(1.0, "s/s"),
        };
        let software = vec![software("rules", 1, 20.0), software("model", 1, 10.0), software("rules", 2, 40.0)];
        let mut work = Workload {
            work: "counts".into(),
            unit: "positions",
            software,
            chip: None,
            word_port: None,
            no_chip: None,
            linked: Vec::new(),
            attached: None,
            walks: Vec::new(),
            depth: None,
            leaves_each: None,
        };
        let cost = RequestCost {
            request: LinearCost { fixed: 14.0, each: 16.0 },
            answers: LinearCost { fixed: 0.0, each: 10.0 },
            clocks: LinearCost { fixed: 0.0, each: 10.0 },
            max_units: 32,
        };
        work.add_chip(Port::Bytes, Figure::simulated(10.0, "clocks/position"), cost, &device);
        work.add_links(&device, &links, &[1, 32]);
        Comparison {
            machine: Machine::here(),
            device,
            simulation: Simulation { backend: "rtl".into(), note: None },
            word_port: None,
            links,
            sample: SampleSummary {
                positions: 1,
                source: "by hand".into(),
                moves_each: Figure::measured(30.0, "moves/position"),
            },
            attached: None,
            works: vec![work],
            search: Some(searches_by_hand()),
            interrupted: false,
        }
    }

    /// 1,000 bytes a second.
    fn slow_link() -> Link {
        Link { round_trip_seconds: 0.1, ..Link::uart(10_000) }
    }

    fn searches_by_hand() -> SearchComparison {
        let rate = |value| Figure::measured(value, "nodes/s");
        let time = |value| Figure::measured(value, "s");
        let at = |requests, value| InFlight { requests, rate: rate(value), ratio: rate(value).over(&rate(3000.0)) };
        SearchComparison {
            positions: 8,
            nodes_each: 20_000,
            engine: rate(1000.0),
            model: rate(3000.0),
            ratio: rate(3000.0).over(&rate(1000.0)),
            steps_each: Figure::measured(1.75, "steps/node"),
            clocks_each: Some(Figure::simulated(20.0, "clocks/node")),
            walkers: 1,
            chip: Some(Figure::computed(50.0, "nodes/s")),
            no_chip: None,
            linked: vec![SearchOverLink::new(&slow_link(), 20.0, 1000.0, 10.0)],
            depths: vec![TimeToDepth { depth: 6, engine: time(0.5), model: time(0.25) }],
            in_flight: vec![at(1, 3000.0), at(8, 6000.0)],
        }
    }

    #[test]
    fn a_busy_machine_is_named() {
        let mut report = by_hand();
        assert_eq!(report.warning(), None);
        report.works[0].software[1].processor_share.value = 0.42;
        assert!(report.warning().unwrap().contains("as little as 42 %"), "{:?}", report.warning());
    }

    #[test]
    fn ratios_are_to_the_fastest_software_on_one_core() {
        let report = by_hand();
        let work = &report.works[0];
        let chip = work.chip.as_ref().unwrap();
        assert_eq!((chip.rate.value, chip.ratio.value, chip.ratio.basis), (100.0, 5.0, Provenance::Computed));
        let linked = &work.linked[0];
        // At 1000 bytes a second, the request bytes of 32 positions, (14 + 32 * 16) / 1000 s, are the slowest leg.
        assert!((linked.rate.value - 32.0 / 0.526).abs() < 1e-9);
        assert!((linked.ratio.value - 32.0 / 0.526 / 20.0).abs() < 1e-9);
        // 0.1 + 0.014 s, and 0.036 s for each position; software takes 0.05 s.
        assert_eq!(linked.break_even.value, Some(9));
        let more: Vec<_> = linked.more_cores.iter().map(|more| (more.cores, more.value)).collect();
        // 0.025 s on two cores: 1.266 s for the first 32, and then 0.526 / 32 s for each. 0.00625 s on eight.
        assert_eq!(more, [(2, Some(87)), (8, None)]);
        assert!((linked.sizes[0].linked.value - 0.150).abs() < 1e-9 && linked.sizes[0].software.value == 0.05);
    }
}
