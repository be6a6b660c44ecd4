#!/usr/bin/env python3
"""Checks the engine's games and legal moves with the rules of cshogi (PyPI package cshogi).

    python3 -m venv venv && venv/bin/pip install cshogi
    venv/bin/python tests/cshogi_match.py target/release/hayasashi

The engine plays itself, and cshogi checks every move. It also compares the legal moves in the positions of this match and of random
games. Then cshogi's match runner plays short games: with byoyomi and pondering, with an increment and pondering, and with an
opening book made from the first match. The exit code is 1 if anything differs; the last line is a summary.
"""

import argparse
import os
import random
import stat
import subprocess
import sys
import tempfile

import cshogi
from cshogi import CSA
from cshogi import cli
from cshogi.usi import Engine, MultiPVListener

RESULTS = ("resign", "win")
# Endings that are an engine's fault.
FAULTS = ("%TIME_UP", "%ILLEGAL_MOVE", "ILLEGAL_MOVE", "%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION")
# Moves of a game that may come from the book.
BOOK_MOVES = 12


def command(binary, backend, folder, name):
    """Path of a script that starts the engine; cshogi starts engines without arguments."""
    script = os.path.join(folder, name)
    with open(script, "w") as file:
        file.write(f'#!/bin/sh\nexec "{binary}" usi --backend "{backend}" 2>/dev/null\n')
    os.chmod(script, stat.S_IRWXU)
    return script


def engine(binary, backend, folder, name):
    """An engine process."""
    process = Engine(command(binary, backend, folder, name))
    process.setoption("USI_Hash", 16)
    process.setoption("NetworkDelay", 10)
    process.isready()
    process.usinewgame()
    return process


def play(engines, limits, plies):
    """Plays one game and returns its moves and its result. Raises an error on an illegal move."""
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
            raise ValueError(f"declared a win without meeting the conditions in {board.sfen()}")
        if best in RESULTS:
            return moves, best
        if best not in legal(board):
            raise ValueError(f"illegal move {best} in {board.sfen()}")
        board.push_usi(best)
        moves.append(best)
    return moves, "unfinished"


def runner(binary, backend, folder, name, plies, options, **clock):
    """Plays two games with swapped colours in cshogi's match runner and returns their moves. Raises an error on a fault."""
    engines = [command(binary, backend, folder, f"{name}-{number}") for number in (1, 2)]
    record = os.path.join(folder, f"{name}.csa")
    options = {"USI_Hash": 16, "NetworkDelay": 30, **options}
    cli.main(*engines, options1=options, options2=options, names=["one", "two"], games=2, draw=plies,
             csa=record, multi_csa=True, print_summary=False, **clock)
    games = CSA.Parser.parse_file(record)
    if len(games) != 2:
        raise ValueError(f"{name}: {len(games)} games of 2")
    for game in games:
        if game.endgame in FAULTS:
            raise ValueError(f"{name}: {game.endgame} after {len(game.moves)} moves")
    return [[cshogi.move_to_usi(move) for move in game.moves] for game in games]


def runner_matches(binary, backend, folder, moves):
    """Runs the matches of cshogi's runner and returns the number of games. `moves` is the game in the book."""
    games = runner(binary, backend, folder, "byoyomi", 20, {}, time=1000, byoyomi=100, ponder=True)
    games += runner(binary, backend, folder, "increment", 20, {}, time=2000, inc=100, ponder=True)
    record, book = os.path.join(folder, "games.usi"), os.path.join(folder, "book.db")
    with open(record, "w") as file:
        file.write("startpos moves " + " ".join(moves) + "\n")
    subprocess.run([binary, "book", "--quiet", "--games", record, "--out", book], check=True, stdout=subprocess.DEVNULL)
    options = {"BookFile": book, "BookMoves": BOOK_MOVES}
    booked = runner(binary, backend, folder, "book", 20, options, time=1000, byoyomi=50, ponder=True)
    for game in booked:
        if game[:BOOK_MOVES] != moves[:BOOK_MOVES]:
            raise ValueError(f"the game does not follow the book: expected {moves[:BOOK_MOVES]}, played {game}")
    return len(games) + len(booked)


def several_lines(binary, backend, folder):
    """Checks the three lines of `MultiPV` as cshogi reads them."""
    process = engine(binary, backend, folder, "lines")
    try:
        process.setoption("MultiPV", 3)
        process.position()
        listener = MultiPVListener()
        best, _ = process.go(nodes=5000, listener=listener.listen())
        lines = listener.info
    finally:
        process.quit()
    first = [line["pv"][0] for line in lines]
    scores = [line["cp"] for line in lines]
    if len(set(first)) != 3 or first[0] != best or scores != sorted(scores, reverse=True):
        raise ValueError(f"three lines: moves {first}, scores {scores}; best move {best}")


def legal(board):
    """The legal moves by cshogi, in USI notation."""
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
    """Prints the positions whose legal moves differ and returns their number."""
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
        several_lines(binary, arguments.backend, folder)
        games = runner_matches(binary, arguments.backend, folder, moves)
    print(" ".join(moves))
    sfens = positions(moves, arguments.random_games, arguments.seed)
    differences = compare(binary, arguments.backend, sfens)
    print(f"moves: {len(moves)}, result: {result}, games of the runner: {games}, positions: {len(sfens)}, "
          f"differences: {differences}")
    return 1 if differences else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
