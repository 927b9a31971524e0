#!/usr/bin/env python3
"""`rookery` from outside: its words, its exit status, what happens when an end of a pipe goes away.
Called with the tool's command line: its path, or an emulator and its path."""

import errno
import fcntl
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support import paper_network  # noqa: E402

TOOL = []
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TABLES = os.path.realpath(os.path.join(os.path.dirname(__file__), "../data/syzygy"))
PATIENCE_S = 120  # Only a hang takes so long.


def run(*words, given=""):
    return subprocess.run(TOOL + list(words), input=given, capture_output=True, text=True, timeout=PATIENCE_S)


class Refusing(unittest.TestCase):
    def refuses(self, words, *parts):
        result = run(*words)
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        for part in parts:
            self.assertIn(part, result.stderr)


class Words(Refusing):
    def test_help_lists_every_command(self):
        result = run("help")
        self.assertEqual(result.returncode, 0)
        for name in ("uci", "bench", "perft", "analyse", "connect", "selfplay", "ablate", "tune", "datagen", "data",
                     "train", "version"):
            self.assertIn(f"rookery {name}", result.stdout)

    def test_words_that_cannot_be_said_are_a_failure(self):
        with open("/dev/full", "w") as full:
            for words in (["datagen", "--help"], ["train", "--help"], ["data", "--help"], ["odds", "--help"],
                          ["perft", "--help"], ["help"], ["--version"]):
                said = subprocess.run(TOOL + words, stdout=full, stderr=subprocess.DEVNULL, timeout=60)
                self.assertEqual(said.returncode, 1, words)
            said = subprocess.run(TOOL + ["uci"], input="uci\nquit\n", stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=PATIENCE_S)
            self.assertEqual(said.returncode, 1)
            self.assertIn("rookery uci: stdout: ", said.stderr)

    def test_a_table_that_does_not_arrive_is_a_failure(self):
        """Though each row is flushed by itself, and the last of them leaves nothing to be written."""
        row = ["ablate", "killers", "--depth", "1", "--repeat-ms", "0", "--hash", "1"]
        with open("/dev/full", "w") as full:
            said = subprocess.run(TOOL + row, stdout=full, stderr=subprocess.DEVNULL, timeout=PATIENCE_S)
            self.assertEqual(said.returncode, 1)
        games = ["ablate", "killers", "--games", "2", "--nodes", "50", "--threads", "1"]
        for words in (row + ["--csv"], row + ["--svg"], games + ["--csv"]):
            said = run(*words, "/dev/full")
            self.assertEqual(said.returncode, 1, words)
            self.assertIn("/dev/full", said.stderr)

    def test_a_file_that_cannot_be_made_is_told_before_the_work(self):
        for words in (["--csv"], ["--svg"], ["--games", "1000000", "--csv"]):
            result = run("ablate", *words, "/no/such/folder/file")
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertEqual(result.stderr, f"rookery ablate: /no/such/folder/file: {os.strerror(errno.ENOENT)}\n")

    def test_a_disk_that_fills_ends_the_work(self):
        """At the first row that does not arrive, with the disk's own word for it."""
        def is_full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (250, 250))

        for words in (["--depth", "1", "--repeat-ms", "0"], ["--games", "2", "--nodes", "20"]):
            with tempfile.TemporaryDirectory() as folder:
                table = os.path.join(folder, "table")
                result = subprocess.run(TOOL + ["ablate", *words, "--csv", table], capture_output=True, text=True,
                                        timeout=PATIENCE_S, preexec_fn=is_full)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr, f"rookery ablate: {table}: {os.strerror(errno.EFBIG)}\n")
                self.assertLess(result.stdout.count("\n"), 8)
        for words in ([], ["--games", "1000000"]):  # Its work would take hours.
            with open("/dev/full", "w") as full:
                said = subprocess.run(TOOL + ["ablate", *words], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=PATIENCE_S)
            self.assertEqual((said.returncode, said.stderr),
                             (1, f"rookery ablate: stdout: {os.strerror(errno.ENOSPC)}\n"))

    def test_nothing_that_is_read_is_written_over(self):
        with tempfile.TemporaryDirectory() as folder:
            book = os.path.join(folder, "book.epd")
            with open(book, "w") as file:
                file.write(KIWIPETE + "\n")
            os.link(book, os.path.join(folder, "link"))
            for words in (["selfplay", "--games", "2", "--nodes", "50", "--openings", book, "--pgn"],
                          ["ablate", "killers", "--depth", "1", "--fens", book, "--csv"],
                          ["ablate", "killers", "--depth", "1", "--fens", book, "--svg"],
                          ["ablate", "killers", "--games", "2", "--openings", book, "--csv"]):
                for name in (book, os.path.join(folder, "link")):
                    result = run(*words, name)
                    self.assertEqual(result.returncode, 2, result)
                    self.assertIn("would be written over", result.stderr)
                    with open(book) as file:
                        self.assertEqual(file.read(), KIWIPETE + "\n")

    def test_each_command_tells_its_own_help(self):
        for name in ("uci", "bench", "perft", "analyse", "connect", "ablate", "version"):
            for word in ("--help", "-h"):
                result = run(name, word)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertTrue(result.stdout.startswith(f"rookery {name}"), result.stdout)
                self.assertEqual(result.stdout.count("rookery " + name), 1)

    def test_version_names_the_library(self):
        self.assertRegex(run("version").stdout, r"^rookery \d+\.\d+\.\d+ \S+ .*\S\n$")

    def test_a_pipe_nobody_writes_into_is_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            for words, told in ((["bench", "--eval-file", pipe], "no ordinary file"),
                                (["ablate", "--fens", pipe], "no ordinary file"),
                                (["selfplay", "--openings", pipe], "no ordinary file"),
                                (["odds", pipe], "not a file of games"),
                                (["data", "count", pipe], "not a file of games"),
                                (["train", pipe, "--to", os.path.join(folder, "net")], "not a file of games")):
                result = run(*words)
                self.assertGreater(result.returncode, 0, result)
                self.assertIn(told, result.stderr)

    def test_what_is_wrong_is_said(self):
        self.refuses(["nonsense"], "nonsense", "help")
        self.refuses(["bench", "--depth"], "--depth", "1 to")
        self.refuses(["bench", "--depth", "0"], "--depth", "'0'")
        self.refuses(["bench", "--depth", "-3"], "--depth", "'-3'")
        self.refuses(["bench", "--threads=99999999999999999999"], "--threads")
        self.refuses(["bench", "--hash", "1x"], "--hash", "'1x'")
        self.refuses(["bench", "--speed", "1"], "--speed")
        self.refuses(["bench", "now"], "now")
        self.refuses(["perft"], "depth")
        self.refuses(["perft", "deep"], "depth")
        self.refuses(["perft", "99"], "depth")
        self.refuses(["perft", "1", "8/8/8/8/8/8/8/8 w - - 0 1"], "FEN", "king")
        self.refuses(["perft", "1", "--chess960=yes"], "--chess960")
        self.refuses(["perft", "1", "x" * 1000], "FEN")
        self.refuses(["analyse", "nonsense"], "FEN")
        self.refuses(["analyse", "--lines", "0"], "--lines")
        self.refuses(["connect", "[::1"], "HOST:PORT")
        self.refuses(["connect", "a:1", "b:2"], "one address")
        for port in ("99999", "0", "65536", "-1", "uci", "1x"):
            self.refuses(["connect", f"127.0.0.1:{port}"], f"127.0.0.1:{port}", "1 to 65535", f"'{port}'")
        self.refuses(["connect", "[::1]:99999"], "1 to 65535")
        self.refuses(["version", "extra"], "version", "'extra'")
        self.refuses(["--version", "extra"], "version", "'extra'")
        self.refuses(["help", "extra"], "help", "'extra'")
        self.refuses(["uci", "now"], "now")
        self.refuses(["ablate", "kilers"], "kilers", "see-ordering")
        self.refuses(["ablate", "--depth", "0"], "--depth")
        self.refuses(["ablate", "--csv"], "--csv", "value")
        self.refuses(["ablate", "--games", "4", "--sprt", "5"], "--sprt", "'5'")
        self.refuses(["selfplay", "now"], "now")
        self.refuses(["selfplay", "--a", "Speed=1"], "Speed=1")
        self.refuses(["selfplay", "--a", "Hash=1,Nodes=5,hash=2"], "twice", "hash=2")
        self.refuses(["selfplay", "--b", "Off=killers,Only=history"], "Only=history")
        for words in (["--increment", "10"], ["--a", "Increment=10"], ["--time", "10", "--a", "Depth=1,Increment=5"],
                      ["--increment", "10", "--nodes", "9", "--b", "Depth=3"]):
            self.refuses(["selfplay", "--games", "2", *words], "an increment needs a clock")
        self.refuses(["selfplay", "--a-file", "/no/such/file"], "/no/such/file")
        self.refuses(["selfplay", "--sprt", "5,0"], "--sprt", "'5,0'")
        self.refuses(["selfplay", "--resign", "x"], "--resign")
        self.refuses(["selfplay", "--draw", "1,2"], "--draw")
        self.refuses(["selfplay", "--openings", "/no/such/file"], "/no/such/file")


class Perft(unittest.TestCase):
    def nodes(self, *words):
        result = run("perft", *words)
        self.assertEqual(result.returncode, 0, result)
        lines = result.stdout.splitlines()
        divided = [int(line.split(": ")[1]) for line in lines if ": " in line]
        last = int(re.fullmatch(r"nodes (\d+)", lines[-1]).group(1))
        if divided:
            self.assertEqual(sum(divided), last)
        return last

    def test_counts(self):
        self.assertEqual(self.nodes("0"), 1)
        self.assertEqual(self.nodes("1"), 20)
        self.assertEqual(self.nodes("4"), 197281)
        self.assertEqual(self.nodes("3", KIWIPETE), 97862)
        self.assertEqual(self.nodes("3", *KIWIPETE.split()), 97862)
        self.assertEqual(self.nodes("4", KIWIPETE, "--threads", "2", "--hash", "1"), 4085603)

    def test_castling_text_follows_the_option(self):
        self.assertIn("e1g1: ", run("perft", "1", KIWIPETE).stdout)
        self.assertIn("e1h1: ", run("perft", "1", KIWIPETE, "--chess960").stdout)


class Bench(unittest.TestCase):
    def test_ends_in_its_three_lines_and_repeats(self):
        counts = []
        for _ in range(2):
            result = run("bench", "--depth", "3")
            self.assertEqual(result.returncode, 0, result)
            found = re.search(r"^nodes (\d+)\ntime_ms \d+\nnps \d+\n\Z", result.stdout, re.M)
            self.assertIsNotNone(found, result.stdout)
            counts.append(found.group(1))
        self.assertEqual(*counts)

    def test_searches_on_two_threads(self):
        self.assertIn("nodes ", run("bench", "--depth", "2", "--threads", "2", "--hash", "1").stdout)


class Tablebases(unittest.TestCase):
    QUEEN_ROOK = "8/8/8/4k3/8/8/8/KQ5r w - - 0 1"

    def setUp(self):
        if "reads no tablebases" in run("bench", "--depth", "1", "--syzygy", TABLES).stderr:
            self.skipTest("a build without tablebases")

    def line(self, given, *words):
        """The last info line of a search, and all that was said."""
        result = run("uci", *words, given=given)
        self.assertEqual(result.returncode, 0, result)
        return [line for line in result.stdout.splitlines() if line.startswith("info depth")][-1], result

    def test_a_session_opens_and_uses_them(self):
        line, result = self.line(f"setoption name SyzygyPath value {TABLES}\nposition fen {self.QUEEN_ROOK}\n"
                                 "go nodes 500\n")
        self.assertIn("info string tablebases of up to 4 men: 7 with results, 7 with distances\n", result.stdout)
        self.assertRegex(line, r"score (mate \d|cp 1999\d) ")
        self.assertRegex(line, r" tbhits [1-9]")
        self.assertEqual(result.stderr, "")

    def test_a_word_on_the_command_line_opens_them(self):
        line, result = self.line(f"position fen {self.QUEEN_ROOK}\ngo nodes 500\n", "--syzygy", TABLES)
        self.assertRegex(line, r" tbhits [1-9]")
        self.assertEqual(result.stderr, "rookery: 7 tablebases of up to 4 men\n")
        self.assertIn("\nbest b1h1\n", run("analyse", self.QUEEN_ROOK, "--depth", "3", "--syzygy", TABLES).stdout)

    def test_a_search_that_runs_keeps_its_own(self):
        line, result = self.line(f"setoption name SyzygyPath value {TABLES}\nposition fen {self.QUEEN_ROOK}\n"
                                 "go infinite\nsetoption name SyzygyPath value /no/such\nstop\n")
        self.assertIn("info string SyzygyPath stays as it is: a search runs; set it again\n", result.stdout)
        self.assertRegex(line, r" tbhits [1-9]")

    def test_another_path_takes_the_place_of_the_first(self):
        line, result = self.line(f"setoption name SyzygyPath value {TABLES}\nsetoption name SyzygyPath value /no\n"
                                 f"position fen {self.QUEEN_ROOK}\ngo depth 2\n")
        self.assertIn("info string SyzygyPath /no cannot be opened: No such file or directory\n", result.stdout)
        self.assertIn(" tbhits 0 ", line)
        self.assertEqual(result.stderr, "")

    def test_folders_parted_as_elsewhere_are_explained(self):
        result = run("bench", "--depth", "1", "--syzygy", "/no;/nor")
        self.assertIn("rookery: /no;/nor cannot be opened: ", result.stderr)
        self.assertIn("; folders are parted by ':'\n", result.stderr)

    def test_broken_files_are_named_on_a_clean_stream(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(TABLES):
                shutil.copyfile(os.path.join(TABLES, name), os.path.join(folder, name))
            os.truncate(os.path.join(folder, "KRvK.rtbw"), 99)
            line, result = self.line(f"setoption name SyzygyPath value /no/such:{folder}\n"
                                     "position fen 8/8/8/4k3/8/8/8/KBN5 w - - 0 1\ngo nodes 500\n")
            lines = result.stdout.splitlines()
            self.assertEqual(lines[0], "info string SyzygyPath /no/such cannot be opened: No such file or directory")
            self.assertEqual(lines[1], f"info string SyzygyPath {folder}/KRvK.rtbw is cut off")
            self.assertEqual(lines[2], "info string tablebases of up to 4 men: 6 with results, 7 with distances")
            self.assertTrue(all(line.startswith(("info ", "bestmove ")) for line in lines), result.stdout)
            self.assertEqual(result.stderr, "")
            self.assertRegex(line, r"score (mate \d+|cp 1999\d) .* tbhits [1-9]")

    def test_where_no_table_applies_nothing_changes(self):
        counts = [re.search(r"nodes (\d+)", run("bench", "--depth", "6", *words).stdout).group(1)
                  for words in ((), ("--syzygy", "/no/such"), ("--syzygy", self.unmet_tables()))]
        self.assertEqual(len(set(counts)), 1)

    def unmet_tables(self):
        """Of an ending that the bench never comes to: of few men it is asked all the same."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for name in os.listdir(TABLES):
            if name.split(".")[0] in ("KBNvK", "KBvK", "KNvK"):
                shutil.copy(os.path.join(TABLES, name), folder)
        return folder


class Ablate(Refusing):
    COLUMNS = "technique,mode,nodes,nodes_change_pct,time_ms,time_change_pct,first_move_cutoff_pct"

    def table(self, *words):
        result = run("ablate", "--csv", "-", "--repeat-ms", "0", *words)
        self.assertEqual(result.returncode, 0, result)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], self.COLUMNS)
        rows = [line.split(",") for line in lines[1:]]
        self.assertEqual({len(row) for row in rows}, {7})
        return {(row[0], row[1]): row[2:] for row in rows}

    def test_a_row_for_each_technique_and_mode(self):
        table = self.table("--depth", "2")
        for mode, first in (("off", "nothing"), ("only", "base")):
            self.assertEqual(table[first, mode][1], "0.00")
            for name in ("mvv-lva", "promotions", "killers", "countermoves", "history", "continuation-history",
                         "capture-history", "see-ordering", "table-move", "staged-generation",
                         "killers+countermoves+history"):
                self.assertIn((name, mode), table)
        self.assertGreater(len({row[0] for row in table.values()}), 2)

    def test_chosen_rows_of_the_plain_search_with_text_csv_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            fens, csv, svg = (os.path.join(folder, name) for name in ("fens", "csv", "svg"))
            with open(fens, "w", encoding="utf-8") as file:
                file.write(f"{KIWIPETE}\nnonsense\n")
            result = run("ablate", "history", "--plain", "--depth", "3", "--repeat-ms", "0", "--fens", fens,
                         "--csv", csv, "--svg", svg)
            self.assertEqual(result.returncode, 0, result)
            self.assertIn(":2: ", result.stderr)
            names = [line.split()[:2] for line in result.stdout.splitlines()[1:]]
            self.assertEqual(names, [["nothing", "off"], ["history", "off"], ["base", "only"], ["history", "only"]])
            with open(csv, encoding="utf-8") as file:
                self.assertEqual(file.readline().strip(), self.COLUMNS)
                self.assertEqual(len(file.readlines()), 4)
            picture = xml.dom.minidom.parse(svg)
            self.assertEqual(picture.documentElement.tagName, "svg")
            self.assertEqual(len(picture.getElementsByTagName("rect")), 1 + 4)

    def test_a_table_for_documents_tells_of_its_making(self):
        result = run("ablate", "history", "--markdown", "--depth", "2", "--repeat-ms", "0")
        self.assertEqual(result.returncode, 0, result)
        made, _, head, _, *rows = result.stdout.splitlines()
        self.assertRegex(made, r"^Full search, depth 2, 6 positions; \d+ \w+ \d{4}, by rookery .+ on \d+ cores\.$")
        self.assertEqual({row.count("|") for row in [head, *rows]}, {8})
        self.assertEqual([row.split("|")[1].strip() for row in rows], ["nothing", "history", "base", "history"])

    def test_a_word_that_would_not_be_read_is_refused(self):
        for words in (["--plain"], ["--markdown"], ["--depth", "2"], ["--fens", "x"], ["--svg", "x"], ["--hash", "1"],
                      ["--repeat-ms", "0"]):
            self.refuses(["ablate", "killers", "--games", "2", *words],
                         words[0] + " belongs to the search of positions")
        for words in (["--nodes", "9"], ["--openings", "x"], ["--sprt", "0,5"], ["--seed", "0"], ["--threads=1"]):
            self.refuses(["ablate", "killers", *words], words[0].split("=")[0] + " belongs to --games")

    def test_odd_games_are_told_to_be_one_more(self):
        for command in (["ablate", "killers"], ["selfplay"]):
            for games in (3, 4):
                result = run(*command, "--games", str(games), "--nodes", "20")
                self.assertRegex(result.stdout, r"\b4\b")
                self.assertEqual("4 games, not 3" in result.stderr, games == 3, result)

    def test_help_tells_whose_elo_it_is(self):
        self.assertIn("Elo are the whole engine's", run("ablate", "--help").stdout)

    def test_a_row_of_games_ends_when_it_is_decided(self):
        # Whether it wins 300 or 600 is soon told of what gains nothing like either.
        result = run("ablate", "killers", "--games", "400", "--nodes", "50", "--sprt", "300,600", "--csv", "-")
        self.assertEqual(result.returncode, 0, result)
        head, row = (line.split(",") for line in result.stdout.splitlines())
        values = dict(zip(head, row))
        self.assertEqual(values["sprt"], "elo0 taken")
        self.assertLess(int(values["games"]), 400)

    def test_games_against_itself_without_a_technique(self):
        result = run("ablate", "mvv-lva", "--games", "4", "--nodes", "100", "--csv", "-")
        self.assertEqual(result.returncode, 0, result)
        head, row = (line.split(",") for line in result.stdout.splitlines())
        values = dict(zip(head, row))
        self.assertEqual([values[name] for name in ("technique", "mode", "games", "sprt")],
                         ["mvv-lva", "off", "4", "none"])
        self.assertLessEqual(float(values["elo_low_95"]), float(values["elo"]))
        self.assertGreaterEqual(float(values["elo_high_95"]), float(values["elo"]))
        self.assertEqual(sum(int(values[name]) for name in ("wins", "losses", "draws")), 4)


class Selfplay(unittest.TestCase):
    def test_the_same_games_on_any_number_of_threads(self):
        words = ["selfplay", "--games", "6", "--nodes", "100", "--a", "Off=history", "--seed", "7"]
        told, written = set(), set()
        with tempfile.TemporaryDirectory() as folder:
            for threads in ("1", "2"):
                pgn = os.path.join(folder, "games.pgn")
                result = run(*words, "--threads", threads, "--pgn", pgn)
                self.assertEqual(result.returncode, 0, result)
                told.add(result.stdout)
                with open(pgn, encoding="utf-8") as file:
                    written.add(re.sub(r"\[Date .*\]", "", file.read()))
        self.assertEqual(len(told), 1, told)
        self.assertEqual(len(written), 1)
        self.assertRegex(told.pop(), r"\ngames 6: A won \d+, lost \d+, drew \d+; by time 0\n")
        games = written.pop()
        self.assertEqual(games.count("[White \"A: Off=history\"]"), 3)
        self.assertEqual(games.count("[Black \"A: Off=history\"]"), 3)
        self.assertRegex(games, r"\n1\. \w+ \w+ 2\. ")

    def test_openings_and_options_from_files(self):
        with tempfile.TemporaryDirectory() as folder:
            book, options, pgn = (os.path.join(folder, name) for name in ("book", "options", "pgn"))
            with open(book, "w", encoding="utf-8") as file:
                file.write("[Event \"?\"]\n\n1. e4 e5 2. Nf3 {kept} Nc6 3. Bb5 a6 *\n")
            with open(options, "w", encoding="utf-8") as file:
                file.write("# strong\nNodes=300\nHash=1\n")
            result = run("selfplay", "--games", "2", "--a-file", options, "--b", "Depth=1", "--openings", book,
                         "--openings-plies", "5", "--pgn", pgn, "--plies", "40")
            self.assertEqual(result.returncode, 0, result)
            with open(pgn, encoding="utf-8") as file:
                self.assertEqual(file.read().count("1. e4 e5 2. Nf3 Nc6 3. Bb5 "), 2)

    def test_both_sides_have_a_file_and_openings_can_be_short(self):
        with tempfile.TemporaryDirectory() as folder:
            options, pgn = (os.path.join(folder, name) for name in ("options", "pgn"))
            with open(options, "w", encoding="utf-8") as file:
                file.write("Depth=1\nHash=1\n")
            result = run("selfplay", "--games", "2", "--movetime", "1", "--b-file", options, "--b", "Depth=2",
                         "--opening-plies", "3", "--plies", "5", "--pgn", pgn)
            self.assertEqual(result.returncode, 0, result)
            with open(pgn, encoding="utf-8") as file:
                games = file.read()
            self.assertIn(f'[White "B: {options},Depth=2"]', games)
            self.assertEqual(re.findall(r'\[PlyCount "(\d+)"\]', games), ["5", "5"], games)
            moves = re.findall(r"^1\. (\S+ \S+ 2\. \S+)", games, re.MULTILINE)
            self.assertEqual(len(moves), 2, games)
            self.assertEqual(moves[0], moves[1])  # Three plies drawn by lot.

    def test_an_opening_that_is_over_is_told_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            book = os.path.join(folder, "book")
            over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n"
            with open(book, "w", encoding="utf-8-sig") as file:
                file.write(f"{START}\n{over}{over}")
            words = ["selfplay", "--games", "2", "--nodes", "9", "--plies", "1", "--openings", book]
            result = run(*words)
            self.assertEqual(result.returncode, 0, result)
            self.assertIn(f"{book}:2: the game is over there; left out, 2 in all\n", result.stderr)
            with open(book, "w", encoding="utf-8") as file:
                file.write(over)
            result = run(*words)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(f"{book}:1: ", result.stderr)

    def test_an_increment_is_of_whoever_has_a_clock(self):
        result = run("selfplay", "--games", "2", "--plies", "2", "--increment", "10", "--a", "Time=1000", "--b", "Depth=1")
        self.assertEqual(result.returncode, 0, result)

    def shown_on_a_terminal(self, columns, *words):
        """The lines that stood there one after the other."""
        master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen([*TOOL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        told = b""
        try:
            while chunk := os.read(master, 4096):
                told += chunk
        except OSError as error:  # So Linux says that nobody has it open any more.
            self.assertEqual(error.errno, errno.EIO)
        os.close(master)
        self.assertEqual(child.wait(PATIENCE_S), 0)
        lines = told.decode().split("\r")
        self.assertEqual((lines[0], lines[-1]), ("", "\033[K"))  # Nothing stays.
        shown = [line.removesuffix("\033[K") for line in lines[1:-1]]
        self.assertGreater(len(shown), 0)
        self.assertNotIn("\n", told.decode())
        return shown

    def test_progress_on_a_terminal_is_one_line_however_narrow(self):
        columns = 16  # Less than any such line has.
        shown = self.shown_on_a_terminal(columns, "selfplay", "--games", "4", "--nodes", "4000", "--plies", "40",
                                         "--threads", "1")
        self.assertEqual(max(map(len, shown)), columns - 1)  # One more, and the terminal would begin a new line.

    def test_progress_tells_how_long_it_will_take(self):
        shown = self.shown_on_a_terminal(80, "ablate", "history", "--plain", "--depth", "4", "--repeat-ms", "600")
        self.assertRegex("\n".join(shown), r"\d+ %, \d+ s left")

    def test_names_are_told_safely(self):
        with tempfile.TemporaryDirectory() as folder:
            pgn = os.path.join(folder, "pgn")
            words = ["selfplay", "--games", "2", "--nodes", "50", "--plies", "2", "--pgn", pgn]
            result = run(*words, "--a", "Hash=1\n# a \"name\" with \\\nNodes=9", "--b", "# " + "long " * 99 + "\nHash=1")
            self.assertEqual(result.returncode, 0, result)
            with open(pgn, encoding="utf-8") as file:
                games = file.read()
        self.assertIn('[White "A: Hash=1?# a \\"name\\" with \\\\?Nodes=9"]\n', games)
        self.assertRegex(games, r'\n\[Black "B: # (long ){23}lon\.\.\."]\n')
        self.assertEqual(result.stdout.splitlines()[0], 'A: Hash=1?# a "name" with \\?Nodes=9')

    def test_an_opening_is_played_once_where_it_would_be_played_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            book = os.path.join(folder, "book")
            with open(book, "w", encoding="utf-8") as file:
                file.write(KIWIPETE + "\n")
            few = ["--games", "4", "--openings", book]
            for words, count in (([], 2), (["--a", "UCI_Elo=1500"], 4), (["--a", "Movetime=1"], 4)):
                result = run("selfplay", *few, "--nodes", "50", "--plies", "4", *words)
                self.assertIn(f"\ngames {count}: ", result.stdout, result)
                self.assertIn("once" if count == 2 else "come again", result.stderr)
            result = run("ablate", "killers", *few, "--nodes", "50", "--csv", "-")
            self.assertRegex(result.stdout, r"\nkillers,off,2,", result)
            self.assertIn("each is played once", result.stderr)

    def test_a_full_disk_is_told_as_one(self):
        result = run("selfplay", "--games", "2", "--nodes", "50", "--plies", "4", "--pgn", "/dev/full")
        self.assertEqual(result.returncode, 1, result)
        self.assertIn(os.strerror(errno.ENOSPC), result.stderr)

    def test_a_test_stops_games(self):
        result = run("selfplay", "--games", "400", "--a", "Nodes=1500", "--b", "Depth=1", "--sprt", "0,300")
        self.assertRegex(result.stdout, r"\nsprt elo0 0, elo1 300: llr \d\.\d\d \[-2\.94, 2\.94\], elo1 taken\n")
        self.assertLess(int(re.search(r"games (\d+)", result.stdout).group(1)), 400)

    def test_help_tells_the_options(self):
        self.assertIn("--resign", run("selfplay", "--help").stdout)

    def test_ctrl_c_tells_what_was_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            pgn = os.path.join(folder, "games.pgn")
            child = subprocess.Popen(TOOL + ["selfplay", "--games", "100000", "--nodes", "50", "--pgn", pgn],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not (os.path.exists(pgn) and os.path.getsize(pgn) > 0):  # The games have begun.
                self.assertIsNone(child.poll())
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            told, _ = child.communicate(timeout=PATIENCE_S)
        self.assertEqual(child.returncode, 0)
        self.assertRegex(told, r"\ngames [1-9]\d*: ")

    def test_without_a_pair_there_is_no_figure(self):
        with tempfile.TemporaryDirectory() as folder:
            pgn = os.path.join(folder, "games.pgn")
            child = subprocess.Popen(TOOL + ["selfplay", "--games", "2", "--nodes", "2000000000", "--pgn", pgn],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not os.path.exists(pgn):
                self.assertIsNone(child.poll())
                time.sleep(0.01)
            time.sleep(0.5)  # From there to where Ctrl-C is held is no way.
            child.send_signal(signal.SIGINT)
            told, _ = child.communicate(timeout=PATIENCE_S)
        self.assertRegex(told, r"\ngames 0: .*\n.*\nscore -\nelo -\n$")


def is_for_tuning():
    """Whether the tool's numbers can be set: a build of the preset `tune`."""
    return run("version").stdout.endswith(" tune\n")


class Tune(unittest.TestCase):
    WORDS = ["tune", "--row", "REDUCTION_QUIET_BASE=900,0,2048,700", "--row=FUTILITY_SLOPE", "--iterations", "30",
             "--pairs", "2", "--nodes", "50", "--rate", "0.5", "--options", "Hash=1"]

    def setUp(self):
        if not is_for_tuning():
            self.skipTest("the search's numbers are constants")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def refuses(self, words, *parts):
        result = run("tune", *words)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_a_killed_run_goes_on_as_if_nothing_had_happened(self):
        whole = run(*self.WORDS, "--csv", self.path("whole.csv"), "--threads", "1")
        self.assertEqual(whole.returncode, 0, whole)
        words = ["--checkpoint", self.path("run"), "--every", "3", "--csv", self.path("run.csv")]
        child = subprocess.Popen(TOOL + self.WORDS + words, stdout=subprocess.DEVNULL)
        while not (os.path.exists(self.path("run.csv")) and self.text("run.csv").count("\n") > 5):
            self.assertIsNone(child.poll())
            time.sleep(0.002)
        child.kill()
        self.assertIn(child.wait(PATIENCE_S), (-signal.SIGKILL, 0))  # 0: it was faster.
        resumed = run("tune", "--resume", self.path("run"), "--csv", self.path("run.csv"), "--threads", "2")
        self.assertEqual((resumed.returncode, resumed.stdout), (0, whole.stdout), resumed)
        self.assertEqual(self.text("run.csv"), self.text("whole.csv"))
        self.assertRegex(self.text("run"), r"\ndone 30\n")
        self.assertFalse(os.path.exists(self.path("run.part")))

    def test_the_outcome_can_be_pasted(self):
        told = run(*self.WORDS).stdout
        self.assertIn("iterations 30 of 30, games 120\n", told)
        value = re.search(r"\nREDUCTION_QUIET_BASE=(\d+)\n", told).group(1)
        self.assertIn(f"\n    ROW(REDUCTION_QUIET_BASE, {value}, 0, 2048)\n", told)
        self.assertNotEqual(value, "900")  # It has moved.
        for player in (f"REDUCTION_QUIET_BASE={value}", "REDUCTION_QUIET_BASE=4000"):
            result = run("selfplay", "--games", "2", "--nodes", "20", "--a", player)
            self.assertEqual(result.returncode, 2 if "4000" in player else 0, result)

    def test_ctrl_c_tells_and_keeps_what_was_learnt(self):
        words = ["--iterations", "100000", "--checkpoint", self.path("run"), "--every", "1"]
        child = subprocess.Popen(TOOL + self.WORDS + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("run")):
            self.assertIsNone(child.poll())
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        told, _ = child.communicate(timeout=PATIENCE_S)
        self.assertEqual(child.returncode, 0)
        done = re.match(r"iterations (\d+) of 100000,", told).group(1)
        self.assertIn(f"\ndone {done}\n", self.text("run"))

    def test_what_is_wrong_is_said(self):
        run(*self.WORDS, "--iterations", "1", "--checkpoint", self.path("run"))
        kept = self.text("run")
        self.refuses(self.WORDS[1:] + ["--checkpoint", self.path("run")], "already", "--resume")
        self.assertEqual(self.text("run"), kept)
        self.refuses(["--resume", self.path("run"), "--nodes", "9"], "--resume")
        self.refuses(["--row", "RAZOR_BASE", "--options", "EvalFile=/any"], "EvalFile")
        with open(self.path("broken"), "w", encoding="utf-8") as file:
            file.write(kept.replace("\npairs 2\n", "\npairs two\n"))
        self.refuses(["--resume", self.path("broken")], self.path("broken") + ":6: ")
        self.refuses(["--resume", self.path("none")], self.path("none"))
        self.refuses(["--row", "RAZOR"], "RAZOR")
        self.refuses(["--row", "RAZOR_BASE=1"], "RAZOR_BASE=1")
        self.refuses(["--row", "RAZOR_BASE=100,50"], "RAZOR_BASE=100,50")
        self.refuses(["--row", "RAZOR_BASE", "--row", "RAZOR_BASE"], "twice")
        self.refuses(["--row", "RAZOR_BASE", "--rate", "0"], "--rate")
        self.refuses(["--row", "RAZOR_BASE", "--options", "Speed=1"], "Speed=1")
        self.refuses(["--row", "RAZOR_BASE", "--options", "Increment=1"], "an increment needs a clock")
        self.refuses(["now"], "now")
        self.refuses([], "--row")

    def test_a_path_that_cannot_be_written_is_told_before_the_first_game(self):
        words = self.WORDS + ["--iterations", "10000000", "--every", "10000000"]  # It would play for days.
        result = run(*words, "--checkpoint", self.path("no/such/folder"), "--csv", self.path("run.csv"))
        self.assertEqual((result.returncode, result.stdout), (1, ""), result)
        self.assertIn(self.path("no/such/folder"), result.stderr)
        self.assertFalse(os.path.exists(self.path("run.csv")))
        result = run(*words, "--checkpoint", self.path("run"), "--csv", self.path("no/such.csv"))
        self.assertEqual((result.returncode, result.stdout), (1, ""), result)
        self.assertFalse(os.path.exists(self.path("run")))  # So the same words, mended, are taken.

    def test_no_other_run_is_written_over(self):
        run(*self.WORDS, "--iterations", "2", "--checkpoint", self.path("a"))
        run(*self.WORDS, "--iterations", "2", "--seed", "2", "--checkpoint", self.path("b"))
        with open(self.path("text"), "w", encoding="utf-8") as file:
            file.write("kept\n")
        for name in ("b", "text"):
            kept = self.text(name)
            self.refuses(["--resume", self.path("a"), "--checkpoint", self.path(name)], self.path(name), "--resume")
            self.assertEqual(self.text(name), kept)
        os.rename(self.path("b"), self.path("c.part"))
        self.refuses(["--resume", self.path("c.part"), "--checkpoint", self.path("c")], self.path("c.part"))
        for name in ("a", "new", "new"):  # Where it is, elsewhere, and there again.
            result = run("tune", "--resume", self.path("a"), "--checkpoint", self.path(name))
            self.assertEqual(result.returncode, 0, result)
            self.assertEqual(self.text(name), self.text("a"))

    def test_a_run_goes_on_with_its_own_openings_alone(self):
        def book(*fens):
            with open(self.path("book.epd"), "w", encoding="utf-8") as file:
                file.writelines(fen + "\n" for fen in fens)

        book(START, KIWIPETE)
        result = run(*self.WORDS, "--iterations", "2", "--openings", self.path("book.epd"), "--checkpoint",
                     self.path("run"))
        self.assertEqual(result.returncode, 0, result)
        lines = self.text("run").splitlines()
        line = next(number for number, text in enumerate(lines, 1) if text.startswith("openings_checksum "))
        book(START, START)  # As many, and others.
        self.refuses(["--resume", self.path("run")], f"{self.path('run')}:{line}: ", self.path("book.epd"))
        book(START, KIWIPETE)
        self.assertEqual(run("tune", "--resume", self.path("run")).stdout, result.stdout)

    def test_all_rows_but_those_named(self):
        told = run("tune", "--all", "--row", "RAZOR_BASE=100", "--iterations", "1", "--pairs", "1", "--nodes", "20").stdout
        self.assertRegex(told, r"\nRAZOR_BASE +100 ")
        self.assertEqual(told.count("ROW(RAZOR_BASE, "), 1)
        self.assertGreater(told.count("ROW("), 40)
        self.assertNotRegex(told, r"ROW\((TIME|HELPER|VOTE|TABLEBASE)_")  # Its games never show them.

    def test_rows_are_options_of_a_session(self):
        def nodes(*options):
            given = "".join(f"setoption name {option}\n" for option in options)
            told = run(given=given + f"position fen {KIWIPETE}\ngo depth 8\n").stdout
            return re.findall(r" nodes (\d+) ", told)[-1]

        told = run(given="uci\nquit\n").stdout
        self.assertRegex(told, r"\noption name RAZOR_BASE type spin default \d+ min \d+ max \d+\n(.*\n)*uciok\n")
        built = re.search(r"name FUTILITY_SLOPE type spin default (\d+)", told).group(1)
        self.assertNotEqual(nodes("FUTILITY_SLOPE value 200"), nodes())
        self.assertEqual(nodes("FUTILITY_SLOPE value 200", f"futility_slope value {built}"), nodes())
        for line in ("FUTILITY_SLOPE value 9999", "FUTILITY_SLOPE value x", "FUTILITY_SLOPE"):
            told = run(given=f"setoption name {line}\nquit\n").stdout
            self.assertRegex(told, rf"^info string FUTILITY_SLOPE wants .* in force: {built}\n$")


class Constants(unittest.TestCase):
    def test_a_build_that_cannot_tune_tells_which_can(self):
        if is_for_tuning():
            self.skipTest("this one can")
        result = run("tune", "--row", "RAZOR_BASE")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("./dev tune", result.stderr)
        self.assertNotIn("RAZOR_BASE", run(given="uci\nquit\n").stdout)
        self.assertEqual(run("selfplay", "--a", "RAZOR_BASE=100").returncode, 2)

    def test_help_is_there_all_the_same(self):
        self.assertIn("--resume", run("tune", "--help").stdout)


class Network(unittest.TestCase):
    """--eval-file: who evaluates."""

    QUEEN_UP = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "network")
        self.write(paper_network.network())

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)

    def test_it_evaluates(self):
        given = f"position fen {self.QUEEN_UP}\neval\nquit\n"
        by_hand = run("uci", given=given).stdout
        by_network = run("uci", "--eval-file", self.path, given=given).stdout
        self.assertNotEqual(by_hand, by_network)
        self.assertRegex(by_network, r"^evaluation (7|8|9|10)\d\d centipawns for the side to move$")

    def test_it_searches(self):
        by_hand, by_network = (run("bench", "--depth", "3", *words).stdout
                               for words in ((), ("--eval-file", self.path)))
        self.assertRegex(by_network, r"^nodes \d+\n")
        self.assertNotEqual(by_hand.splitlines()[0], by_network.splitlines()[0])
        result = run("analyse", self.QUEEN_UP, "--depth", "4", "--eval-file", self.path)
        self.assertRegex(result.stdout, r"\n 1 +\+\d+\.\d\d ")

    def test_it_plays_against_the_evaluation_by_hand(self):
        games = []
        for player in (f"EvalFile={self.path}", "Nodes=100"):
            pgn = os.path.join(self.folder.name, "pgn")
            result = run("selfplay", "--a", player, "--games", "2", "--nodes", "100", "--plies", "40", "--seed", "3",
                         "--pgn", pgn)
            self.assertEqual(result.returncode, 0, result)
            self.assertIn("games 2: ", result.stdout)
            with open(pgn, encoding="utf-8") as file:
                games.append([line for line in file if not line.startswith("[")])
        self.assertNotEqual(*games)

    def test_a_broken_one_is_refused(self):
        whole = paper_network.network()
        for content, reason in ((b"", "it has 0 bytes"), (b"P5" + whole[2:], "no network"), (whole[:-1], "cut short"),
                                (whole + b"\0", "too long"), (whole[:-9] + b"\x55" + whole[-8:], "damaged"),
                                (paper_network.network(version=2), "version is 2, not 1")):
            self.write(content)
            for words in (("uci", "--eval-file", self.path), ("bench", f"--eval-file={self.path}"),
                          ("analyse", "--eval-file", self.path), ("selfplay", "--b", f"EvalFile={self.path}")):
                result = run(*words)
                self.assertIn(result.returncode, (1, 2))
                self.assertEqual(result.stdout, "")
                self.assertIn(reason, result.stderr)
                self.assertIn(self.path, result.stderr)
        self.assertIn("No such file", run("uci", "--eval-file", self.path + "x").stderr)


class Analyse(unittest.TestCase):
    def test_shows_board_lines_and_move(self):
        result = run("analyse", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "--depth", "4", "--lines", "2")
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("8  . . . . . . k .     White to move\n", result.stdout)
        self.assertRegex(result.stdout, r"\n 1 +mate 1 +\d+  a1a8\n 2 ")
        self.assertTrue(result.stdout.endswith("\nbest a1a8\n"))
        self.assertNotIn("\033", result.stdout)

    def test_a_mated_side_has_no_move(self):
        result = run("analyse", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "--depth", "2")
        self.assertTrue(result.stdout.endswith("\nbest (none)\n"), result)


class Session(unittest.TestCase):
    def test_speaks_uci_without_a_command(self):
        result = run(given="uci\nisready\nquit\n")
        self.assertEqual(result.returncode, 0)
        self.assertIn("uciok\n", result.stdout)
        self.assertTrue(result.stdout.endswith("readyok\n"))

    def test_a_bounded_search_outlives_the_end_of_input(self):
        result = run(given="position startpos\ngo depth 5")
        self.assertRegex(result.stdout, r"\ninfo [^\n]* pv [^\n]*\nbestmove \w+[^\n]*\n\Z")

    def test_an_open_search_ends_with_the_input(self):
        result = run(given="go infinite\n")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"bestmove \w+[^\n]*\n\Z")

    def test_many_go_lines_give_as_many_moves_in_order(self):
        fens = ["6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1"] * 3
        given = "".join(f"position fen {fen}\ngo depth 3\n" for fen in fens)
        moves = re.findall(r"^bestmove (\w+)", run(given=given).stdout, re.M)
        self.assertEqual(moves, ["a1a8", "b1b8"] * 3)

    def test_a_line_too_long_is_dropped_whole(self):
        result = run(given="x" * 200000 + " go depth 1\nisready\nquit\n")
        self.assertRegex(result.stdout, r"^info string [^\n]*\nreadyok\n\Z")

    def test_hash_and_threads_are_this_users_to_set(self):
        given = "setoption name Hash value 2\nsetoption name Threads value 2\nucinewgame\nisready\ngo depth 4\n"
        self.assertIn("bestmove ", run(given=given).stdout)

    def test_the_terminals_own_words(self):
        result = run(given=f"position fen {KIWIPETE}\nd\neval\nquit\n")
        self.assertIn(f"fen {KIWIPETE}\n", result.stdout)
        self.assertRegex(result.stdout, r"\nevaluation -?\d+ ")

    def test_a_closed_stdout_ends_it_quietly(self):
        child = subprocess.Popen(TOOL, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.close()
        try:
            child.stdin.write(b"uci\ngo infinite\n")
            child.stdin.flush()
        except BrokenPipeError:
            pass
        self.assertEqual(child.wait(PATIENCE_S), 0)
        self.assertEqual(child.stderr.read(), b"")
        child.stderr.close()
        try:
            child.stdin.close()
        except BrokenPipeError:
            pass


class Server:
    """Accepts one client and treats it as `talk` says."""

    def __init__(self, talk, family=socket.AF_INET, address=("127.0.0.1", 0)):
        self.listener = socket.socket(family)
        self.listener.bind(address)
        self.listener.listen()
        self.thread = threading.Thread(target=self.run, args=(talk,))
        self.thread.start()

    def run(self, talk):
        client, _ = self.listener.accept()
        with client:
            talk(client)

    def name(self):
        return "%s:%d" % self.listener.getsockname()

    def close(self):
        self.thread.join()
        self.listener.close()


def until_end(client):
    taken = b""
    while chunk := client.recv(65536):
        taken += chunk
    return taken


class Connect(unittest.TestCase):
    def test_passes_both_ways_and_ends_well_on_quit(self):
        taken = []

        def talk(client):
            lines = client.makefile("rb")
            for line in lines:
                taken.append(line)
                if line == b"quit\n":
                    break
            client.sendall(b"uciok\n" * 50000)

        server = Server(talk)
        result = run("connect", server.name(), given="uci\nquit\n")
        server.close()
        self.assertEqual(taken, [b"uci\n", b"quit\n"])
        self.assertEqual(result.stdout, "uciok\n" * 50000)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_end_of_input_is_passed_on(self):
        server = Server(lambda client: client.sendall(b"bestmove e2e4\n" if until_end(client) else b""))
        result = run("connect", server.name(), given="go depth 1\n")
        server.close()
        self.assertEqual((result.returncode, result.stdout), (0, "bestmove e2e4\n"))

    def test_a_broken_link_is_told(self):
        server = Server(lambda client: client.sendall(b"info string bye\n"))
        child = subprocess.Popen(TOOL + ["connect", server.name()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(child.wait(PATIENCE_S), 1)
        self.assertEqual(child.stdout.read(), "info string bye\n")
        self.assertIn("lost", child.stderr.read())
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()
        server.close()

    def test_nobody_there(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            result = run("connect", "127.0.0.1:%d" % free.getsockname()[1])
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^rookery connect: 127\.0\.0\.1:\d+: Connection refused; start rookeryd "
                                        r"there, or try again once it says that it is ready\n$")
        result = run("connect", "/nowhere/at/all")
        self.assertEqual(result.returncode, 1)
        self.assertIn("start rookeryd there", result.stderr)

    def test_no_such_host(self):
        result = run("connect", "no-such-host.invalid:9824")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("is the name of the host right?", result.stderr)

    def test_a_unix_socket(self):
        path = f"/tmp/rookery-test-{os.getpid()}"
        server = Server(lambda client: client.sendall(until_end(client).upper()), socket.AF_UNIX, path)
        result = run("connect", path, given="isready\n")
        server.close()
        os.unlink(path)
        self.assertEqual(result.stdout, "ISREADY\n")


if __name__ == "__main__":
    TOOL = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
