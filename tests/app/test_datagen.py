#!/usr/bin/env python3
"""`rookery datagen` and `rookery data` from outside: files that survive kill -9, and a reader of their bytes that shares
no code with ours. Called with the tool's command line. `--kills N` alone: so many kill -9 at random moments."""

import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = []
PATIENCE_S = 120  # Only a hang takes so long.
KILLS = 4
HEADER = struct.Struct("<4sHHIIIIQQ")
GAME_BYTES, PLY_BYTES = 40, 4


def run(*words):
    return subprocess.run(TOOL + list(words), capture_output=True, text=True, timeout=PATIENCE_S)


MASK = (1 << 64) - 1
PRIMES = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261)


def rotate(number, count):
    return (number << count | number >> (64 - count)) & MASK


def xxh64(data):
    """As its specification describes it, seed 0."""
    p1, p2, p3, p4, p5 = PRIMES

    def turn(lane, word):
        return rotate((lane + word * p2) & MASK, 31) * p1 & MASK

    at = 0
    if len(data) >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        while at + 32 <= len(data):
            lanes = [turn(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        total = sum(rotate(lane, count) for lane, count in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            total = ((total ^ turn(0, lane)) * p1 + p4) & MASK
    else:
        total = p5
    total = (total + len(data)) & MASK
    while at + 8 <= len(data):
        total = (rotate(total ^ turn(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & MASK
        at += 8
    if at + 4 <= len(data):
        total = (rotate(total ^ struct.unpack_from("<I", data, at)[0] * p1 & MASK, 23) * p2 + p3) & MASK
        at += 4
    for byte in data[at:]:
        total = rotate(total ^ byte * p5 & MASK, 11) * p1 & MASK
    total = (total ^ total >> 33) * p2 & MASK
    total = (total ^ total >> 29) * p3 & MASK
    return total ^ total >> 32


def games_of(data):
    """The games' bytes, by the description in docs/network.md; whatever follows the last whole block is left out."""
    at, games = 0, []
    while at + HEADER.size <= len(data):
        magic, version, zero, length, count, positions, zero_too, checksum, own = HEADER.unpack_from(data, at)
        assert (magic, version, zero, zero_too) == (b"RkGB", 1, 0, 0), (at, magic)
        assert own == xxh64(data[at:at + 32]), at
        payload = data[at + HEADER.size:at + HEADER.size + length]
        if len(payload) < length:
            break
        assert checksum == xxh64(payload), at
        assert length == count * GAME_BYTES + positions * PLY_BYTES
        at += HEADER.size + length
        inside = 0
        for _ in range(count):
            plies = struct.unpack_from("<H", payload, inside + 30)[0]
            games.append(payload[inside:inside + GAME_BYTES + plies * PLY_BYTES])
            inside += GAME_BYTES + plies * PLY_BYTES
        assert inside == length
    return games


def fen_of(game):
    """The start, with Shredder letters."""
    occupied, = struct.unpack_from("<Q", game)
    men = [game[8 + i // 2] >> i % 2 * 4 & 15 for i in range(32)]
    squares = [square for square in range(64) if occupied >> square & 1]
    board = dict(zip(squares, men))
    letters = "PNBRQKpnbrqkRr"
    ranks = []
    for rank in range(7, -1, -1):
        text = "".join(letters[board[8 * rank + file]] if 8 * rank + file in board else "1" for file in range(8))
        ranks.append(re.sub("1+", lambda ones: str(len(ones.group(0))), text))
    rights = "".join("ABCDEFGH"[square % 8] for square in sorted(board, reverse=True) if board[square] == 12)
    rights += "".join("abcdefgh"[square % 8] for square in sorted(board, reverse=True) if board[square] == 13)
    passed = game[24] & 127
    passed = "-" if passed == 64 else "abcdefgh"[passed % 8] + str(passed // 8 + 1)
    number, = struct.unpack_from("<H", game, 26)
    return f"{'/'.join(ranks)} {'b' if game[24] & 128 else 'w'} {rights or '-'} {passed} {game[25]} {number}"


class Files(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.directory.name, "games")

    def tearDown(self):
        self.directory.cleanup()

    def name(self, name):
        return os.path.join(self.directory.name, name)

    def bytes_of(self, path=None):
        with open(path or self.path, "rb") as file:
            return file.read()

    def good(self, *words):
        result = run(*words)
        self.assertEqual(result.returncode, 0, result)
        return result.stdout

    def generate(self, games, *words, path=None):
        return self.good("datagen", path or self.path, "--games", str(games), "--nodes", "40", "--hash", "1",
                         "--seed", "3", "--block", "1", *words)


class Datagen(Files):
    def test_its_last_words(self):
        said = self.generate(6)
        self.assertRegex(said, r"^games 6\npositions \d+\nbytes \d+\nnodes_a_move \d+\npositions_a_second \d+\n\Z")
        self.assertEqual(len(games_of(self.bytes_of())), 6)
        self.assertEqual(int(re.search(r"bytes (\d+)", said).group(1)), len(self.bytes_of()))

    def test_goes_on_where_it_stopped(self):
        self.generate(3, "--threads", "1")
        self.generate(9, "--threads", "2")
        self.generate(9, "--threads", "1", path=self.name("at once"))
        games = games_of(self.bytes_of())
        self.assertEqual(games, games_of(self.bytes_of(self.name("at once"))))
        self.assertEqual(len(games), len(set(games)))

    def test_no_seed_is_another_one_each_time(self):
        for name in ("a", "b"):
            self.good("datagen", self.name(name), "--games", "2", "--nodes", "20", "--hash", "1")
        self.assertFalse(set(games_of(self.bytes_of(self.name("a")))) & set(games_of(self.bytes_of(self.name("b")))))

    def test_ends_well_on_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            child = self.start()
            self.wait_for_more(0)
            child.send_signal(number)
            said, told = child.communicate(timeout=PATIENCE_S)
            self.assertEqual(child.returncode, 0, told)
            held = len(games_of(self.bytes_of()))
            self.assertTrue(said.startswith(f"games {held}\n"), said)
            self.assertIn("faults 0\n", self.good("data", "verify", self.path))
            os.unlink(self.path)

    def test_odds_are_fitted_to_games(self):
        self.generate(30)
        said = self.good("odds", self.path)
        self.assertEqual(said.count("\n"), 17, said)
        numbers = dict(line.split() for line in said.splitlines() if len(line.split()) == 2)
        self.assertGreater(int(numbers["positions"]), 1000)
        self.assertGreater(float(numbers["loss"]), 0.1)
        self.assertLess(float(numbers["loss"]), 1.1)  # Of one who knows nothing: ln 3.
        for name in ("units_a_pawn", "spread_opening", "spread_ending"):
            self.assertGreater(int(numbers[name]), 0, said)
        self.assertEqual(run("odds").returncode, 2)
        with open(self.path, "r+b") as file:
            file.seek(60)
            file.write(b"!!!")
        broken = run("odds", self.path)
        self.assertEqual(broken.returncode, 1)
        self.assertIn(f"{self.path}: ", broken.stderr)

    def test_few_games_do_not_tell_what_a_pawn_is(self):
        """One game is drawn or is not: no two of its results differ."""
        for seed in ("1", "3"):
            self.good("datagen", self.name(seed), "--games", "1", "--nodes", "50", "--seed", seed, "--threads", "1")
            result = run("odds", self.name(seed))
            self.assertEqual((result.returncode, result.stdout), (1, ""), seed)
            self.assertIn("do not tell what a pawn is", result.stderr)

    def start(self):
        return subprocess.Popen(TOOL + ["datagen", self.path, "--nodes", "40", "--hash", "1", "--seed", "3",
                                        "--block", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_more(self, length):
        """Until the file is longer than that."""
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(self.path) or os.path.getsize(self.path) <= length:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_survives_kill_9(self):
        """Nothing that was in a whole block is lost, and the games are those of a run that nobody killed."""
        random.seed(7)
        whole, torn = [], 0
        for _ in range(KILLS):
            child = self.start()
            self.wait_for_more(os.path.getsize(self.path) if os.path.exists(self.path) else 0)
            time.sleep(random.random() * 0.3)
            child.kill()
            child.communicate(timeout=PATIENCE_S)
            games = games_of(self.bytes_of())
            self.assertGreater(len(games), len(whole))
            self.assertEqual(games[:len(whole)], whole)
            whole = games
            # A kernel writes a block in one go: what a crash of the machine leaves is made here.
            data = self.bytes_of()
            with open(self.path, "ab") as file:
                file.write(data[:random.randrange(1, 400)])
            torn += 1
        self.generate(len(whole) + 2)
        games = games_of(self.bytes_of())
        self.assertGreaterEqual(len(games), len(whole) + 2)
        self.assertEqual(games[:len(whole)], whole)
        self.generate(len(games), path=self.name("at once"))
        self.assertEqual(games, games_of(self.bytes_of(self.name("at once")))[:len(games)])
        print(f"killed {KILLS} times, torn {torn}: {len(whole)} games, none lost", file=sys.stderr)

    def test_one_at_a_time_and_no_strangers(self):
        child = self.start()
        self.wait_for_more(0)
        result = run("datagen", self.path, "--games", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("another process", result.stderr)
        child.kill()
        child.communicate(timeout=PATIENCE_S)
        stranger = self.name("stranger")
        with open(stranger, "w") as file:
            file.write("1. e4 e5 2. Nf3\n")
        result = run("datagen", stranger, "--games", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("not a file of games", result.stderr)
        self.assertEqual(self.bytes_of(stranger), b"1. e4 e5 2. Nf3\n")

    def test_what_is_wrong_is_said(self):
        for words, part in ((["datagen"], "one file"), (["datagen", "a", "b"], "one file"),
                            (["datagen", "a", "--nodes", "0"], "--nodes"),
                            (["datagen", "a", "--chess960", "101"], "--chess960"),
                            (["datagen", "a", "--seed", "x"], "'x'"), (["datagen", "a", "--nice", "20"], "--nice"),
                            (["data"], "verb"), (["data", "eat", "a"], "eat"), (["data", "count"], "files"),
                            (["data", "show", "a", "b"], "one file"), (["data", "merge", "a"], "--to"),
                            (["data", "split", "--to", "a", "b"], "--rest"), (["data", "count", "--to", "a", "b"], "--to")):
            result = run(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(part, result.stderr)
        self.assertEqual(run("datagen", "/no/such/place/games", "--games", "1").returncode, 1)
        self.assertIn("No such file", run("data", "count", "/no/such/file").stderr)
        for name in ("data", "datagen"):
            self.assertIn(f"rookery {name}", self.good(name, "--help"))


class Data(Files):
    def test_the_bytes_are_as_described(self):
        """The start positions that another reader finds are those that ours shows; the scores and results too."""
        self.generate(12, "--chess960", "50")
        shown = self.good("data", "show", self.path, "--games", "12")
        games = games_of(self.bytes_of())
        found = re.findall(r"^game (\d+): (.*)\n(\S+), (.*); (\d+) plies, 40 nodes a move, a pawn is (\d+)(, chess960)?\n"
                           r"((?:  .*\n)*)", shown, re.M)
        self.assertEqual(len(found), 12)
        for game, (number, fen, result, _, plies, pawn, chess960, moves) in zip(games, found):
            self.assertEqual(bool(chess960), game[34] == 1)
            board, side, rights, *rest = fen_of(game).split()
            if not chess960:
                rights = rights.translate(str.maketrans("HAha", "KQkq"))
            self.assertEqual(fen, " ".join([board, side, rights, *rest]), number)
            self.assertEqual(result, ("0-1", "1/2-1/2", "1-0")[game[28]])
            self.assertEqual((int(plies), int(pawn)), struct.unpack_from("<HH", game, 30))
            scores = [int(score) for score in re.findall(r" ([+-]\d+)", moves)]
            self.assertEqual(scores, [score for _, score in struct.iter_unpack("<Hh", game[40:])])
            names = re.findall(r"([a-h][1-8])([a-h][1-8])[nbrq]? [+-]", moves)
            for (start, end), (move, _) in zip(names, struct.iter_unpack("<Hh", game[40:])):
                self.assertEqual(start, "abcdefgh"[move & 7] + str((move >> 3 & 7) + 1))
                if move >> 12 != 2 or chess960:
                    self.assertEqual(end, "abcdefgh"[move >> 6 & 7] + str((move >> 9 & 7) + 1))

    def test_count_and_show(self):
        self.generate(5)
        positions = sum((len(game) - GAME_BYTES) // PLY_BYTES for game in games_of(self.bytes_of()))
        said = self.good("data", "count", self.path, self.path)
        self.assertTrue(said.endswith(f"games 10\npositions {2 * positions}\n"), said)
        with open(self.path, "ab") as file:
            file.write(b"RkGB")
        self.assertIn("unfinished 4", self.good("data", "count", self.path))
        self.assertIn("game 4: ", self.good("data", "show", self.path, "--game", "4", "--games", "9"))
        self.assertEqual(self.good("data", "show", self.path, "--game", "5"), "")

    def test_verify_tells_the_place(self):
        self.generate(8)
        said = self.good("data", "verify", self.path)
        self.assertIn("games 8\n", said)
        data = bytearray(self.bytes_of())
        second = HEADER.size + HEADER.unpack_from(data)[3]
        data[second + HEADER.size + 50] ^= 16
        with open(self.path, "wb") as file:
            file.write(data)
        result = run("data", "verify", self.path)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"block 1 at byte {second}:", result.stderr)
        self.assertIn("faults 1\n", result.stdout)
        for words in (["merge", "--to"], ["shuffle", "--to"]):
            result = run("data", *words, self.name("out"), self.path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"at byte {second}:", result.stderr)
            self.assertEqual(os.listdir(self.directory.name), ["games"])

    def test_every_game_comes_out_once(self):
        self.generate(20)
        games = sorted(games_of(self.bytes_of()))
        merged, shuffled, first, rest = (self.name(name) for name in ("merged", "shuffled", "first", "rest"))
        self.good("data", "merge", "--to", merged, self.path)
        self.assertEqual(games_of(self.bytes_of(merged)), games_of(self.bytes_of()))
        self.good("data", "shuffle", "--to", shuffled, "--seed", "9", self.path)
        self.assertNotEqual(games_of(self.bytes_of(shuffled)), games_of(self.bytes_of()))
        self.assertEqual(sorted(games_of(self.bytes_of(shuffled))), games)
        self.good("data", "split", "--to", first, "--rest", rest, "--permille", "300", shuffled, merged)
        sides = [games_of(self.bytes_of(path)) for path in (first, rest)]
        self.assertEqual(sorted(sides[0] + sides[1]), sorted(games + games))
        self.assertFalse(set(sides[0]) & set(sides[1]))
        result = run("data", "merge", "--to", merged, self.path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("there already", result.stderr)

    def test_no_game_is_written_over(self):
        """What is being made stands in OUT.part, which may be what is read."""
        self.generate(5)
        part = self.name("out.part")
        os.link(self.path, part)
        games = self.bytes_of()
        out, other = self.name("out"), self.name("other")
        for words in (["merge", "--to", out], ["shuffle", "--to", out], ["split", "--to", out, "--rest", other],
                      ["split", "--to", other, "--rest", out]):
            for path in (part, self.path):
                result = run("data", *words, path)
                self.assertEqual((result.returncode, result.stdout), (2, ""), words)
                self.assertIn("would be written over", result.stderr)
                self.assertEqual((self.bytes_of(), self.bytes_of(part)), (games, games))
        os.unlink(part)
        with open(part, "w", encoding="utf-8") as file:
            file.write("of somebody else\n")
        for words in (["merge", "--to", out], ["split", "--to", other, "--rest", out]):
            result = run("data", *words, self.path)
            self.assertEqual((result.returncode, result.stdout), (1, ""), words)
            self.assertIn(f"{out}: ", result.stderr)
            self.assertIn(".part", result.stderr)
            self.assertEqual(self.bytes_of(part), b"of somebody else\n")
            self.assertFalse(os.path.exists(out) or os.path.exists(other))
        result = run("data", "split", "--to", other, "--rest", other, self.path)
        self.assertEqual(result.returncode, 2)
        self.assertIn("which is written too", result.stderr)


if __name__ == "__main__":
    TOOL = sys.argv[1:]
    names = []
    if TOOL[0] == "--kills":
        KILLS, TOOL, names = int(TOOL[1]), TOOL[2:], ["Datagen.test_survives_kill_9"]
    unittest.main(argv=sys.argv[:1] + names)
