#!/usr/bin/env python3
"""Confirm the rules of Kalah and Connect-Four with OpenSpiel, an independent library of games.

Random games are played by the example `playouts` of crates/games; OpenSpiel plays the same moves and must agree on
who moves, on the legal moves, on the end of the game and on its result. The numbers of move sequences must agree too.
Exit status: 0 if all agree or OpenSpiel cannot be installed (then the last line says SKIPPED), 1 if they do not, 2 if
prodmax fails.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import environment  # noqa: E402 - it is in the parent folder of the scripts
NAME = "verify-openspiel"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prodmax", default="target/release/prodmax", help="the program to verify")
    parser.add_argument("--playouts", default="target/release/examples/playouts", help="the program that plays games")
    parser.add_argument("--venv", default="target/openspiel-venv", help="where the virtual environment is or will be")
    parser.add_argument("--games", type=int, default=10000, help="random games of each game")
    arguments = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        return environment.run_again("verify-openspiel", "open-spiel", arguments.venv)
    return verify(pyspiel, arguments)


class Disagreement(Exception):
    """Something that the two programs do not agree on."""


def prodmax(program, *arguments):
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return result.stdout


class Mancala:
    """Holes 1 to 6 towards the player's store; OpenSpiel numbers all pits counterclockwise, 0 and 7 are the stores."""

    spiel, options, depth = "mancala", ["--game", "kalah", "--stones", "4"], 7

    @staticmethod
    def move(action, player):
        return action if player == 0 else action - 7

    @staticmethod
    def action(move, player):
        return move if player == 0 else move + 7


class ConnectFour:
    """Columns 1 to 7; OpenSpiel counts from 0."""

    spiel, options, depth = "connect_four", ["--game", "connect4"], 7

    @staticmethod
    def move(action, _):
        return action + 1

    @staticmethod
    def action(move, _):
        return move - 1


def sequences(state, depth):
    """The number of sequences of exactly `depth` moves."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(sequences(state.child(action), depth - 1) for action in actions)


def verify_perft(spiel, program, game):
    text = prodmax(program, "perft", *game.options, "--depth", str(game.depth), "--format", "json")
    ours = [int(entry["sequences"]) for entry in json.loads(text)]
    theirs = [sequences(spiel.new_initial_state(), depth) for depth in range(1, game.depth + 1)]
    if ours != theirs:
        raise Disagreement(f"{game.spiel}: sequences of moves: prodmax {ours}, OpenSpiel {theirs}")
    print(f"{NAME}: {game.spiel}: sequences of 1 to {game.depth} moves agree: {' '.join(map(str, theirs))}")


def verify_games(spiel, program, game, count):
    moves = 0
    games = prodmax(program, game.options[1], str(count)).splitlines()
    if len(games) != count:
        raise Disagreement(f"{game.spiel}: {len(games)} games were played instead of {count}")
    for number, line in enumerate(games):
        played = json.loads(line)
        where = f"{game.spiel}, game {number}"
        state = spiel.new_initial_state()
        for ply, step in enumerate(played["positions"]):
            player = state.current_player()
            if state.is_terminal():
                raise Disagreement(f"{where}: OpenSpiel ends after {ply} moves, prodmax goes on")
            if (player == 0) != (step["side"] == "first"):
                raise Disagreement(f"{where}, move {ply + 1}: a different side is to move")
            theirs = sorted(game.move(action, player) for action in state.legal_actions())
            if theirs != step["legal"]:
                raise Disagreement(f"{where}, move {ply + 1}: prodmax allows {step['legal']}, OpenSpiel {theirs}")
            state.apply_action(game.action(step["move"], player))
            moves += 1
        if not state.is_terminal():
            raise Disagreement(f"{where}: prodmax ends, OpenSpiel goes on")
        theirs = {1.0: "first", 0.0: "draw", -1.0: "second"}[state.returns()[0]]
        if theirs != played["outcome"]:
            raise Disagreement(f"{where}: the result is {played['outcome']}, by OpenSpiel {theirs}")
    print(f"{NAME}: {game.spiel}: {count} random games agree move by move, {moves} moves")


def verify(pyspiel, arguments):
    try:
        for game in (Mancala, ConnectFour):
            spiel = pyspiel.load_game(game.spiel)
            verify_perft(spiel, arguments.prodmax, game)
            verify_games(spiel, arguments.playouts, game, arguments.games)
    except Disagreement as error:
        print(f"{NAME}: {error}")
        return 1
    print(f"{NAME}: all agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
