//! Passes over the positions, with a checkpoint after each few blocks. A run that is killed and resumed gives the same network.

use super::{
    samples::{Counts, Samples, Source},
    weights::{losses, Layout, State, Sums},
};
use crate::learning::{checkpoint, LearnError};
use hayasashi_engine::search::accumulator::Weights;
use hayasashi_model::{
    evaluate::{
        network::{Network, NetworkError},
        EvalTable,
    },
    link::frame::CRC,
};
use hayasashi_shogi::random::Random;
use serde::{Deserialize, Serialize};
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Parts of a step whose gradients are summed in order, so that the sum does not depend on the number of threads.
const SLICES: usize = 8;
/// Time between two checkpoints.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);
/// File name in the checkpoint folder.
const NAME: &str = "learn-network.state";

/// What a run starts from.
pub enum Start {
    /// Random weights of so many units.
    Random {
        /// Number of units.
        units: usize,
    },
    /// The weights of a network.
    Network(Arc<Network>),
}

impl Start {
    /// Number of units.
    pub fn units(&self) -> usize {
        match self {
            Start::Random { units } => *units,
            Start::Network(network) => network.units(),
        }
    }
}

/// The settings of a run.
pub struct NetworkSession {
    /// The first weights.
    pub start: Start,
    /// The table that the network corrects.
    pub table: Arc<EvalTable>,
    /// The positions.
    pub source: Source,
    /// Step size of the first pass.
    pub rate: f32,
    /// Factor of the step size after each pass.
    pub decay: f32,
    /// Positions of a step.
    pub batch: usize,
    /// Passes over the positions.
    pub passes: u32,
    /// Number of threads.
    pub threads: usize,
    /// Seed of random first weights and of the order of the positions.
    pub seed: u64,
    /// File of the network, replaced after each pass.
    pub out: PathBuf,
    /// Version in its header.
    pub version: u32,
    /// Folder of the checkpoint, which exists.
    pub checkpoint: PathBuf,
}

/// The figures of a pass.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct NetworkRow {
    /// Number of the pass; 0 before the first one.
    pub pass: u32,
    /// Mean loss of a position during the pass; 0 before the first.
    #[serde(with = "bits")]
    pub loss: f64,
    /// Mean loss of a held-out position after it; before the first one that of the table alone, or of the network to start from.
    #[serde(with = "bits")]
    pub held_out: f64,
    /// Share of the held-out positions of decided games where the winner has the better chance.
    #[serde(with = "bits")]
    pub right: f64,
}

/// Progress of a run.
pub enum NetworkEvent<'a> {
    /// All positions were read; those used are held out.
    Read(Counts),
    /// Steps were made.
    Block {
        /// The pass, from 1.
        pass: u32,
        /// Positions of this pass so far.
        positions: u64,
        /// Mean loss of these.
        loss: f64,
    },
    /// The figures of a pass. Those of an earlier run come first.
    Pass(&'a NetworkRow),
    /// A record or game that cannot be read.
    Fault(String),
}

/// What the checkpoint says besides weights.
#[derive(Serialize, Deserialize, Default)]
struct Heading {
    setting: String,
    rows: Vec<NetworkRow>,
    /// Blocks of the current pass that are done.
    blocks: u64,
    #[serde(with = "bits")]
    loss: f64,
    positions: u64,
    steps: u32,
}

/// Floating-point numbers as their bits, so that they are restored exactly.
mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(number.to_bits())
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}

impl NetworkSession {
    /// Trains until all passes are complete or `stop` returns true. A session with the same settings and files resumes from the
    /// checkpoint.
    ///
    /// # Errors
    /// A checkpoint of another run, a file that cannot be read or written, or no positions.
    pub fn run(&self, stop: &dyn Fn() -> bool, on_event: &mut dyn FnMut(NetworkEvent)) -> Result<(), LearnError> {
        let layout = Layout { units: self.start.units() };
        let weights = Weights::new(self.table.clone());
        let file = self.checkpoint.join(NAME);
        // Positions that are held out stay in memory; the first reading also finds what cannot be read.
        let mut held_out: Vec<Samples> = Vec::new();
        let held_counts =
            self.source.blocks(&weights, true, &mut |fault| on_event(NetworkEvent::Fault(fault)), &mut |block| {
                held_out.push(block.clone());
                Ok(if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
        if stop() {
            return Ok(());
        }
        if held_out.is_empty() || held_counts.used == held_counts.read {
            return Err(LearnError::TooFewPositions { positions: held_counts.read, held_out: self.source.held_out });
        }
        let setting = self.setting(&held_out, &held_counts);
        let saved = checkpoint::read::<Heading>(&file)?;
        let (mut heading, mut state) = match saved {
            None => {
                let first = match &self.start {
                    Start::Random { .. } => layout.random(self.seed),
                    Start::Network(network) => layout.of(network),
                };
                (Heading { setting, ..Heading::default() }, State::new(first))
            }
            Some((heading, numbers)) => {
                if heading.setting != setting {
                    let (found, expected) = (heading.setting, setting);
                    return Err(LearnError::OtherSetting { file, found, expected });
                }
                let state =
                    self.state(layout, &numbers, heading.steps).ok_or(LearnError::Damaged { file: file.clone() })?;
                (heading, state)
            }
        };
        on_event(NetworkEvent::Read(held_counts));
        if heading.rows.is_empty() {
            let sums = match &self.start {
                // Without weights there is no correction.
                Start::Random { .. } => self.measure(layout, &vec![0.0; layout.weights()], &held_out),
                Start::Network(_) => self.measure(layout, &state.weights, &held_out),
            };
            let (held_out, right) = (sums.mean(), sums.share_right());
            heading.rows.push(NetworkRow { held_out, right, ..NetworkRow::default() });
        }
        heading.rows.iter().for_each(|row| on_event(NetworkEvent::Pass(row)));
        let mut last_saved = Instant::now();
        while (heading.rows.len() as u32) <= self.passes {
            let pass = heading.rows.len() as u32;
            let mut number = 0;
            let mut stopped = false;
            self.source.blocks(&weights, false, &mut |_| {}, &mut |block| {
                number += 1;
                if number <= heading.blocks {
                    return Ok(ControlFlow::Continue(()));
                }
                let sums = self.learn(layout, &mut state, pass, number, block);
                heading.loss += sums.loss;
                heading.positions += sums.positions;
                (heading.blocks, heading.steps) = (number, state.steps);
                let loss = heading.loss / heading.positions as f64;
                on_event(NetworkEvent::Block { pass, positions: heading.positions, loss });
                stopped = stop();
                if stopped || last_saved.elapsed() > SAVE_INTERVAL {
                    self.save(&file, &heading, &state)?;
                    last_saved = Instant::now();
                }
                Ok(if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            if stopped {
                return Ok(());
            }
            if heading.positions == 0 {
                return Err(LearnError::TooFewPositions {
                    positions: held_counts.read,
                    held_out: self.source.held_out,
                });
            }
            let sums = self.measure(layout, &state.weights, &held_out);
            let loss = heading.loss / heading.positions as f64;
            let row = NetworkRow { pass, loss, held_out: sums.mean(), right: sums.share_right() };
            heading.rows.push(row);
            (heading.blocks, heading.loss, heading.positions) = (0, 0.0, 0);
            self.save(&file, &heading, &state)?;
            let network = self.network(layout, &state).expect("rounded weights are in range");
            checkpoint::replace(&self.out, &network.to_bytes())?;
            on_event(NetworkEvent::Pass(&row));
        }
        Ok(())
    }

    /// The settings that a resumed run must share.
    fn setting(&self, held_out: &[Samples], counts: &Counts) -> String {
        let mut digest = CRC.digest();
        for block in held_out {
            (0..block.len())
                .for_each(|at| block.views(at).iter().for_each(|view| digest.update(bytemuck::cast_slice(view))));
            digest.update(bytemuck::cast_slice(&block.target));
        }
        let (Source { scale, blend, lambda, held_out, block, .. }, table) =
            (&self.source, self.table.header().checksum);
        let start = match &self.start {
            Start::Random { .. } => String::new(),
            Start::Network(network) => format!("start {:#010x}; ", network.checksum()),
        };
        format!(
            "table {table:#010x}; {start}{} units; rate {}, decay {}; batch {}; seed {}; scale {scale}, blend {blend}, lambda {lambda}; held out {held_out} %, blocks of {block}; \
             {} positions; digest {:#010x}",
            self.start.units(), self.rate, self.decay, self.batch, self.seed, counts.read, digest.finalize()
        )
    }

    /// Makes the steps of a block.
    fn learn(&self, layout: Layout, state: &mut State, pass: u32, number: u64, block: &Samples) -> Sums {
        let mut order: Vec<u32> = (0..block.len() as u32).collect();
        Random::new(self.seed, (pass as u64) << 32 | number).shuffle(&mut order);
        let mut sums = Sums::default();
        let mut rounded = Vec::new();
        let mut gradients = vec![vec![0.0; layout.weights()]; SLICES];
        let rate = self.rate * self.decay.powi(pass as i32 - 1);
        for batch in order.chunks(self.batch) {
            layout.round(&state.weights, &mut rounded);
            let rounded = &rounded;
            let slices: Vec<&[u32]> = batch.chunks(batch.len().div_ceil(SLICES)).collect();
            let share = slices.len().div_ceil(self.threads.max(1));
            let mut parts = vec![Sums::default(); slices.len()];
            std::thread::scope(|scope| {
                for ((slices, gradients), parts) in
                    slices.chunks(share).zip(gradients.chunks_mut(share)).zip(parts.chunks_mut(share))
                {
                    scope.spawn(move || {
                        for ((slice, gradient), part) in slices.iter().zip(gradients).zip(parts) {
                            gradient.fill(0.0);
                            let positions = slice.iter().copied();
                            *part = losses(layout, self.source.scale, rounded, block, positions, Some(gradient));
                        }
                    });
                }
            });
            parts.iter().for_each(|part| sums.add(part));
            let share = 1.0 / batch.len() as f32;
            state.step(layout, &gradients[..slices.len()], share, rate, self.threads.max(1));
        }
        sums
    }

    fn measure(&self, layout: Layout, weights: &[f32], held_out: &[Samples]) -> Sums {
        let mut rounded = Vec::new();
        layout.round(weights, &mut rounded);
        let mut sums = Sums::default();
        for block in held_out {
            sums.add(&losses(layout, self.source.scale, &rounded, block, 0..block.len() as u32, None));
        }
        sums
    }

    fn network(&self, layout: Layout, state: &State) -> Result<Network, NetworkError> {
        Network::new(self.table.clone(), self.version, layout.numbers(&state.weights))
    }

    fn save(&self, file: &Path, heading: &Heading, state: &State) -> Result<(), LearnError> {
        checkpoint::write(file, heading, &[&state.weights, &state.moments[0], &state.moments[1]])
    }

    fn state(&self, layout: Layout, numbers: &[f32], steps: u32) -> Option<State> {
        let length = layout.weights();
        let list = |i: usize| numbers[i * length..][..length].to_vec();
        (numbers.len() == 3 * length).then(|| State { weights: list(0), moments: [list(1), list(2)], steps })
    }
}
