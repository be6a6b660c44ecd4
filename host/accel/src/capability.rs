//! Functions of the chip that a board may be built without.

use hayasashi_spec::{
    opcode::Opcode,
    registers::{only_searches, CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH},
};

/// A function of the chip that a board may be built without. The chip then answers its opcodes with `BAD_OPCODE`; a network, which
/// has no opcode of its own, it refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// The number of legal moves, which only a chip that only searches lacks.
    Count,
    /// Legal moves one by one.
    Movegen,
    /// Evaluation tables and static evaluations.
    Evaluate,
    /// Perft by the chip itself.
    Perft,
    /// The search by the chip itself.
    Search,
    /// Networks that correct the evaluation of the chip's searches.
    Network,
}

/// What is known about one capability.
struct Entry {
    name: &'static str,
    bit: u32,
    missing: &'static str,
    hint: &'static str,
}

impl Capability {
    /// All of them.
    pub const ALL: [Capability; 6] = [
        Capability::Count,
        Capability::Movegen,
        Capability::Evaluate,
        Capability::Perft,
        Capability::Search,
        Capability::Network,
    ];

    /// Those that a chip with these `CAP_…` bits has.
    pub fn of_chip(capabilities: u32) -> impl Iterator<Item = Capability> {
        Capability::ALL.into_iter().filter(move |capability| match capability {
            Capability::Count => !only_searches(capabilities),
            Capability::Evaluate => capabilities & CAP_EVALUATE != 0 && !only_searches(capabilities),
            other => capabilities & other.bit() != 0,
        })
    }

    /// What a chip lacks that refuses an opcode; `None` where every chip has the opcode.
    pub fn of(opcode: Opcode) -> Option<Capability> {
        Some(match opcode {
            Opcode::Count => Capability::Count,
            Opcode::Generate => Capability::Movegen,
            Opcode::Evaluate | Opcode::Expand | Opcode::LoadTable => Capability::Evaluate,
            Opcode::Perft => Capability::Perft,
            Opcode::Search => Capability::Search,
            Opcode::Info | Opcode::Echo | Opcode::Cancel => return None,
        })
    }

    /// In one word: `count`, or a key of a board's `units`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Its `CAP_…` bit in the register `CAPABILITIES`; 0 for [`Capability::Count`], on which several decide.
    pub fn bit(self) -> u32 {
        self.entry().bit
    }

    /// One clause: what a chip without it cannot do.
    pub fn missing(self) -> &'static str {
        self.entry().missing
    }

    /// What to do instead.
    pub fn hint(self) -> &'static str {
        self.entry().hint
    }

    fn entry(self) -> Entry {
        match self {
            Capability::Count => Entry {
                name: "count",
                bit: 0,
                missing: "the chip only searches (its board is built with `units.movegen = 0`)",
                hint: "use `--backend model` for all but searches; the engine does so by itself",
            },
            Capability::Movegen => Entry {
                name: "movegen",
                bit: CAP_MOVEGEN,
                missing: "the chip cannot list moves (its board is built with `units.movegen = 0`)",
                hint: "use `--backend model` for moves; the search does so by itself",
            },
            Capability::Evaluate => Entry {
                name: "evaluate",
                bit: CAP_EVALUATE,
                missing: "the chip does not evaluate positions (its board is built with `units.evaluate = 0`, or it only searches)",
                hint: "use `--backend model` for evaluations; the search does so by itself",
            },
            Capability::Perft => Entry {
                name: "perft",
                bit: CAP_PERFT,
                missing: "the chip cannot run perft by itself (its board is built with `units.perft = 0`)",
                hint: "omit `--on-chip` to let the host walk the tree, or use `--backend model`",
            },
            Capability::Search => Entry {
                name: "search",
                bit: CAP_SEARCH,
                missing: "the chip cannot search by itself (its board is built without `units.search`)",
                hint: "use `--backend model`",
            },
            Capability::Network => Entry {
                name: "network",
                bit: CAP_NETWORK,
                missing: "the chip takes no networks (its board is built without `units.network`)",
                hint: "its searches use the table of the network alone; `--backend model` uses the network",
            },
        }
    }
}
