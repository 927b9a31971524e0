#!/usr/bin/env python3
"""`rookeryd` and clients at their worst: strangers, vanishers, floods, slow readers. Whatever one does, the next is
served. Called with the path of rookeryd."""

import ctypes
import http.client
import os
import random
import re
import resource
import select
import socket
import ssl
import struct
import sys
import tempfile
import threading
import time
import unittest

import test_daemon
from test_daemon import PATIENCE_S, Server

SO_ATTACH_FILTER = 26
MATE_IN_ONE = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MIDDLE = "position fen r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16"


def house(*words, **options):
    return Server("--log-level", "info", *words, **options)


def small_client(server, bytes_held=4096):
    """Its kernel takes little before it reads."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, bytes_held)
    link.settimeout(PATIENCE_S)
    link.connect(("127.0.0.1", server.port))
    return link


def drop_packets(link):
    """From now on the kernel drops what comes for this socket, unanswered, as if the cable were cut."""
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
    code = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # Return 0: keep no byte.
    link.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, bytes(Program(1, ctypes.addressof(code))))


def reset(link):
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()


def to_end(link):
    """All that comes, to the end of the stream or a reset."""
    taken = b""
    try:
        while piece := link.recv(65536):
            taken += piece
    except ConnectionResetError:
        pass
    return taken


class Case(unittest.TestCase):
    def serves(self, server):
        """A new client gets a move; one turned away by a full house comes again."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with server.client() as client:
                try:
                    client.send("position startpos\ngo depth 1\n")
                    return self.assertRegex(client.wait("bestmove"), "^bestmove [a-h]")
                except (AssertionError, ConnectionError):
                    time.sleep(0.05)
        self.fail("nobody is served any more")

    def moves_of(self, client, position):
        """The legal ones."""
        client.send(position + "\ngo perft 1\n")
        moves = set()
        while found := re.match(r"(\w+): 1$", client.wait("")):
            moves.add(found.group(1))
        self.assertGreater(len(moves), 1)
        return moves

    def ends_well(self, server, *log_lines):
        status, _, errors = server.end()
        self.assertEqual(status, 0, errors)
        for line in log_lines:
            self.assertRegex(errors, line)


class Strangers(Case):
    def test_http_is_answered_in_http(self):
        with house() as server:
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
            link.request("POST", "/", body="uci\ngo infinite\n")
            answer = link.getresponse()
            self.assertEqual(answer.status, 400)
            self.assertIn(b"UCI", answer.read())
            link.close()
            self.serves(server)
            self.ends_well(server, r"client 1 speaks HTTP", r"client 1 leaves: speaks HTTP")

    def test_tls_is_refused_at_once(self):
        with house() as server:
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as link:
                with self.assertRaises(ssl.SSLError) as raised:
                    ssl.create_default_context().wrap_socket(link, server_hostname="localhost")
                self.assertRegex(str(raised.exception), "(?i)alert handshake failure")
            self.serves(server)
            self.ends_well(server, r"client 1 speaks TLS")

    def test_garbage_disturbs_nobody(self):
        draw = random.Random(1)
        with house() as server, server.client() as player:
            player.ask(MIDDLE + "\ngo infinite\n", "info depth")
            for _ in range(40):
                with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as link:
                    try:
                        for _ in range(draw.randint(1, 5)):
                            link.sendall(draw.randbytes(draw.choice((1, 50, 3000, 70000))))
                    except ConnectionError:
                        pass  # It looked like a stranger's hello.
                    if draw.random() < 0.3:
                        reset(link)
                player.ask("isready\n", "readyok")
            self.assertRegex(player.ask("stop\n", "bestmove"), "^bestmove [a-h]")
            self.serves(server)
            self.ends_well(server)


class Vanishers(Case):
    """One search there is at most; who vanishes must give it to the next."""

    def frees_its_search(self, vanish, *log_lines, unread_s=60):
        with house("--searches-max", "1", "--unread-seconds", str(unread_s)) as server:
            link = small_client(server)
            link.sendall(f"setoption name MultiPV value 5\n{MIDDLE}\ngo infinite\n".encode())
            self.assertIn(b"info", link.recv(100))
            vanish(link)
            self.serves(server)
            link.close()
            self.ends_well(server, *log_lines)

    def test_by_close(self):
        self.frees_its_search(lambda link: link.close())

    def test_by_reset(self):
        self.frees_its_search(reset)

    def test_by_half_close(self):
        def half_close(link):
            link.shutdown(socket.SHUT_WR)
            self.assertIn(b"\nbestmove ", to_end(link))
        self.frees_its_search(half_close, "client 1 leaves: done")

    def test_when_packets_are_dropped(self):
        self.frees_its_search(drop_packets, "client 1 leaves: (connection timed out|reads nothing)", unread_s=2)

    def test_when_the_last_words_are_dropped(self):
        """All is the kernel's already, and only it can tell that nothing arrives."""
        with house("--clients-max", "1", "--unread-seconds", "2") as server:
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as link:
                link.sendall(b"isready\n")
                self.assertEqual(link.recv(100), b"readyok\n")
                drop_packets(link)
                link.sendall(b"isready\n")
                self.serves(server)
            self.ends_well(server, "client 1 leaves: connection timed out")

    def test_when_it_stops_to_read(self):
        self.frees_its_search(lambda link: None, "client 1 leaves: (connection timed out|reads nothing)", unread_s=2)

    def test_with_lines_behind(self):
        def pile_up(link):
            link.sendall(b"go depth 3\n" * 10000)
            link.close()
        self.frees_its_search(pile_up)

    def test_and_comes_back_with_no_time_left(self):
        """A legal move comes, be it the rescue's; and what ran for the session before runs no more."""
        with house("--searches-max", "1") as server:
            for _ in range(20):
                with server.client() as client:
                    client.ask(MIDDLE + "\ngo wtime 60000000 btime 60000000\n", "info depth")
                    reset(client.connection)
                with server.client() as client:
                    move = client.ask(MIDDLE + "\ngo wtime 1 btime 1\n", "bestmove").split()[1]
                    client.ask("go depth 2\n", "bestmove")
                    self.assertIn(move, self.moves_of(client, MIDDLE))
            self.ends_well(server)

    def test_clocks_below_nothing_get_legal_moves(self):
        with house() as server, server.client() as client:
            moves = self.moves_of(client, MIDDLE)
            for clock in ("wtime -50 btime 1000", "wtime 0 btime 0 winc 0", "wtime 1 btime 1 movestogo -3", "movetime 0",
                          "movetime -1", "wtime -99999999999999999999 btime 1", "wtime 50 winc -5 movestogo 0"):
                self.assertIn(client.ask(f"go {clock}\n", "bestmove").split()[1], moves, clock)
            self.ends_well(server)

    def test_the_only_place_is_free_again(self):
        """As behind a proxy that lets one client in at a time."""
        with house("--clients-max", "1") as server:
            for i in range(30):
                with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as link:
                    link.sendall(b"uci\ngo infinite\n")
                    link.shutdown(socket.SHUT_WR)
                    taken = to_end(link)
                    self.assertIn(b"uciok", taken, f"round {i}: {taken}")
                    self.assertIn(b"bestmove", taken)
            self.ends_well(server)


class Floods(Case):
    def test_ten_thousand_commands_in_one_breath(self):
        rounds = 2000
        with house() as server, server.client() as client, server.client() as other:
            burst = "isready\nposition startpos moves e2e4\nuci\nposition fen rubbish\nsetoption name MultiPV value 2\n"
            sender = threading.Thread(target=client.send, args=(burst * rounds + "go nodes 1\n",))
            sender.start()
            other.ask("go depth 4\n", "bestmove")
            counts = {b"readyok": 0, b"uciok": 0, b"info string position refused": 0}
            for line in client.connection.makefile("rb"):
                for start in counts:
                    counts[start] += line.startswith(start)
                if line.startswith(b"bestmove"):
                    break
            sender.join()
            self.assertEqual(set(counts.values()), {rounds}, counts)
            self.ends_well(server)

    def test_a_game_byte_by_byte(self):
        talk = "uci\nucinewgame\nposition startpos moves e2e4 e7e5\ngo nodes 100\nisready\n"
        with house() as server, server.client() as client:
            client.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in talk:
                client.send(byte)
            for start in ("uciok", "info depth", "bestmove"):
                client.wait(start)
            client.ask("isready\n", "readyok")
            self.ends_well(server)

    def test_a_line_without_end(self):
        with house() as server, server.client() as client:
            for _ in range(30):
                client.send("position startpos moves " + "e2e4 " * 10000)
            self.assertIn("65536", client.ask("\nisready\n", "info string"))
            client.wait("readyok")
            self.ends_well(server)

    def test_more_clients_than_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (96, 96))
        with house(preexec_fn=limit) as server:
            links = [server.client() for _ in range(80)]
            served, refused = 0, 0
            for client in links:
                try:
                    client.send("isready\n")
                    answer = client.lines.readline()
                except ConnectionError:
                    answer = ""
                served += answer == "readyok\n"
                refused += "full" in answer
            self.assertGreater(served, 10)
            self.assertEqual(served + refused, len(links))
            links[0].ask("isready\n", "readyok")
            for client in links:
                client.__exit__()
            self.serves(server)
            self.ends_well(server, "clients turned away", "only 96 files may be open")


class Waiters(Case):
    def test_a_rescue_comes_after_a_long_turn(self):
        """Each go comes at the end of a long turn, in a house where nothing else wakes the loop."""
        shuffle = "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 700 + "\n"
        with house("--searches-max", "1") as server, server.client() as holder, server.client() as client:
            holder.ask("position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1\ngo infinite\n", "info depth")
            for i in range(5):
                time.sleep(0.033 * i)  # At any distance from a tick.
                client.ask(shuffle + "isready\n", "readyok")
                client.ask(shuffle + "go movetime 100\n", "info string overloaded")
                client.wait("bestmove")
            self.ends_well(server)


class Readers(Case):
    def slow_lines(self, link, stop_at, bytes_per_s):
        """Reads at that pace to a line that starts so; all lines up to it."""
        taken = b""
        while not re.search(b"^" + stop_at + b".*\n", taken, re.M):
            piece = link.recv(bytes_per_s // 8)
            self.assertTrue(piece, "the stream has ended")
            taken += piece
            time.sleep(0.125)
        return taken.decode().split("\n")[:-1]

    def blocks_are_whole(self, lines, count):
        numbers = [int(found.group(1)) for line in lines if (found := re.search(r" multipv (\d+) ", line))]
        self.assertEqual(len(numbers) % count, 0)
        self.assertEqual(numbers, list(range(1, count + 1)) * (len(numbers) // count))

    def test_a_slow_one_gets_whole_blocks_and_the_newest(self):
        with house("--log-level", "info") as server:
            link = small_client(server)
            link.sendall(f"setoption name MultiPV value 5\n{MIDDLE}\ngo infinite\n".encode())
            time.sleep(3)  # The depths of three seconds are more than the buffers hold.
            link.sendall(b"stop\n")
            lines = self.slow_lines(link, b"bestmove", 4000)
            self.blocks_are_whole(lines, 5)
            depths = [int(found.group(1)) for line in lines if (found := re.match(r"info depth (\d+) ", line))]
            self.assertEqual(depths[-1], max(depths))  # What was dropped, if anything, was older.
            self.assertLess(sum(map(len, lines)), 48 * 1024)
            link.close()
            self.serves(server)
            status, _, errors = server.end()
            self.assertEqual(status, 0, errors)
            queued = re.search(r"client 1 leaves: .*; at most (\d+) bytes waited", errors)
            self.assertIn(int(queued.group(1)), range(300, 64 * 1024 + 1))

    def test_a_burst_of_depths(self):
        with house() as server:
            link = small_client(server)
            for _ in range(3):
                link.sendall(f"{MATE_IN_ONE}\ngo depth 200\n".encode())
                lines = self.slow_lines(link, b"bestmove", 8000)
                self.assertEqual(lines[-1][:13], "bestmove a1a8")
                self.assertRegex(lines[-2], r"^info depth .* score mate 1 .* pv a1a8")
            link.close()
            self.ends_well(server)

    def test_one_who_reads_nothing_keeps_nobody_waiting(self):
        with house("--unread-seconds", "1") as server, server.client() as other:
            link = small_client(server)
            link.setblocking(False)
            try:
                for _ in range(10000):
                    link.sendall(b"uci\n" * 100)
            except (BlockingIOError, ConnectionError):
                pass  # The server takes no more while its answers are not read.
            other.ask("go depth 3\n", "bestmove")
            end = select.poll()
            end.register(link, 0)  # Asks for nothing but its end.
            self.assertTrue(end.poll(PATIENCE_S * 1000))
            link.close()
            self.serves(server)
            self.ends_well(server, "client 2 leaves: (connection timed out|reads nothing)")


class Options(Case):
    def test_no_option_opens_a_file(self):
        with tempfile.TemporaryDirectory() as folder, house() as server, server.client() as client:
            for name in ("Debug Log File", "EvalFile", "SyzygyPath", "BookFile", "LogFile", "NNUE", "Contempt File"):
                client.send(f"setoption name {name} value {folder}/x\n")
            client.ask("go depth 2\n", "bestmove")
            self.assertEqual(os.listdir(folder), [])
            self.ends_well(server)


if __name__ == "__main__":
    test_daemon.DAEMON = sys.argv.pop()
    unittest.main()
