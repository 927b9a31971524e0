#!/usr/bin/env python3
"""`load` must notice a server that lies. Between it and a true rookeryd stands one that changes a little of what the
server says; without that change there must be no fault. Called with the paths of load and rookeryd."""

import itertools
import re
import socket
import subprocess
import sys
import threading
import unittest

LOAD, DAEMON = "", ""
EVERY = 3  # Of the lines that a lie is about, so many are true for each that is not.
WORDS = ("--mix", "bots=1,movers=1,analysts=1,watchers=1,pingers=1,tinkerers=1", "--seconds", "3", "--grace-ms", "20000")


def lose(line):
    return b""


def double(line):
    return line + line


def borrow(line):
    """As if it came from a search of another position."""
    return re.sub(rb" pv .*", b" pv a1h8", line)


def misplace(line):
    return re.sub(rb"^bestmove \S+", b"bestmove a1h8", line)


def chatter(line):
    return line + b"info depth 1 score cp 0\n"


def cut(line):
    return line[:-3] + b"\n"


def hurry(line):
    return line + b"bestmove e2e4\n"


def end(link):
    try:
        link.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It has ended.


class Liar:
    """Listens for load's clients and passes everything on; of the lines that start with `about`, not all as they
    were."""

    def __init__(self, port, about, lie):
        self.port, self.about, self.lie = port, about, lie
        self.turns = itertools.count(1)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.converse, args=(client,), daemon=True).start()

    def converse(self, client):
        with client, socket.create_connection(("127.0.0.1", self.port)) as server:
            for link in (client, server):
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            up = threading.Thread(target=self.pass_up, args=(client, server), daemon=True)
            up.start()
            self.pass_down(client, server)
            up.join()

    @staticmethod
    def pass_up(client, server):
        try:
            while piece := client.recv(65536):
                server.sendall(piece)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            end(server)

    def pass_down(self, client, server):
        try:
            with server.makefile("rb") as lines:
                for line in lines:
                    if line.startswith(self.about) and self.lie is not None and next(self.turns) % EVERY == 0:
                        line = self.lie(line)
                    client.sendall(line)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            end(client)
            end(server)


class Lies(unittest.TestCase):
    """All are told at the same time, as what takes long is load's patience with what never comes."""

    LIES = {
        "none": (b"", None),
        "second bestmove": (b"bestmove", double),
        "lost bestmove": (b"bestmove", lose),
        "illegal bestmove": (b"bestmove", misplace),
        "bestmove before stop": (b"info depth 2 ", hurry),
        "lost readyok": (b"readyok", lose),
        "second readyok": (b"readyok", double),
        "lost uciok": (b"uciok", lose),
        "lines after bestmove": (b"bestmove", chatter),
        "cut lines": (b"info depth", cut),
        "another's lines": (b"info depth", borrow),
    }
    WORDS = {  # In the lines that tell a fault.
        # Whichever it looks like to a client that may by then have said `go` again.
        "second bestmove": "bestmove (without a go|before stop|is none of|without a score)",
        "lost bestmove": "overdue: [1-9][0-9]* bestmove",
        "illegal bestmove": "bestmove is none of the moves asked for",
        "bestmove before stop": "bestmove",
        "lost readyok": "overdue: .*[1-9][0-9]* readyok",
        "second readyok": "an answer to nothing",
        "lost uciok": "overdue: .*[1-9][0-9]* uciok",
        "lines after bestmove": "a line of no known shape",
        "cut lines": ".",
        "another's lines": "a line that begins with a move nobody asked for",
    }

    def test_all_are_noticed_and_the_truth_passes(self):
        with subprocess.Popen([DAEMON, "--listen", "127.0.0.1:0", "--hash", "16", "--threads", "2"],
                              stdout=subprocess.PIPE, text=True) as server:
            port = int(re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline()).group(1))
            liars = {name: Liar(port, *lie) for name, lie in self.LIES.items()}
            loads = {name: subprocess.Popen([LOAD, *WORDS, "--connect", liar.address], text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                     for name, liar in liars.items()}
            results = {name: (load.communicate(timeout=120)[0], load.returncode) for name, load in loads.items()}
            server.terminate()
        for name, (output, status) in results.items():
            liars[name].listener.close()
            with self.subTest(lie=name):
                self.assertEqual(status != 0, name != "none", output)
                faults = "\n".join(re.findall("load: fault: .*", output))
                self.assertRegex(faults, self.WORDS.get(name, "^$"))


if __name__ == "__main__":
    LOAD, DAEMON = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
