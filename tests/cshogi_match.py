#!/usr/bin/env python3
"""Plays the engine against itself, and compares legal moves, by the rules of cshogi (https://pypi.org/project/cshogi/).

    python3 -m venv venv && venv/bin/pip install cshogi
    venv/bin/python tests/cshogi_match.py target/release/hayasashi

Every move of the match is checked by cshogi, and so are the legal moves of the positions on the way and of random
games. The exit code is 1 when anything differs; the last line is a summary.
"""

import argparse
import os
import random
import stat
import subprocess
import sys
import tempfile

import cshogi
from cshogi.usi import Engine

RESULTS = ("resign", "win")


def engine(binary, backend, folder, name):
    """An engine process; cshogi starts engines without arguments, so that a script stands in between."""
    script = os.path.join(folder, name)
    with open(script, "w") as file:
        file.write(f'#!/bin/sh\nexec "{binary}" usi --backend "{backend}" 2>/dev/null\n')
    os.chmod(script, stat.S_IRWXU)
    process = Engine(script)
    process.setoption("USI_Hash", 16)
    process.setoption("NetworkDelay", 10)
    process.isready()
    process.usinewgame()
    return process


def play(engines, limits, plies):
    """One game; gives its moves and result. A move that cshogi does not know as legal is an error."""
    board = cshogi.Board()
    moves = []
    for ply in range(plies):
        if board.is_game_over():
            return moves, "mate"
        draw = board.is_draw()
        if draw != cshogi.NOT_REPETITION and draw in (cshogi.REPETITION_DRAW, cshogi.REPETITION_WIN, cshogi.REPETITION_LOSE):
            return moves, "repetition"
        player = engines[ply % 2]
        player.position(moves=moves)
        best, _ = player.go(**limits)
        if best == "win" and not board.is_nyugyoku():
            raise ValueError(f"declared without right in {board.sfen()}")
        if best in RESULTS:
            return moves, best
        if best not in legal(board):
            raise ValueError(f"illegal move {best} in {board.sfen()}")
        board.push_usi(best)
        moves.append(best)
    return moves, "unfinished"


def legal(board):
    """All legal moves as cshogi has them, in USI notation."""
    return {cshogi.move_to_usi(move) for move in board.legal_moves}


def positions(moves, games, seed):
    """Positions of the match and of random games."""
    board = cshogi.Board()
    found = [board.sfen()]
    for move in moves:
        board.push_usi(move)
        found.append(board.sfen())
    generator = random.Random(seed)
    for _ in range(games):
        board = cshogi.Board()
        for ply in range(200):
            choice = sorted(legal(board))
            if not choice:
                break
            board.push_usi(generator.choice(choice))
            if ply % 4 == 3:
                found.append(board.sfen())
    return list(dict.fromkeys(found))


def compare(binary, backend, sfens):
    """Number of positions whose legal moves differ; each is shown."""
    run = subprocess.run([binary, "moves", "--quiet", "--backend", backend, "--positions", "-"],
                         input="\n".join(sfens), capture_output=True, text=True, check=True)
    answers = run.stdout.splitlines()
    if len(answers) != len(sfens):
        raise ValueError(f"{len(answers)} answers to {len(sfens)} positions")
    differences = 0
    for sfen, answer in zip(sfens, answers):
        ours = set() if answer == "-" else set(answer.split(" "))
        theirs = legal(cshogi.Board(sfen))
        if ours != theirs:
            differences += 1
            print(f"{sfen}\n  only ours   {sorted(ours - theirs)}\n  only cshogi {sorted(theirs - ours)}")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="path of the program")
    parser.add_argument("--backend", default="model")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes for each move")
    parser.add_argument("--byoyomi", type=int, help="milliseconds for each move instead")
    parser.add_argument("--plies", type=int, default=256)
    parser.add_argument("--random-games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary)
    limits = {"nodes": arguments.nodes}
    if arguments.byoyomi:
        limits = {"btime": 0, "wtime": 0, "byoyomi": arguments.byoyomi}

    with tempfile.TemporaryDirectory() as folder:
        engines = [engine(binary, arguments.backend, folder, name) for name in ("black", "white")]
        try:
            moves, result = play(engines, limits, arguments.plies)
        finally:
            for process in engines:
                process.quit()
    print(" ".join(moves))
    sfens = positions(moves, arguments.random_games, arguments.seed)
    differences = compare(binary, arguments.backend, sfens)
    print(f"moves: {len(moves)}, result: {result}, positions: {len(sfens)}, differences: {differences}")
    return 1 if differences else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
