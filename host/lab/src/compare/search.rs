//! The search by the chip (`SEARCH`) compared with the engine's alpha-beta: nodes a second, time to a depth, and what requests in
//! flight bring. Until a chip has `SEARCH`, the software model is timed in its place.

use super::{
    chip::frame_bytes,
    link::{BreakEven, LinearCost, Link, Port, Race, RequestCost, RequestSize},
    machine::cores,
    software::MeasurementBudget,
    CompareError, Figure, Monitor, Sample,
};
use hayasashi_accel::{
    search::{many, SearchOutcome},
    CoProcessor, ModelBackend, SearchRequest,
};
use hayasashi_engine::{
    search::{GamePath, MoveSource, SearchLimits, Searcher},
    Control,
};
use hayasashi_model::{evaluate::Evaluation, Model};
use hayasashi_spec::{
    opcode::{Opcode, ANSWER},
    registers::CAP_SEARCH,
    search::{SearchHead, FOUND_BYTES, SEARCH_BYTES},
};
use serde::Serialize;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        Arc,
    },
    time::{Duration, Instant},
};

/// Rounds in turn; a rate is the median over them.
const ROUNDS: usize = 3;
/// Positions that are searched.
const POSITIONS: usize = 8;
/// Nodes of each search for each second of measuring time, and the fewest and most.
const NODES_A_SECOND: f64 = 20_000.0;
const NODES: std::ops::RangeInclusive<u64> = 500..=20_000;
/// The same on a simulated chip, which is a thousand times slower.
const SIMULATED_NODES: u64 = 200;
/// Depths whose time is measured.
const DEPTHS: [u8; 3] = [4, 6, 8];
/// Requests in flight.
const IN_FLIGHT: [usize; 3] = [1, 2, 8];
/// Nodes of requests over a link.
const SIZES: [u64; 3] = [100, 1000, 10_000];
/// Mebibytes of the engine's table: what it needs for these nodes.
const HASH_MIB: usize = 4;

/// The figures of searches.
#[derive(Clone, Debug, Serialize)]
pub struct SearchComparison {
    /// Positions searched.
    pub positions: usize,
    /// Nodes of each search.
    pub nodes_each: u64,
    /// The engine's alpha-beta on one core, in nodes a second.
    pub engine: Figure,
    /// `SEARCH` by the model on one core, in nodes a second.
    pub model: Figure,
    /// The model's rate by the engine's.
    pub ratio: Figure,
    /// Steps a node: the clocks that a chip with one step in each clock takes.
    pub steps_each: Figure,
    /// Clocks a node of a walker of the simulated chip; none if it cannot search.
    pub clocks_each: Option<Figure>,
    /// Walkers of the chip: so many requests are worked on at a time.
    pub walkers: u32,
    /// Nodes a second of the simulated chip at the device's clock, by all walkers together.
    pub chip: Option<Figure>,
    /// Why there is no chip.
    pub no_chip: Option<String>,
    /// The simulated chip over each link.
    pub linked: Vec<SearchOverLink>,
    /// The mean time to each depth.
    pub depths: Vec<TimeToDepth>,
    /// The model with several requests in flight.
    pub in_flight: Vec<InFlight>,
}

/// A chip that searches, over a link, against the engine's alpha-beta. A node of the chip counts as one of the engine.
#[derive(Clone, Debug, Serialize)]
pub struct SearchOverLink {
    /// Name of the link.
    pub link: String,
    /// The port that it leads to.
    pub port: Port,
    /// The fewest nodes of a request that ends no later than on one core.
    pub break_even: BreakEven,
    /// The same for more cores.
    pub more_cores: Vec<BreakEven>,
    /// Requests of several sizes.
    pub sizes: Vec<RequestSize>,
}

impl SearchOverLink {
    /// A chip with so many clocks a node against an engine with so many nodes a second on a core.
    pub fn new(link: &Link, clocks_each: f64, clock_hz: f64, engine_rate: f64) -> SearchOverLink {
        let bytes = |opcode, payload: &[u8]| frame_bytes(link.port.framing(), opcode, 0, payload) as f64;
        let cost = RequestCost {
            request: LinearCost { fixed: bytes(Opcode::Search as u8, &[0; SEARCH_BYTES]), each: 0.0 },
            answers: LinearCost { fixed: bytes(Opcode::Search as u8 | ANSWER, &[0; FOUND_BYTES]), each: 0.0 },
            clocks: LinearCost { fixed: 0.0, each: clocks_each },
            max_units: u64::MAX,
        };
        let race = Race { link, cost: &cost, clock_hz, rate: engine_rate };
        SearchOverLink {
            link: link.name.clone(),
            port: link.port,
            break_even: race.break_even(),
            more_cores: race.more_cores(),
            sizes: SIZES.map(|units| race.size(units)).into(),
        }
    }
}

/// The mean time of a search to a depth. Plies of the two searches are not the same: each prunes in its own way.
#[derive(Clone, Debug, Serialize)]
pub struct TimeToDepth {
    /// Plies.
    pub depth: u8,
    /// The engine.
    pub engine: Figure,
    /// The model.
    pub model: Figure,
}

/// The model with so many requests in flight.
#[derive(Clone, Debug, Serialize)]
pub struct InFlight {
    /// Requests.
    pub requests: usize,
    /// Nodes a second of all together.
    pub rate: Figure,
    /// By the rate of one request.
    pub ratio: Figure,
}

struct Searches<'a> {
    evaluation: &'a Evaluation,
    paths: Vec<GamePath>,
    monitor: &'a Monitor<'a>,
}

/// Nodes and time.
#[derive(Clone, Copy, Default)]
struct Spent {
    nodes: u64,
    seconds: f64,
}

impl Spent {
    fn rate(self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }
}

/// Compares the searches. `simulated` is the chip whose clocks are counted, at `clock_hz`, with so many walkers.
///
/// # Errors
/// An interrupt, or a back end that fails.
pub fn searches(
    sample: &Sample,
    evaluation: &Evaluation,
    (simulated, clock_hz, walkers): (&dyn CoProcessor, f64, u32),
    links: &[Link],
    effort: MeasurementBudget,
    monitor: &Monitor,
) -> Result<SearchComparison, CompareError> {
    let paths: Vec<GamePath> = sample.rules.iter().take(POSITIONS).map(|pos| GamePath::new(pos.clone())).collect();
    let run = Searches { evaluation, paths, monitor };
    let model = ModelBackend::with_model(Model::with_evaluation(evaluation.clone()));
    let mut engine = run.engine();
    let nodes_each = ((effort.time.as_secs_f64() * NODES_A_SECOND) as u64).clamp(*NODES.start(), *NODES.end());
    let by_nodes = SearchHead { nodes: nodes_each, ..SearchHead::default() };
    let node_limits = SearchLimits { nodes: Some(nodes_each), ..SearchLimits::default() };
    let (mut engine_rates, mut model_rates, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        monitor.step(&format!("search: software, round {round} of {ROUNDS}"));
        let time = effort.time / ROUNDS as u32;
        engine_rates.push(run.repeat(time, |path| Ok(run.by_engine(&mut engine, path, &node_limits)))?.rate());
        model_rates.push(run.repeat(time, |path| run.by_model(&model, path, by_nodes, &mut steps))?.rate());
    }
    let nodes: u64 = steps.iter().map(|(nodes, _)| nodes).sum();
    let all: u64 = steps.iter().map(|(_, steps)| steps).sum();
    let median = |rates| Figure::median(rates, "nodes/s").expect("there are rounds");
    let (engine_rate, model_rate) = (median(engine_rates), median(model_rates));
    let (clocks_each, no_chip) = match simulated.has(CAP_SEARCH)? {
        true => (run.clocks(simulated)?, None),
        false => (None, Some(format!("the chip of `{}` cannot search yet", simulated.name()))),
    };
    let over = |clocks: Figure| {
        let over = |link| SearchOverLink::new(link, clocks.value, clock_hz, engine_rate.value);
        links.iter().map(over).collect()
    };
    Ok(SearchComparison {
        linked: clocks_each.map(over).unwrap_or_default(),
        positions: run.paths.len(),
        nodes_each,
        ratio: model_rate.over(&engine_rate),
        engine: engine_rate,
        model: model_rate,
        steps_each: Figure::measured(all as f64 / nodes.max(1) as f64, "steps/node"),
        chip: clocks_each.map(|clocks| Figure::computed(walkers as f64 * clock_hz / clocks.value, "nodes/s")),
        walkers,
        clocks_each,
        no_chip,
        depths: run.depths(&model, &mut engine, effort.time)?,
        in_flight: run.in_flight(&model, by_nodes)?,
    })
}

impl Searches<'_> {
    fn engine(&self) -> Searcher {
        let source = MoveSource::direct(Arc::new(ModelBackend::new()), self.evaluation.clone());
        let mut searcher = Searcher::new(source, HASH_MIB);
        // A search for mates is no part of the tree.
        searcher.settings.techniques.root_mate = false;
        searcher
    }

    /// Searches each position in turn until the time is over, and each at least once.
    fn repeat(
        &self,
        time: Duration,
        mut search: impl FnMut(&GamePath) -> Result<Spent, CompareError>,
    ) -> Result<Spent, CompareError> {
        let (start, mut sum) = (Instant::now(), Spent::default());
        for (at, path) in self.paths.iter().cycle().enumerate() {
            if at >= self.paths.len() && start.elapsed() >= time {
                break;
            }
            self.monitor.check()?;
            let Spent { nodes, seconds } = search(path)?;
            sum = Spent { nodes: sum.nodes + nodes, seconds: sum.seconds + seconds };
        }
        Ok(sum)
    }

    fn by_engine(&self, engine: &mut Searcher, path: &GamePath, limits: &SearchLimits) -> Spent {
        engine.clear();
        let start = Instant::now();
        let outcome = engine.search(path, limits, &[], &Control::default(), &mut |_| {});
        Spent { nodes: outcome.report.nodes, seconds: start.elapsed().as_secs_f64() }
    }

    /// A search by the model in this thread, and its nodes and steps.
    fn by_model(
        &self,
        model: &ModelBackend,
        path: &GamePath,
        head: SearchHead,
        steps: &mut Vec<(u64, u64)>,
    ) -> Result<Spent, CompareError> {
        let request = SearchRequest::of_game(head, &[], path.position());
        let start = Instant::now();
        let found = model.search(&request, &mut |_| true)??.found;
        let seconds = start.elapsed().as_secs_f64();
        steps.push((found.nodes, found.steps));
        Ok(Spent { nodes: found.nodes, seconds })
    }

    /// Clocks a node of a simulated chip.
    fn clocks(&self, chip: &dyn CoProcessor) -> Result<Option<Figure>, CompareError> {
        self.monitor.step("search: clocks in simulation");
        let head = SearchHead { nodes: SIMULATED_NODES, ..SearchHead::default() };
        let (mut nodes, mut clocks) = (0u64, 0u64);
        for path in &self.paths {
            self.monitor.check()?;
            let request = SearchRequest::of_game(head, &[], path.position());
            let found = chip.search(&request, &mut |_| !self.monitor.stopped())??.found;
            (nodes, clocks) = (nodes + found.nodes, clocks + found.clocks);
        }
        Ok((clocks > 0).then(|| Figure::simulated(clocks as f64 / nodes.max(1) as f64, "clocks/node")))
    }

    /// The times to the depths; those that would take long are left out.
    fn depths(
        &self,
        model: &ModelBackend,
        engine: &mut Searcher,
        time: Duration,
    ) -> Result<Vec<TimeToDepth>, CompareError> {
        let (mut depths, start) = (Vec::new(), Instant::now());
        for depth in DEPTHS {
            if start.elapsed() > time {
                break;
            }
            self.monitor.step(&format!("search: time to depth {depth}"));
            let limits = SearchLimits { depth: Some(depth as u32), ..SearchLimits::default() };
            let head = SearchHead { depth, ..SearchHead::default() };
            let (mut own, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                let each = |sum: Spent| sum.seconds / self.paths.len().max(1) as f64;
                own.push(each(self.repeat(Duration::ZERO, |path| Ok(self.by_engine(engine, path, &limits)))?));
                theirs
                    .push(each(self.repeat(Duration::ZERO, |path| self.by_model(model, path, head, &mut Vec::new()))?));
            }
            let median = |times| Figure::median(times, "s").expect("there are rounds");
            depths.push(TimeToDepth { depth, engine: median(own), model: median(theirs) });
        }
        Ok(depths)
    }

    fn in_flight(&self, model: &ModelBackend, head: SearchHead) -> Result<Vec<InFlight>, CompareError> {
        let mut rates = vec![Vec::new(); IN_FLIGHT.len()];
        for round in 1..=ROUNDS {
            self.monitor.step(&format!("search: requests in flight, round {round} of {ROUNDS}"));
            for (&requests, rates) in IN_FLIGHT.iter().zip(&mut rates) {
                self.monitor.check()?;
                // Each request is made several times, so that the last ones do not count for much.
                let work = std::iter::repeat_n(&self.paths, 3).flatten();
                let work = work.map(|path| SearchRequest::of_game(head, &[], path.position()));
                let (start, mut nodes, mut failure) = (Instant::now(), 0, None);
                let stop = AtomicBool::new(false);
                let mut on_end = |_, outcome: SearchOutcome| {
                    stop.store(self.monitor.stopped(), Relaxed);
                    match outcome {
                        Ok(Ok(result)) => nodes += result.found.nodes,
                        Ok(Err(refused)) => failure = Some(refused.into()),
                        Err(failed) => failure = Some(failed.into()),
                    }
                };
                many(model, work, requests, &|| !stop.load(Relaxed), &mut on_end);
                if let Some(failure) = failure {
                    return Err(failure);
                }
                rates.push(Spent { nodes, seconds: start.elapsed().as_secs_f64() }.rate());
            }
        }
        self.monitor.check()?;
        let median = |rates| Figure::median(rates, "nodes/s").expect("there are rounds");
        let rates: Vec<Figure> = rates.into_iter().map(median).collect();
        let pair =
            |(&requests, rate): (&usize, &Figure)| InFlight { requests, rate: *rate, ratio: rate.over(&rates[0]) };
        Ok(IN_FLIGHT.iter().zip(&rates).map(pair).collect())
    }
}

impl SearchComparison {
    /// Title of its table.
    pub fn title(&self) -> String {
        format!("search: nodes a second, {} positions of {} nodes", self.positions, super::grouped(self.nodes_each))
    }

    /// Names, rates and ratios to the engine's alpha-beta on one core.
    pub fn rows(&self) -> Vec<(String, Figure, Figure)> {
        let one = cores(1);
        let mut rows = vec![
            (format!("engine's alpha-beta, {one}"), self.engine, self.engine.over(&self.engine)),
            (format!("model's SEARCH, {one}"), self.model, self.ratio),
        ];
        for InFlight { requests, rate, .. } in &self.in_flight {
            let name = match requests {
                1 => "model's SEARCH, 1 request in flight".into(),
                more => format!("model's SEARCH, {more} requests in flight"),
            };
            rows.push((name, *rate, rate.over(&self.engine)));
        }
        if let (Some(chip), Some(clocks)) = (self.chip, self.clocks_each) {
            let name = match self.walkers {
                0..=1 => format!("chip: {} clocks a node", super::digits(clocks.value)),
                more => format!("chip: {more} walkers, each {} clocks a node", super::digits(clocks.value)),
            };
            rows.push((name, chip, chip.over(&self.engine)));
        }
        rows
    }

    /// The other figures, a line each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("steps a node: {} {}", super::digits(self.steps_each.value), self.steps_each.basis.word())];
        for TimeToDepth { depth, engine, model } in &self.depths {
            let [own, theirs] = [engine, model].map(|time| super::duration(time.value));
            lines.push(format!("time to depth {depth}: engine {own}, model {theirs} {}", model.basis.word()));
        }
        for over in &self.linked {
            let size = |size: &RequestSize| {
                let [own, linked] = [size.software, size.linked].map(|time| super::duration(time.value));
                format!("{} nodes {linked} (engine {own})", super::grouped(size.units))
            };
            let sizes = over.sizes.iter().map(size).collect::<Vec<_>>().join(", ");
            let sooner = super::text::break_even(&over.break_even, &over.more_cores, "nodes");
            lines.push(format!("chip, {}: {sizes}; sooner from: {sooner}", over.link));
        }
        lines.extend(self.no_chip.iter().map(|reason| format!("no chip: {reason}")));
        lines
    }
}
