//! Functions of the chip that a board may be built without.

use hayasashi_spec::{
    opcode::Opcode,
    registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH},
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
    bit: u32,
    missing: &'static str,
    hint: &'static str,
}

impl Capability {
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
                bit: 0,
                missing: "the chip only searches (its board is built with `units.movegen = 0`)",
                hint: "use `--backend model` for all but searches; the engine does so by itself",
            },
            Capability::Movegen => Entry {
                bit: CAP_MOVEGEN,
                missing: "the chip cannot list moves (its board is built with `units.movegen = 0`)",
                hint: "use `--backend model` for moves; the search does so by itself",
            },
            Capability::Evaluate => Entry {
                bit: CAP_EVALUATE,
                missing: "the chip does not evaluate positions (its board is built with `units.evaluate = 0`, or it only searches)",
                hint: "use `--backend model` for evaluations; the search does so by itself",
            },
            Capability::Perft => Entry {
                bit: CAP_PERFT,
                missing: "the chip cannot run perft by itself (its board is built with `units.perft = 0`)",
                hint: "omit `--on-chip` to let the host walk the tree, or use `--backend model`",
            },
            Capability::Search => Entry {
                bit: CAP_SEARCH,
                missing: "the chip cannot search by itself (its board is built without `units.search`)",
                hint: "use `--backend model`",
            },
            Capability::Network => Entry {
                bit: CAP_NETWORK,
                missing: "the chip takes no networks (its board is built without `units.network`)",
                hint: "its searches use the table of the network alone; `--backend model` uses the network",
            },
        }
    }
}
