#!/usr/bin/env python3
"""`rookery train` from outside: whoever is killed goes on to the network that one run would have made, and the file is
as described to a reader that shares no code with ours. Called with the tool's command line. `--kills N` alone: so many
kill -9 at random moments."""

import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom
import zlib

TOOL = []
PATIENCE_S = 120  # Only a hang takes so long.
KILLS = 5
HEADER = struct.Struct("<8sIIIIIIIIIIQQ")


def run(*words):
    return subprocess.run(TOOL + list(words), capture_output=True, text=True, timeout=PATIENCE_S)


def network_fields(data):
    """Header and payload of a network file; the checksum is checked."""
    (magic, version, described, areas, hidden, buckets, activation, qa, qb, scale, checksum, length,
     zero) = HEADER.unpack_from(data)
    assert (magic, version, activation, qa, qb, zero) == (b"RookNet\0", 1, 1, 255, 64, 0)
    assert checksum == zlib.crc32(data[HEADER.size:])
    padded = (described + 63) // 64 * 64
    description = data[HEADER.size:HEADER.size + described].decode()
    payload = data[HEADER.size + padded + 64:]
    outputs = buckets * 2 * hidden
    assert len(payload) == length == 2 * hidden * (areas * 768 + 1) + (outputs + 3) // 4 * 4 + 4 * buckets
    return {"areas": areas, "hidden": hidden, "buckets": buckets, "scale": scale, "description": description,
            "payload": payload}


class Train(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data_directory = tempfile.TemporaryDirectory()
        cls.data = os.path.join(cls.data_directory.name, "games")
        made = run("datagen", cls.data, "--games", "60", "--nodes", "40", "--hash", "1", "--seed", "3", "--block", "4")
        assert made.returncode == 0, made

    @classmethod
    def tearDownClass(cls):
        cls.data_directory.cleanup()

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.directory.cleanup()

    def name(self, name):
        return os.path.join(self.directory.name, name)

    def bytes_of(self, name):
        with open(self.name(name), "rb") as file:
            return file.read()

    def words(self, name, *more):
        return ["train", self.data, "--to", self.name(name), "--hidden", "16", "--batch", "256", "--epochs", "4",
                "--held", "100", "--checkpoint", "0", "--nice", "0", *more]

    def good(self, name, *more):
        result = run(*self.words(name, *more))
        self.assertEqual(result.returncode, 0, result)
        return result

    def test_what_it_makes(self):
        result = self.good("net", "--csv", self.name("csv"), "--svg", self.name("svg"), "--scale", "120", "--buckets",
                           "2", "--areas", "4")
        told = dict(line.split(" ", 1) for line in result.stdout.splitlines())
        self.assertEqual(told["epochs"], "4")
        self.assertGreater(int(told["positions_a_second"]), 0)
        self.assertRegex(result.stderr, r"60 games, [1-9]\d* held out; positions [1-9]\d* to learn from")
        fields = network_fields(self.bytes_of("net"))
        self.assertEqual([fields[name] for name in ("areas", "hidden", "buckets", "scale")], [4, 16, 2, 120])
        self.assertIn("hidden 16, buckets 2; epochs 4", fields["description"])
        self.assertTrue(any(fields["payload"]))
        rows = [line.split(",") for line in self.bytes_of("csv").decode().splitlines()]
        self.assertEqual(rows[0], ["epoch", "steps", "rate", "learnt_loss", "held_loss"])
        self.assertEqual([row[0] for row in rows[1:]], ["1", "2", "3", "4"])
        self.assertAlmostEqual(float(rows[4][4]), float(told["held_loss"]), 5)
        lines = xml.dom.minidom.parseString(self.bytes_of("svg")).getElementsByTagName("polyline")
        self.assertEqual([len(line.getAttribute("points").split()) for line in lines], [4, 4])
        self.assertFalse([name for name in os.listdir(self.directory.name) if name.endswith(".part")])

    def test_threads_change_nothing(self):
        self.good("one", "--threads", "1")
        self.good("three", "--threads", "3")
        self.assertEqual(self.bytes_of("one"), self.bytes_of("three"))
        self.good("other", "--seed", "2")
        self.assertNotEqual(self.bytes_of("one"), self.bytes_of("other"))

    def test_survives_kill_9(self):
        """Killed anywhere, begun again: the same network and the same losses; and what is there meanwhile is whole."""
        random.seed(5)
        start = time.monotonic()
        self.good("once", "--csv", self.name("once.csv"))
        length_s = time.monotonic() - start
        killed = finished = partial = 0
        while True:
            words = self.words("killed", "--csv", self.name("killed.csv"))
            child = subprocess.Popen(TOOL + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if killed < KILLS:
                time.sleep(random.random() * length_s / 2)
                child.kill()
            told = child.communicate(timeout=PATIENCE_S)[1]
            killed += child.returncode == -9
            partial += "goes on after" in told
            if os.path.exists(self.name("killed")):
                network_fields(self.bytes_of("killed"))
            if child.returncode == -9:
                continue
            self.assertEqual(child.returncode, 0, told)
            for name in ("", ".csv"):
                self.assertEqual(self.bytes_of("killed" + name), self.bytes_of("once" + name))
            finished += 1
            if killed >= KILLS:
                break
            for name in ("killed", "killed.csv", "killed.state"):
                os.unlink(self.name(name))
        print(f"killed {killed} times, {partial} begun again where it was, {finished} networks: none other than that of "
              "one run", file=sys.stderr)

    def test_goes_on_or_tells_why_not(self):
        self.good("net")
        made = self.bytes_of("net")
        os.unlink(self.name("net"))
        self.assertIn("goes on after 4 epochs", self.good("net").stderr)
        self.assertEqual(self.bytes_of("net"), made)
        result = run(*self.words("net", "--lambda", "0.5"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("other settings", result.stderr)
        self.assertIn("lambda 0.7", result.stderr)
        with open(self.name("net.state"), "r+b") as file:
            file.seek(1000)
            file.write(b"\xff\xfe\xfd")
        result = run(*self.words("net"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("net.state", result.stderr)

    def test_one_at_a_time(self):
        """The second is refused, and the first goes on undisturbed."""
        words = self.words("net", "--epochs", "1000")
        child = subprocess.Popen(TOOL + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(self.name("net.state")):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        result = run(*words)
        self.assertEqual(result.returncode, 1, result)
        self.assertIn("net: another process writes it", result.stderr)
        child.send_signal(signal.SIGINT)
        told = child.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(child.returncode, 0, told)
        self.assertIn("the same words go on", told)
        self.assertFalse(os.path.exists(self.name("net.lock")))

    def test_nothing_needed_is_written_over(self):
        """Whatever a file is called: as it was given, by another way, by a link, or by what stands beside it."""
        games = self.bytes_of(self.data)
        for name in ("games", "games.part", "games.state", "games.lock"):
            shutil.copy(self.data, self.name(name))
        os.symlink(self.name("games"), self.name("soft"))
        os.link(self.name("games"), self.name("hard"))
        place = self.directory.name
        for words in (["games", "--to", "games"], ["games", "--to", "./games"], ["games", "--to", "soft"],
                      ["games", "--to", "hard"], ["games.part", "--to", "games"], ["games.state", "--to", "games"],
                      ["games.lock", "--to", "games"], ["games", "--to", "n", "--csv", "games"],
                      ["games", "--to", "n", "--svg", "hard"], ["games", "--to", "n", "--csv", "n"],
                      ["games", "--to", "n", "--csv", "n.state"], ["games", "--to", "n", "--csv", "./c", "--svg", "c"]):
            result = subprocess.run(TOOL + ["train", *words, "--hidden", "16", "--epochs", "1"], cwd=place,
                                    capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn("would be written over", result.stderr)
            self.assertEqual(len(os.listdir(place)), 6, words)
            self.assertEqual(self.bytes_of("games"), games)
        with open(self.name("letter"), "w") as file:
            file.write("RookNet? No, a letter.")
        result = run(*self.words("letter"))
        self.assertEqual((result.returncode, result.stdout), (1, ""), result)
        self.assertIn("is no network", result.stderr)
        self.assertEqual(self.bytes_of("letter"), b"RookNet? No, a letter.")

    def test_what_is_wrong_is_said(self):
        for words, part in ((["train"], "--to"), (["train", "a"], "--to"), (["train", "--to", "b"], "files of games"),
                            (["train", "a", "--to", "b", "--hidden", "8"], "--hidden"),
                            (["train", "a", "--to", "b", "--lambda", "2"], "--lambda"),
                            (["train", "a", "--to", "b", "--rate", "fast"], "'fast'"),
                            (["train", "a", "--to", "b", "--schedule", "none"], "'none'"),
                            (["train", "a", "--to", "b", "--areas", "3"], "--areas")):
            result = run(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(part, result.stderr)
        result = run("train", "/no/such/file", "--to", self.name("net"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("No such file", result.stderr)
        result = run("train", self.data, "--to", "/no/such/place/net")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/place/net", result.stderr)
        self.assertIn("rookery train", run("train", "--help").stdout)


if __name__ == "__main__":
    TOOL = sys.argv[1:]
    names = []
    if TOOL[0] == "--kills":
        KILLS, TOOL, names = int(TOOL[1]), TOOL[2:], ["Train.test_survives_kill_9"]
    unittest.main(argv=sys.argv[:1] + names)
