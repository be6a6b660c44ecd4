"""Reads and writes scored positions with the Python package cshogi, for tests/lab/scored.rs.

`encode FILE.tsv FOLDER` writes cshogi.bin and cshogi.hcpe there; `decode FOLDER` writes ours.bin and ours.hcpe as bin.tsv and
hcpe.tsv.
"""

import pathlib
import sys

import cshogi
import numpy

WINNERS = {"draw": 0, "black": 1, "white": 2}


def encode(lines, folder):
    board = cshogi.Board()
    psv = numpy.zeros(len(lines), cshogi.PackedSfenValue)
    hcpe = numpy.zeros(len(lines), cshogi.HuffmanCodedPosAndEval)
    for i, line in enumerate(lines):
        sfen, score, usi, result = line.split("\t")
        board.set_sfen(sfen)
        move = 0 if usi == "-" else cshogi.move16(board.move_from_usi(usi))
        board.to_psfen(psv[i]["sfen"])
        board.to_hcp(hcpe[i]["hcp"])
        winner = WINNERS[result]
        mover = 1 if sfen.split()[1] == "b" else 2
        psv[i]["score"] = hcpe[i]["eval"] = int(score)
        psv[i]["move"] = cshogi.move16_to_psv(move) if move else 0
        hcpe[i]["bestMove16"] = move
        psv[i]["gamePly"] = int(sfen.split()[3])
        psv[i]["game_result"] = 0 if winner == 0 else 1 if winner == mover else -1
        hcpe[i]["gameResult"] = winner
    psv.tofile(folder / "cshogi.bin")
    hcpe.tofile(folder / "cshogi.hcpe")


def decode(folder):
    board = cshogi.Board()
    names = {number: name for name, number in WINNERS.items()}

    def line(ply, score, move, winner):
        usi = cshogi.move_to_usi(board.move_from_move16(move)) if move else "-"
        sfen = " ".join(board.sfen().split()[:3])
        return f"{sfen} {ply}\t{score}\t{usi}\t{names[winner]}\n"

    with open(folder / "bin.tsv", "w") as out:
        for record in numpy.fromfile(folder / "ours.bin", cshogi.PackedSfenValue):
            board.set_psfen(record["sfen"])
            result = int(record["game_result"])
            mover = 1 if board.turn == cshogi.BLACK else 2
            winner = 0 if result == 0 else mover if result == 1 else 3 - mover
            move = cshogi.move16_from_psv(int(record["move"])) if record["move"] else 0
            out.write(line(record["gamePly"], record["score"], move, winner))
    with open(folder / "hcpe.tsv", "w") as out:
        for record in numpy.fromfile(folder / "ours.hcpe", cshogi.HuffmanCodedPosAndEval):
            board.set_hcp(record["hcp"])
            out.write(line(1, record["eval"], int(record["bestMove16"]), int(record["gameResult"])))


if sys.argv[1] == "encode":
    encode(pathlib.Path(sys.argv[2]).read_text().splitlines(), pathlib.Path(sys.argv[3]))
else:
    decode(pathlib.Path(sys.argv[2]))
