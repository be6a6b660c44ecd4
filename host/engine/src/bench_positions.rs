//! The positions of `hayasashi bench`; its node count is a checksum of the engine's behaviour.

/// The initial position, a position with many moves (`matsuri`), and positions of all phases from games between programs.
pub const BENCH_POSITIONS: [&str; 10] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "lnsgk2nl/1r4gs1/p1pppp1pp/6p2/1p5P1/2P6/PPbPPPP1P/2G2G1R1/LNS1K1SNL b b 15",
    "lnsgk2nl/1r4g2/p1ppppsp1/6p1p/1p5P1/2P5P/PPSPPPP2/2G3SR1/LN2KG1NL w Bb 18",
    "l4g1nl/4gk3/p1B1p1sp1/2ppsp2p/2+bn2RP1/P3PP3/3P4P/1PGSG4/LN1K3NL w RPs3p 54",
    "ln1gk2nl/1r4gp1/2Pppps2/7P1/p5P2/1P2PP2p/3P1SN2/2G2G3/LN2K2RL w BS2Pbs3p 58",
    "l2+Rgs1nl/1+P2g1g2/p3p2k1/6ppp/Pp1pss3/2S1N1P1P/1P1P+bp3/1KG6/LN5+nL b RB3Pp 89",
    "lRsk2s2/1S7/2ngp3l/p1pp2p2/6g2/P1P2P2P/1P1PP1+p1N/1SGKG2p1/LN6L b 2Pr2bn2p 89",
    "3sk2nl/+B3s1gp1/2n1pps2/7P1/p2N1NP2/4PP3/1P1K1G3/9/L+pg2s2+p b RGL3Prbl4p 119",
    "lS7/2s1g4/2k1n1p+B1/p1gpp4/2N3+RN1/P1P2P3/4PSK1S/5N3/L5+r2 b BGL7Pgl3p 175",
];
