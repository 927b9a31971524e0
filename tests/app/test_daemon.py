#!/usr/bin/env python3
"""`rookeryd` from outside: its words and exit status, the one line it says, signals, what a service manager does.
Called with the path of rookeryd."""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support import paper_network  # noqa: E402

DAEMON = ""
TABLES = os.path.realpath(os.path.join(os.path.dirname(__file__), "../data/syzygy"))
PATIENCE_S = 120  # Only a hang takes so long.
SMALL = ("--hash", "16", "--threads", "2")


def run(*words):
    return subprocess.run([DAEMON, *words], capture_output=True, text=True, timeout=PATIENCE_S)


class Server:
    """A running daemon; `with` ends it."""

    def __init__(self, *words, listen="127.0.0.1:0", **options):
        self.process = subprocess.Popen([DAEMON, *(("--listen", listen) if listen else ()), *SMALL, *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.ready = self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", self.ready)
        self.port = int(found.group(1)) if found else 0

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def client(self):
        return Client(socket.create_connection(("127.0.0.1", self.port), PATIENCE_S))

    def end(self, number=signal.SIGTERM):
        """Status, the rest of stdout, stderr."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, output, errors


class Client:
    def __init__(self, connection):
        self.connection = connection
        self.lines = connection.makefile("r")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.lines.close()
        self.connection.close()

    def send(self, text):
        self.connection.sendall(text.encode())

    def wait(self, start):
        for line in self.lines:
            if line.startswith(start):
                return line.rstrip("\n")
        raise AssertionError(f"the stream ended before '{start}'")

    def ask(self, text, start):
        self.send(text)
        return self.wait(start)


class Words(unittest.TestCase):
    def refuses(self, words, status, *parts):
        result = run(*words)
        self.assertEqual(result.returncode, status, result)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_help_and_version(self):
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for name in ("--config", "--check-config", "--listen", "--threads", "--hash", "--clients-max"):
            self.assertIn(name, result.stdout)
        self.assertEqual(run("-h").stdout, result.stdout)
        self.assertRegex(run("--version").stdout, r"^rookeryd \d+\.\d+\.\d+")
        for word in ("--help", "--version", "--print-config", "--check-config"):
            with open("/dev/full", "w") as full:
                said = subprocess.run([DAEMON, word], stdout=full, timeout=PATIENCE_S)
            self.assertEqual(said.returncode, 1, word)

    def test_what_is_wrong_is_said(self):
        self.refuses(["nonsense"], 2, "nonsense", "--help")
        self.refuses(["--"], 2, "--help")
        self.refuses(["--speed", "1"], 2, "there is no option '--speed'", "--help")
        self.refuses(["--speed"], 2, "there is no option '--speed'", "--help")
        self.refuses(["--threads"], 2, "--threads", "a value must follow")
        self.refuses(["--threads", "0"], 2, "threads", "'0'", "1 to 1024")
        self.refuses(["--hash=1x"], 2, "hash", "'1x'")
        self.refuses(["--help=yes"], 2, "no value")
        self.refuses(["--listen", "9824"], 2, "listen", "ADDR:PORT")
        self.refuses(["--config", "/nowhere/at/all"], 2, "/nowhere/at/all", "No such file")
        self.refuses(["--listen", "203.0.113.1:1", *SMALL], 1, "203.0.113.1:1")
        self.refuses(["--listen", "unix:/nowhere/at/all", *SMALL], 1, "unix:/nowhere/at/all", "no such file",
                     "directory must be there")

    def test_a_file_is_checked(self):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("# fine\nthreads = 2\n")
            file.flush()
            result = run("--check-config", "--config", file.name)
            self.assertEqual((result.returncode, result.stdout), (0, f"{file.name}: ok\n"))
            file.write("hash = much\n")
            file.flush()
            self.refuses(["--check-config", "--config", file.name], 2, f"{file.name}:3: hash: 'much'")
            self.refuses(["--config", file.name], 2, f"{file.name}:3: hash: 'much'")

    def test_a_network_is_checked(self):
        with tempfile.NamedTemporaryFile("wb", suffix=".network") as file:
            file.write(paper_network.network()[:-1])
            file.flush()
            self.refuses(["--eval-file", file.name], 2, f"eval_file '{file.name}': it has", "cut short")
            self.refuses(["--check-config", "--eval-file", file.name], 2, "cut short")
            file.seek(0)
            file.write(paper_network.network())
            file.flush()
            result = run("--check-config", "--eval-file", file.name)
            self.assertEqual((result.returncode, result.stdout), (0, "options: ok\n"))
            with Server("--eval-file", file.name, "--log-level", "info") as server:
                with server.client() as client:
                    score = client.ask("position fen rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                                       "go depth 2\n", "info depth 2")
                    self.assertGreater(int(re.search(r"score cp (\d+)", score).group(1)), 700)
                self.assertIn(f"evaluation by {file.name}: counts men\n", server.end()[2])
        self.refuses(["--eval-file", "/nowhere/at/all"], 2, "/nowhere/at/all", "No such file")

    def test_the_printed_config_is_fine(self):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write(run("--print-config").stdout.replace("#threads = auto", "threads = 3"))
            file.flush()
            self.assertEqual(run("--check-config", "--config", file.name).returncode, 0)


class Life(unittest.TestCase):
    def test_one_line_and_nothing_else(self):
        with Server() as server:
            self.assertRegex(server.ready, r"^rookeryd \S+ ready on 127\.0\.0\.1:\d+, 2 threads, hash 16 MiB\n$")
            with server.client() as client:
                client.ask("uci\n", "uciok")
                client.ask("position startpos\ngo depth 3\n", "bestmove")
            self.assertEqual(server.end(), (0, "", ""))

    def test_a_large_table_is_told_of_beforehand(self):
        """It is not waited for: that would take seconds and all the memory there is."""
        process = subprocess.Popen([DAEMON, "--listen", "127.0.0.1:0", "--hash", "2048"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        said = process.stderr.readline()
        process.kill()
        process.communicate()
        self.assertRegex(said, "^warning: preparing a table of 2048 MiB: about a second for each GiB\n$")

    def test_an_address_in_use(self):
        with Server() as server:
            result = run("--listen", f"127.0.0.1:{server.port}", *SMALL)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("in use", result.stderr)
            self.assertIn("--listen", result.stderr)

    def test_a_file_and_words_over_it(self):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("listen = 127.0.0.1:1\nthreads = 1\nhash = 32\n")
            file.flush()
            with Server("--config", file.name) as server:
                self.assertIn("2 threads, hash 16 MiB", server.ready)
                self.assertNotIn("127.0.0.1:1,", server.ready)
                self.assertEqual(server.end()[0], 0)

    def signal_keeps_promises(self, number):
        with Server() as server, server.client() as timed, server.client() as open_ended:
            timed.ask("go movetime 500\n", "info depth")
            open_ended.ask("go infinite\n", "info depth")
            status = server.end(number)
            open_ended.wait("bestmove")
            timed.wait("bestmove")
            self.assertEqual(open_ended.lines.read(), "")
            self.assertEqual(status, (0, "", ""))

    def test_sigterm_drains(self):
        self.signal_keeps_promises(signal.SIGTERM)

    def test_sigint_drains(self):
        self.signal_keeps_promises(signal.SIGINT)

    def test_a_second_signal_ends_at_once(self):
        with Server() as server, server.client() as client:
            client.ask("go movetime 3600000\n", "info depth")
            server.process.send_signal(signal.SIGTERM)
            client.wait("info string the server is shutting down")
            status, output, _ = server.end(signal.SIGTERM)
            self.assertEqual((status, output), (1, ""))

    def test_clients_are_logged_when_asked_for(self):
        with Server("--log-level", "info") as server:
            with server.client() as client:
                client.ask("uci\n", "uciok")
                client.send("quit\n")
                self.assertEqual(client.lines.read(), "")
            status, _, errors = server.end()
            self.assertEqual(status, 0)
            self.assertIn("client 1 comes\n", errors)
            leaves = r"client 1 leaves: done; at most (\d+) bytes waited, 0 blocks were dropped\n"
            left = re.search(leaves, errors)
            self.assertGreater(int(left.group(1)), 100)  # What uci is answered with.


class Tablebases(unittest.TestCase):
    POSITION = "position fen 8/8/8/4k3/8/8/8/KQ5r w - - 0 1\n"

    def test_they_are_the_operators(self):
        for words in (("--syzygy", TABLES), ("--syzygy-path", f"/no/such:{TABLES}")):
            with Server(*words) as server, server.client() as client:
                if "tablebases" not in server.ready:
                    self.assertIn("reads no tablebases", server.end()[2])
                    self.skipTest("a build without tablebases")
                self.assertRegex(server.ready, r", hash 16 MiB, tablebases of 4 men\n$")
                line = client.ask("setoption name SyzygyPath value /etc\n", "info string")
                self.assertIn("SyzygyPath is the operator's to choose", line)
                line = client.ask(f"{self.POSITION}go depth 3\n", "info depth 3")
                self.assertRegex(line, r"score (mate \d|cp 1999\d) .* tbhits [1-9]")
                line = client.ask("setoption name SyzygyProbeLimit value 0\ngo depth 2\n", "info depth 2")
                self.assertIn(" tbhits 0 ", line)
                status, _, errors = server.end()
                self.assertEqual(status, 0)
                self.assertEqual(errors.count("/no/such"), len(words[1].split(":")) - 1)

    def test_broken_ones_are_named_and_survived(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/KQvK.rtbw", "wb") as file:
                file.write(b"nonsense" * 34)
            with Server("--syzygy", folder) as server, server.client() as client:
                self.assertNotIn("tablebases", server.ready)
                client.ask(f"{self.POSITION}go depth 3\n", "bestmove")
                status, _, errors = server.end()
                self.assertEqual(status, 0)
                self.assertIn("syzygy_path: ", errors)
                if "reads no tablebases" not in errors:
                    self.assertIn(f"syzygy_path: {folder}/KQvK.rtbw is not what its name says\n", errors)


class Keys(unittest.TestCase):
    def test_no_two_daemons_have_the_same(self):
        """In a small table another position gives way under other keys, so the same search goes another way."""
        ways = set()
        for _ in range(3):
            with Server("--hash", "1", "--threads", "1") as server, server.client() as client:
                client.send("position startpos\ngo depth 13\n")
                way = ""
                while not (line := client.wait("")).startswith("bestmove"):
                    way += " ".join(re.findall(r"(?:depth|nodes|hashfull) \d+", line)) + "\n"
                ways.add(way)
        self.assertGreater(len(ways), 1, ways)


class Manager(unittest.TestCase):
    """What systemd does, without systemd."""

    def test_it_is_told_and_fed(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(f"{folder}/notify")
            manager.settimeout(PATIENCE_S)
            environment = {**os.environ, "NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": "200000"}
            with Server(env=environment) as server:
                self.assertEqual(manager.recv(100), b"READY=1")
                self.assertEqual(manager.recv(100), b"WATCHDOG=1")
                self.assertEqual(manager.recv(100), b"WATCHDOG=1")
                server.process.send_signal(signal.SIGTERM)
                heard = b""
                while heard != b"STOPPING=1":  # Read first: what nobody reads may fill up.
                    heard = manager.recv(100)
                server.process.communicate(timeout=PATIENCE_S)
                self.assertEqual(server.process.returncode, 0)

    def test_it_is_told_though_its_queue_was_full(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, \
                socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            manager.bind(f"{folder}/notify")
            manager.settimeout(PATIENCE_S)
            other.setblocking(False)
            filled = 0
            with contextlib.suppress(BlockingIOError):
                while True:
                    other.sendto(b"X=1", f"{folder}/notify")
                    filled += 1
            with Server(env={**os.environ, "NOTIFY_SOCKET": f"{folder}/notify"}) as server:
                with server.client() as client:
                    client.ask("isready\n", "readyok")  # So READY=1 has been tried.
                for _ in range(filled):
                    self.assertEqual(manager.recv(100), b"X=1")
                self.assertEqual(manager.recv(100), b"READY=1")
                self.assertEqual(server.end()[0], 0)

    def test_it_passes_sockets(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            port = listener.getsockname()[1]

            def pass_on():
                os.dup2(listener.fileno(), 3)
                os.set_inheritable(3, True)

            # LISTEN_PID is the child's own number, which only a shell in between can know.
            command = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "{DAEMON}" {" ".join(SMALL)}'
            process = subprocess.Popen(["/bin/sh", "-c", command], stdout=subprocess.PIPE, text=True,
                                       preexec_fn=pass_on, close_fds=False)
            try:
                self.assertIn(f"ready on 127.0.0.1:{port}, 2 threads", process.stdout.readline())
                with Client(socket.create_connection(("127.0.0.1", port), PATIENCE_S)) as client:
                    client.ask("isready\n", "readyok")
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(PATIENCE_S), 0)
            finally:
                process.kill()
                process.wait()
                process.stdout.close()


if __name__ == "__main__":
    DAEMON = sys.argv.pop()
    unittest.main()
