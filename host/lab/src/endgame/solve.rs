//! Retrograde analysis: all positions that can be reached, then their values from the ends of the game backward.
//!
//! One byte for each number of [`Index`] holds all: first whether the position is reached, then the number of its moves that are not
//! decided, at last its distance. Where the mover can capture the lion, or has lost by a try, the game does not go on.

use super::{
    index::{Index, Material},
    rules::AnimalPosition,
};

/// Not reached.
const UNREACHED: u8 = 0;
/// Distances count from here.
const DECIDED: u8 = 1;
/// The number of undecided moves counts from here, and 0 of them for a position whose moves have not been made.
const UNDECIDED: u8 = 190;
/// The mover can capture the lion.
const CATCH: u8 = 254;
/// The other lion has come to the mover's home rank and cannot be captured.
const TRY: u8 = 255;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The mover wins in so many plies; the capture of the lion is the last one.
    Win(u32),
    /// The mover loses in so many plies; 0 after a try.
    Loss(u32),
    /// Neither side can force a win: the game ends by repetition.
    Draw,
    /// The position cannot be reached.
    Unreached,
}

impl Value {
    pub(super) fn of(state: u8) -> Value {
        match state {
            UNREACHED => Value::Unreached,
            CATCH => Value::Win(1),
            TRY => Value::Loss(0),
            UNDECIDED.. => Value::Draw,
            decided if (decided - DECIDED) % 2 == 1 => Value::Win((decided - DECIDED) as u32),
            decided => Value::Loss((decided - DECIDED) as u32),
        }
    }
}

/// How far a solver is. Between two calls it may be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Positions are reached; the sweep over the numbers has come to this one.
    Reaching {
        /// The number that is next.
        at: u32,
        /// Whether the sweep has left positions behind for another one.
        again: bool,
    },
    /// The positions before those of this distance are decided; the sweep has come to this number.
    Deciding {
        /// Distance in plies.
        distance: u8,
        /// The number that is next.
        at: u32,
        /// Whether this sweep has found a position.
        found: bool,
    },
    /// All is decided.
    Done,
}

/// Numbers of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions that can be reached.
    pub positions: u64,
    /// Those won for the side to move.
    pub wins: u64,
    /// Those lost for the side to move.
    pub losses: u64,
    /// Those drawn.
    pub draws: u64,
    /// Won positions in which the lion can be captured at once.
    pub catches: u64,
    /// Positions lost by a try.
    pub tries: u64,
    /// The longest distance in plies.
    pub longest: u32,
}

/// Solves the game from its start.
pub struct Solver {
    material: Material,
    index: Index,
    states: Vec<u8>,
    progress: Progress,
}

/// Numbers between two looks at whether to stop.
const STRETCH: usize = 1 << 14;

impl Solver {
    /// A solver that has reached nothing but the start.
    pub fn new(material: Material) -> Solver {
        let index = Index::new(material);
        let mut states = vec![UNREACHED; index.len()];
        states[index.number(&material.start()) as usize] = UNDECIDED;
        Solver { material, index, states, progress: Progress::Reaching { at: 0, again: false } }
    }

    pub(super) fn stored(material: Material, states: Vec<u8>, progress: Progress) -> Solver {
        Solver { material, index: Index::new(material), states, progress }
    }

    /// The pieces of the game.
    pub fn material(&self) -> Material {
        self.material
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    pub(super) fn states(&self) -> &[u8] {
        &self.states
    }

    /// Works until all is decided or `go_on`, which is asked after some thousands of numbers, returns false.
    pub fn run(&mut self, mut go_on: impl FnMut(Progress) -> bool) {
        let mut room = (Vec::new(), Vec::new(), Vec::new());
        while self.progress != Progress::Done && go_on(self.progress) {
            let (at, state) = match self.progress {
                Progress::Reaching { at, .. } => (at as usize, UNDECIDED),
                Progress::Deciding { distance, at, .. } => (at as usize, DECIDED + distance),
                Progress::Done => return,
            };
            let end = self.states.len().min(at + STRETCH);
            let mut next = at;
            while let Some(found) = self.states[next..end].iter().position(|&s| s == state) {
                next += found + 1;
                self.work(next as u32 - 1, &mut room);
            }
            self.advance(end);
        }
    }

    fn work(&mut self, number: u32, (moves, positions, numbers): &mut Room) {
        match &mut self.progress {
            Progress::Reaching { again, .. } => {
                let behind = self.index.expand(&mut self.states, number, moves, numbers);
                *again |= behind;
            }
            Progress::Deciding { distance, found, .. } => {
                *found = true;
                let distance = *distance;
                self.decide_before(number, distance, positions, numbers);
            }
            Progress::Done => {}
        }
    }

    /// Goes on at a number, or with the next sweep.
    fn advance(&mut self, next: usize) {
        let whole = next == self.states.len();
        match &mut self.progress {
            Progress::Reaching { at, again } => match (whole, *again) {
                (false, _) => *at = next as u32,
                (true, true) => (*at, *again) = (0, false),
                (true, false) => self.progress = Progress::Deciding { distance: 0, at: 0, found: false },
            },
            Progress::Deciding { distance, at, found } => match whole {
                false => *at = next as u32,
                // The expansion has found the first positions of distances 0 to 2.
                true if *found || *distance < 3 => (*distance, *at, *found) = (*distance + 1, 0, false),
                true => self.progress = Progress::Done,
            },
            Progress::Done => {}
        }
    }

    /// Decides the positions before one that is decided: a lost one makes them won; a won one leaves them one undecided move less.
    fn decide_before(
        &mut self,
        number: u32,
        distance: u8,
        positions: &mut Vec<AnimalPosition>,
        numbers: &mut Vec<u32>,
    ) {
        assert!(DECIDED + distance + 1 < UNDECIDED, "the distance {distance} has no code");
        positions.clear();
        numbers.clear();
        self.index.position(number).before(positions);
        numbers.extend(positions.iter().map(|position| self.index.number(position)));
        numbers.sort_unstable();
        numbers.dedup();
        for &number in &*numbers {
            let state = &mut self.states[number as usize];
            if *state <= UNDECIDED || *state >= CATCH {
                continue;
            }
            *state -= 1;
            if distance.is_multiple_of(2) || *state == UNDECIDED {
                *state = DECIDED + distance + 1;
            }
        }
    }

    /// The value of a position of this material.
    pub fn value(&self, position: &AnimalPosition) -> Value {
        Value::of(self.states[self.index.number(position) as usize])
    }

    /// The reached positions, each with its value; of two mirror images one.
    pub fn positions(&self) -> impl Iterator<Item = (AnimalPosition, Value)> + '_ {
        let reached = self.states.iter().enumerate().filter(|(_, &state)| state != UNREACHED);
        reached.map(|(number, &state)| (self.index.position(number as u32), Value::of(state)))
    }

    /// Counts the positions.
    pub fn counts(&self) -> Counts {
        let mut by_state = [0u64; 256];
        self.states.iter().for_each(|&state| by_state[state as usize] += 1);
        let mut counts =
            Counts { catches: by_state[CATCH as usize], tries: by_state[TRY as usize], ..Counts::default() };
        for (state, number) in by_state.into_iter().enumerate().filter(|&(_, number)| number > 0) {
            match Value::of(state as u8) {
                Value::Win(distance) => {
                    (counts.wins, counts.longest) = (counts.wins + number, counts.longest.max(distance));
                }
                Value::Loss(distance) => {
                    (counts.losses, counts.longest) = (counts.losses + number, counts.longest.max(distance));
                }
                Value::Draw => counts.draws += number,
                Value::Unreached => continue,
            }
            counts.positions += number;
        }
        counts
    }
}

/// Memory for moves, positions before, and numbers.
type Room = (Vec<super::rules::AnimalMove>, Vec<AnimalPosition>, Vec<u32>);

impl Index {
    /// Makes all moves of a position and sets its state. Returns whether a position has been reached that the sweep has passed.
    fn expand(
        &self,
        states: &mut [u8],
        number: u32,
        moves: &mut Vec<super::rules::AnimalMove>,
        numbers: &mut Vec<u32>,
    ) -> bool {
        let position = self.position(number);
        let mut behind = false;
        moves.clear();
        numbers.clear();
        position.moves(moves);
        for &mv in &*moves {
            let next = position.after(mv);
            let after = self.number(&next);
            let state = &mut states[after as usize];
            if *state == UNREACHED {
                *state = match next.can_catch() {
                    true => CATCH,
                    false if next.is_lost() => TRY,
                    false => UNDECIDED,
                };
                behind |= *state == UNDECIDED && after < number;
            }
            numbers.push(after);
        }
        numbers.sort_unstable();
        numbers.dedup();
        let open = numbers.iter().filter(|&&after| states[after as usize] < CATCH).count();
        let lost_after = numbers.iter().any(|&after| states[after as usize] == TRY);
        states[number as usize] = match (numbers.is_empty(), lost_after, open) {
            (true, ..) => DECIDED,
            (_, true, _) => DECIDED + 1,
            (_, _, 0) => DECIDED + 2,
            _ => UNDECIDED + open as u8,
        };
        behind
    }
}
