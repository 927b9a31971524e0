"""A UCI engine as a child process: lines in, lines out, with the clock the caller keeps."""

import contextlib
import os
import select
import subprocess
import time


class EngineGone(Exception):
    """It ended, or said nothing for as long as the caller would wait."""


class Child:
    def __init__(self, command, options=()):
        """EngineGone: it cannot be started, or does not get as far as readyok."""
        self.command = command
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
        except OSError as error:
            raise EngineGone(f"{command[0]} cannot be started: {error.strerror}") from error
        self.pending = b""
        try:
            self.ask("uci", "uciok")
            for name, value in options:
                self.send(f"setoption name {name} value {value}")
            self.ask("isready", "readyok")
        except EngineGone:
            self.close()
            raise

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise EngineGone(f"{self.command[0]} has ended") from error

    def line(self, patience_s=30.0):
        """The next line."""
        deadline = time.monotonic() + patience_s
        while b"\n" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise EngineGone(f"{self.command[0]} said nothing for {patience_s:.0f} s")
            chunk = os.read(self.process.stdout.fileno(), 65536)
            if not chunk:
                raise EngineGone(f"{self.command[0]} has ended")
            self.pending += chunk
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode(errors="replace").rstrip("\r")

    def ask(self, line, last, patience_s=30.0):
        """Sends a line; the lines up to the one that begins with `last`."""
        self.send(line)
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.line(patience_s))
        return lines

    def close(self):
        try:
            self.send("quit")
            self.process.wait(5)
        except (EngineGone, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(BrokenPipeError):  # What it never read.
            self.process.stdin.close()
        self.process.stdout.close()


class Referee:
    """Knows the rules: `rookery` with its word `d`."""

    def __init__(self, tool):
        self.child = Child([tool])

    def set(self, position):
        self.child.send(f"position {position}")

    def outcome(self):
        """`open`, or why the game has ended."""
        return self.child.ask("d", "outcome ")[-1].split()[1]

    def fen(self):
        return next(line[4:] for line in self.child.ask("d", "outcome ") if line.startswith("fen "))

    def moves(self):
        """The legal moves as coordinate text."""
        return [line.split(":")[0] for line in self.child.ask("go perft 1", "Nodes searched") if
                len(line.split(":")[0]) in (4, 5) and ": 1" in line]

    def close(self):
        self.child.close()
