#!/usr/bin/env python3
"""What judges engines, with engines that are no good: test_measure.py ROOKERY. Each is this file with a word."""

import contextlib
import io
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from match import match  # noqa: E402
from support import fastchess, uci_child  # noqa: E402

import epd  # noqa: E402
import factorial  # noqa: E402
import figures  # noqa: E402
import suites  # noqa: E402
import time_to_depth  # noqa: E402

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; dm {}; id \"a back rank\";\n"


def play(kind):
    """An engine: `illegal`; `crash` ends when it should move, `coward` when a game begins, `absent` before it is ready;
    `mute` names no move; `liar` tells of mates that it does not have; `tired` searches twice, then ends."""
    searches = 0
    for line in sys.stdin:
        word = line.split()[0]
        searches += word == "go"
        if (kind, word) in (("coward", "ucinewgame"), ("absent", "uci")):
            return
        if word in ("uci", "isready"):
            print({"uci": "uciok", "isready": "readyok"}[word], flush=True)
        elif word == "quit" or (word == "go" and kind == "crash") or (searches == 3 and kind == "tired"):
            return
        elif word == "go":
            if kind == "tired":
                print("info depth 1 time 1 pv a1a8")
            if kind == "liar":
                print("info depth 1 score mate 2 pv a1b1\ninfo depth 2 score mate 1 upperbound pv a1a8")
            print("bestmove" if kind == "mute" else "bestmove a1a8", flush=True)


def engine(kind):
    return f"{sys.executable} {os.path.abspath(__file__)} {kind}"


class Games(unittest.TestCase):
    def games(self, *words):
        words = match.arguments(["--games", "2", *words])
        return match.run(words, shows=False)

    def test_faults_lose_and_are_counted(self):
        tool = f"{match.TOOL}:Hash=1"
        with tempfile.TemporaryDirectory() as folder:
            openings = os.path.join(folder, "openings.epd")
            pathlib.Path(openings).write_text(START[:-4] + " id \"start\";\n", encoding="utf-8")
            for kind, counts in (("illegal", "crash 0, time 0, illegal 2"), ("mute", "crash 0, time 0, illegal 2"),
                                 ("crash", "crash 2, time 0, illegal 0"), ("coward", "crash 2, time 0, illegal 0")):
                pairs = self.games("--nodes", "10", "--openings", openings, tool, engine(kind))
                self.assertEqual(match.mean(pairs), 1)
                self.assertEqual(match.faults_text(pairs), "A crash 0, time 0, illegal 0; B " + counts)

    def test_who_never_began_has_lost_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            openings = os.path.join(folder, "openings.fen")
            pathlib.Path(openings).write_text(f"{START}\n" * 3, encoding="utf-8")
            for engine_word, words in ((engine("absent"), "has ended"),
                                       ("/no/such/engine", "/no/such/engine cannot be started: No such file")):
                result = subprocess.run([sys.executable, match.__file__, "--games", "6", "--nodes", "1", "--openings",
                                         openings, engine("illegal"), engine_word], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(words, result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                self.assertTrue(result.stderr.startswith("match: "), result.stderr)

    def test_few_pairs_are_not_certain(self):
        def pairs(*scores):
            return [[(score, "", None) for score in both] for both in scores]

        for played, told in ((pairs(*[(1, 1)] * 10),
                              "20 games: +20 -0 =0, 100.0 % [75.9, 100.0], Elo +inf [+199, +inf]"),
                             (pairs((0, 0)), "2 games: +0 -2 =0, 0.0 % [0.0, 75.0], Elo -inf [-inf, +190]"),
                             (pairs((1, 0), (0.5, 0.5)), "4 games: +1 -1 =2, 50.0 % [25.7, 74.3], Elo +0 [-185, +185]"),
                             ([], "0 games")):
            self.assertEqual(match.summary(played), told)

    def test_the_interval_is_that_of_the_lab(self):
        """Of pairs that end in many ways, and of pairs that are all won."""
        for words in (("--a", "Nodes=60"), ("--a", "Nodes=3000", "--b", "Depth=1")):
            told = subprocess.run([match.TOOL, "selfplay", "--games", "12", "--nodes", "50", *words],
                                  capture_output=True, text=True, check=True).stdout
            counts = [int(count) for count in re.search(r"2 points: (.*)", told).group(1).split()]
            score, elo = re.search(r"score .*% (\[.*\])\nelo .*? (\[.*\]),", told).groups()
            low, high = match.interval(counts)
            self.assertEqual(score, f"[{100 * low:.2f}, {100 * high:.2f}]")
            self.assertEqual(elo, f"[{match.elo(low):+.1f}, {match.elo(high):+.1f}]")

    def test_a_clock_falls(self):
        clock = match.Clock(match.arguments(["--time", "1", "--increment", "0.5", "a", "b"]))
        self.assertEqual([clock.spend(0, 1.0), clock.spend(0, 0.6), clock.spend(1, 1.0)], [True, False, True])
        self.assertEqual(clock.go(), "go wtime 400 btime 500 winc 500 binc 500")
        fixed = match.Clock(match.arguments(["--movetime", "1", "a", "b"]))
        self.assertEqual([fixed.spend(0, 1 + match.MOVETIME_GRACE_S), fixed.spend(0, 1.1 + match.MOVETIME_GRACE_S)],
                         [True, False])
        self.assertEqual(fixed.go(), "go movetime 1000")

    def test_openings_are_drawn_from_the_file_and_made_whole(self):
        with tempfile.NamedTemporaryFile("w", suffix=".epd", encoding="utf-8") as file:
            file.write("\ufeff# kept for later\n8/8/8/8/8/5k2/8/5K1R b - - 7 80\n8/8/8/8/8/5k2/8/5K1R w - - bm Rh3+;\n")
            file.flush()
            drawn = match.read_openings(file.name, 2, 1)
            self.assertEqual(sorted(drawn), ["8/8/8/8/8/5k2/8/5K1R b - - 7 80", "8/8/8/8/8/5k2/8/5K1R w - - 0 1"])
            with self.assertRaises(match.Unplayed):
                match.read_openings(file.name, 3, 1)

    def test_what_another_referee_says(self):
        for line, game in (("Finished game 1 (A vs B): 1-0 {White mates}", (0, (1.0, "White mates", None))),
                           ("Finished game 4 (B vs A): 1-0 {Black loses on time}", (3, (0.0, "time", "A"))),
                           ("Finished game 2 (B vs A): 0-1 {White makes an illegal move}",
                            (1, (1.0, "illegal move", "B"))),
                           ("Finished game 3 (A vs B): 0-1 {White disconnects}", (2, (0.0, "crash", "A"))),
                           ("Finished game 12 (A vs B): 1/2-1/2 {Draw by 3-fold repetition}",
                            (11, (0.5, "Draw by 3-fold repetition", None))),
                           ("Finished game 5 (A vs B): * {Game interrupted}", (4, (None, "Game interrupted", None))),
                           ("Started game 1 of 2 (A vs B)", None)):
            self.assertEqual(fastchess.game_of(line), game)

    def test_a_game_that_was_broken_off_is_told_and_not_counted(self):
        lines = [f"Finished game {number} (A vs B): {result} {{so it is}}" for number, result in
                 enumerate(("1-0", "1-0", "1-0", "*", "*", "0-1", "0-1", "0-1"), 1)]
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            pairs = list(fastchess.pairs_of(lines))
        self.assertEqual([(number, [game[0] for game in games]) for number, games in pairs],
                         [(0, [1.0, 1.0]), (3, [0.0, 0.0])])
        self.assertEqual([f"game {number} was broken off" in told.getvalue() for number in range(1, 9)],
                         [False, False, False, True, True, False, False, False])
        self.assertIn("2 pairs NOT COUNTED", match.unended_text(pairs, 8))
        self.assertEqual(match.unended_text(pairs, 4), "")


class Suites(unittest.TestCase):
    def solved(self, command, line, ms):
        with tempfile.NamedTemporaryFile("w", suffix=".epd") as file:
            file.write(line)
            file.flush()
            result, = epd.run(file.name, command, ms, hash_mib=1)
            return result.solved, result.has_mate

    def test_a_mate_counts_by_its_length(self):
        self.assertEqual(self.solved([match.TOOL], MATE.format(1), 20000), (True, True))
        for moves, is_solved in ((2, True), (1, False)):
            self.assertEqual(self.solved(engine("liar").split(), MATE.format(moves), 10), (is_solved, True))

    def test_a_best_move_counts_when_it_is_played(self):
        illegal = engine("illegal").split()
        self.assertEqual(self.solved(illegal, MATE.replace("dm {}; ", ""), 10), (True, False))
        self.assertEqual(self.solved(illegal, MATE.replace("dm {}; ", "").replace("bm", "am"), 10), (False, False))

    def verdicts(self, suite, *cases):
        told = suites.told
        try:
            for before, now, text, is_good in cases:
                suites.told = lambda suite, before=before: before
                self.assertEqual(suites.verdict(suite, now), (text, is_good))
        finally:
            suites.told = told

    def test_no_worse_than_told(self):
        self.verdicts(suites.SUITES[0],
                      (None, "1 of 9", "told, no earlier row", None),
                      ("5 of 9", "5 of 9", "no worse than 5 of 9", True),
                      ("5 of 9", "4 of 9", "WORSE than 5 of 9", False),
                      ("5 of 9", "5 of 8", "not to be compared with 5 of 9", False))
        before = "6 of 9, 5 as short as can be"
        self.verdicts(suites.SUITES[4],
                      (before, "9 of 9, 4 as short as can be", f"WORSE than {before}", False),
                      (before, "6 of 9, 5 as short as can be", f"no worse than {before}", True))
        self.verdicts(suites.SUITES[-1],
                      (None, "9 of 9, 8 as short as can be", "not all", False),
                      (None, "9 of 9, 9 as short as can be", "told, no earlier row", None))

    def test_the_row_that_is_printed_is_the_row_that_is_compared_with(self):
        suites.where = lambda: "1234567 | 1 May 2026 | generic, 2 cores"  # Which asks git, and that may not be there.
        suite, found = suites.SUITES[4], "6 of 9, 5 as short as can be"
        lines = [suites.HEAD, suites.row(suite, "1 of 9, 1 as short as can be"), suites.row(suite, found),
                 suites.row(suites.SUITES[0], "7 of 9"), "", suites.row(suite, "not of this table")]
        self.assertEqual(suites.rows("\n".join(["# Search", "", *lines])),
                         {("mate_in_2", "1 s"): found, ("wacnew", "1 s"): "7 of 9"})
        with self.assertRaises(ValueError):
            suites.rows("# Search\n")
        for suite in suites.SUITES:  # The document has the table, and what stands there can be compared.
            self.assertTrue(suites.counts(suites.told(suite)))

    def test_one_that_is_worse_outweighs_those_that_are_only_told(self):
        self.assertEqual([figures.all_met(list(verdicts)) for verdicts in
                          ((True, True), (True, None), (None, False, True))], [True, None, False])


class Figures(unittest.TestCase):
    def test_what_fails_is_a_row_and_the_others_go_on(self):
        def no_words():
            match.arguments(["--referee", "nobody"])

        cases = (("unmeasured", lambda: figures.needed("ROOKERY_NO_SUCH", "a thing"), "ROOKERY_NO_SUCH must name it"),
                 ("gone", lambda: uci_child.Child(["/no/such/engine"]), "/no/such/engine cannot be started"),
                 ("missing", lambda: open("/no/such/file", encoding="utf-8"), "No such file or directory"),
                 ("status", lambda: figures.said([match.TOOL, "nonsense"], "x"), "ended with status 2: "),
                 ("silent", lambda: figures.said([match.TOOL, "version"], "no such words"), "no such words"),
                 ("words", no_words, "SystemExit"),
                 ("told", lambda: ("7", None), "measured 7; told, nothing to compare with"),
                 ("last", lambda: ("8", True), "measured 8; met"))
        listed, figures.FIGURES[:] = figures.FIGURES[:], [(name, name, "r", measure) for name, measure, _ in cases]
        try:
            status, rows = self.main()
            self.assertEqual(status, 1)
            self.assertEqual(len(rows), 2 * len(cases))
            for (name, _, words), row in zip(cases, rows[1::2]):
                self.assertIn(words, row)
                self.assertEqual("NOT MEASURED: " in row, name not in ("told", "last"))
            self.assertEqual(self.main("told", "last")[0], 0)
        finally:
            figures.FIGURES[:] = listed

    def main(self, *names):
        told = io.StringIO()
        argv, sys.argv = sys.argv, ["figures.py", *names]
        try:
            with contextlib.redirect_stdout(told), contextlib.redirect_stderr(io.StringIO()):
                return figures.main(), told.getvalue().splitlines()
        finally:
            sys.argv = argv


class TimeToDepth(unittest.TestCase):
    def test_the_mean_is_geometric(self):
        self.assertAlmostEqual(time_to_depth.mean([1, 4]), 2)

    def test_two_threads_are_measured_against_one(self):
        time_to_depth.LOOK_MS, time_to_depth.AIM_MS = 30, 10
        of, = time_to_depth.measure([match.TOOL], runs=2, count=2, hash_mib=1, shows=False)
        self.assertEqual((of.name, len(of.of_runs), of.silences), ("rookery", 2, 0))
        self.assertGreater(min(of.ratio, of.seconds, *of.of_runs), 0)

    def test_what_one_says_nothing_of_is_left_out_and_that_is_told(self):
        told = time_to_depth.measure([engine("tired")], runs=2, count=1, shows=False)
        self.assertEqual(told[0].silences, 1)  # On one thread it had looked for the depth before.
        self.assertGreater(told[0].of_runs[0], 0)
        self.assertTrue(math.isnan(told[0].of_runs[1]))
        self.assertTrue(time_to_depth.text_of(told).endswith(", 1 pairs of searches left out"))


class Factorial(unittest.TestCase):
    CHANGES = ("one:A=1,B=2", "two:C=3")

    def test_effects_are_found_together_as_sure_as_is_said(self):
        truth, dice = (40, -60, 0, 15), random.Random(1)

        def drawn(draw):
            sides = factorial.lot(draw, len(truth), 0.5)
            elo = sum(side * of for side, of in zip(sides, truth))
            return factorial.Draw(sides, 16, sum(dice.random() < 1 / (1 + 10 ** (-elo / 400)) for _ in range(16)))

        found = factorial.effects([drawn(draw) for draw in range(600)])
        for (elo, error), of in zip(found, truth):
            self.assertLess(abs(elo - of), 1.5 * error)
            self.assertLess(5, error)
            self.assertLess(error, 12)  # 9,600 won or lost games, half of them with one side having it, allow 9.8.

    def test_what_the_draws_do_not_part_is_not_told(self):
        draws = [factorial.Draw([1, 1], 16, 9.0), factorial.Draw([-1, -1], 16, 7.0)] * 2
        self.assertIsNone(factorial.effects(draws))
        self.assertIsNotNone(factorial.effects(draws + [factorial.Draw([1, -1], 16, 8.0)]))

    def test_as_many_draws_as_changes_are_not_told_as_certain(self):
        draws = [factorial.Draw([1, 0], 16, 9.0), factorial.Draw([0, 1], 16, 7.0), factorial.Draw([0, 0], 16, 8.0)]
        self.assertIsNone(factorial.effects(draws))  # They would fit without a miss.
        one = [factorial.Draw([1], 16, 9.0), factorial.Draw([1], 16, 7.0)] * 8
        # By hand: 16 draws that each miss half of theirs by 1, a curvature of 16 * 4; then 16 / 15 for the one fitted.
        self.assertAlmostEqual(factorial.effects(one)[0][1], 1.96 * 400 / math.log(10) * math.sqrt(16 / 15 * 16) / 64)

    def test_a_change_is_rows_of_its_own(self):
        self.assertEqual(factorial.changes_of(self.CHANGES), {"one": "A=1,B=2", "two": "C=3"})
        for words in (("one",), (":A=1",), ("one:",), ("one:A=1", "one:B=1"), ("one:A=1", "two:B=1,a=2"),
                      ("games:A=1",)):
            with self.assertRaises(factorial.Unplayed):
                factorial.changes_of(words)
        changes = factorial.changes_of(self.CHANGES + ("three:D=4",))
        self.assertEqual([factorial.options(changes, (1, -1, 1), side) for side in (1, -1)], ["A=1,B=2,D=4", "C=3"])

    def run_it(self, *words):
        """(status, output, errors)"""
        out, errors = io.StringIO(), io.StringIO()
        argv, sys.argv = sys.argv, ["factorial.py", *words]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                return factorial.main(), out.getvalue(), errors.getvalue()
        finally:
            sys.argv = argv

    def test_a_run_goes_on_where_it_was(self):
        asked = []

        def played(words, changes, draw):
            asked.append(draw)
            sides = factorial.lot(draw, len(changes), words.share)
            return factorial.Draw(sides, 4, 2 + sides[0] - 0.5 * sides[1])

        play, factorial.play = factorial.play, played
        try:
            with tempfile.TemporaryDirectory() as folder:
                words = ("--pairs", "2", "--csv", os.path.join(folder, "draws.csv"), *self.CHANGES)
                self.assertEqual(self.run_it("--games", "40", *words)[0], 0)
                status, told, _ = self.run_it("--games", "80", *words)
                self.assertEqual((status, asked), (0, list(range(1, 21))))
                self.assertEqual(told, self.run_it("--games", "80", "--pairs", "2", *self.CHANGES)[1])
                self.assertTrue(told.startswith("80 games\n"), told)
                self.assertRegex(told, r"\| one \| A=1, B=2 \| \+\d+\.\d ± \d+\.\d \|\n\| two \| C=3 \| −\d+\.\d ± ")
                for other in (("three:D=1",), ("--nodes", "9"), ("--first", "2")):
                    status, _, errors = self.run_it("--games", "80", *words, *other)
                    self.assertEqual((status, "is of other changes" in errors), (1, True), other)
                rows = ("--games", "80", *words[:-1], self.CHANGES[1].replace("3", "4"))
                self.assertEqual(self.run_it(*rows)[0], 1)
        finally:
            factorial.play = play

    def test_what_cannot_be_played_is_told(self):
        for words, told in ((("one:RAZOR_BASE=150",), "RAZOR_BASE"),  # This build has no such option.
                            (("--games", "2", "--pairs", "1", "--nodes", "10", "one:Hash=1", "two:Nodes=9"),
                             "ask for more --games"),
                            (("--time", "7", "--increment", "3", "one:NOTHING=1"), "--time 7 --increment 3 --seed 1 ")):
            status, out, errors = self.run_it("--tool", match.TOOL, *words)
            self.assertEqual((status, out, errors.count("\n")), (1, "", 1))
            self.assertTrue(errors.startswith("factorial: ") and told in errors, errors)

    def test_a_draw_that_was_broken_off_does_not_count(self):
        with tempfile.TemporaryDirectory() as folder:
            for counts, status, told in (("0 0 1 0 0", 0, "has 1 of 2 pairs"), ("0 0 2 0 0", 3, "status 3")):
                tool = os.path.join(folder, "tool")
                pathlib.Path(tool).write_text(f"#!/bin/sh\necho 'pairs of 2 points: {counts}'\nexit {status}\n",
                                              encoding="utf-8")
                os.chmod(tool, 0o755)
                draws = os.path.join(folder, "draws.csv")
                result = self.run_it("--tool", tool, "--pairs", "2", "--csv", draws, "one:A=1")
                self.assertEqual((result[0], told in result[2], os.path.exists(draws)), (1, True, False), result)


if __name__ == "__main__":
    if os.path.sep in sys.argv[1]:
        match.TOOL = epd.TOOL = os.path.abspath(sys.argv.pop(1))
        unittest.main()
    play(sys.argv[1])
