#!/usr/bin/env python3
"""promises.py HOST:PORT, or promises.py COMMAND...: random conversations, cut at random, with a server or a program.

However the lines follow each other: one bestmove a go, in order, an exact score before it; one readyok an isready, one
uciok a uci; every line of the shape that docs/uci.md gives it."""

import random
import re
import socket
import subprocess
import sys
import threading
import time

CONVERSATIONS = 16
AT_ONCE = 4
COMMANDS = 100
PIECE_BYTES_MAX = 40
PAUSE_S_MAX = 0.03
SILENCE_S_MAX = 120
LINE_BYTES_MAX = 1024

LINES = """go infinite|go ponder wtime 100 btime 100|go ponder|go depth 3|go depth 8|go nodes 1|go nodes 3000|go|go depth 0
go movetime 3|go movetime 20|go wtime 100 btime 100|go wtime -5 btime 0|go searchmoves e2e5|go infinite searchmoves 0000
stop|stop|stop|stop|stop|ponderhit|ponderhit|isready|isready|uci|ucinewgame|debug on|register later|what is this|  \t
position startpos|position startpos moves e2e4|position startpos moves f2f3 e7e5 g2g4 d8h4|position fen rubbish
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1|position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1
setoption name MultiPV value 3|setoption name MultiPV value 1|setoption name Hash value 8|setoption name Clear Hash
setoption name Threads value 1|setoption name Threads value 2|setoption name UCI_ShowWDL value true
setoption name UCI_LimitStrength value true|setoption name UCI_LimitStrength value false"""
LINES = [line for row in LINES.split("\n") for line in row.split("|")]

MOVE = rb"[a-h][1-8][a-h][1-8][nbrq]?"
INFO = re.compile(rb"info depth 0 score (?:mate|cp) 0|info depth \d+ seldepth \d+ multipv \d+ score (?:cp|mate) -?\d+"
                  rb"( lowerbound| upperbound)?(?: wdl \d+ \d+ \d+)? nodes \d+ nps \d+ hashfull \d+ tbhits \d+ "
                  rb"time \d+ pv(?: " + MOVE + rb")+")
BESTMOVE = re.compile(rb"bestmove (?:\(none\)|" + MOVE + rb"(?: ponder " + MOVE + rb")?)")
OTHER = re.compile(rb"info string [ -~]+|readyok|uciok|id (?:name|author) .+|option name .+")


def connect(target):
    """A socket to talk by, and the process at its other end if there is one."""
    if len(target) == 1 and ":" in target[0]:
        host, port = target[0].rsplit(":", 1)
        talk = socket.create_connection((host, int(port)))
        talk.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return talk, None
    talk, other = socket.socketpair()
    process = subprocess.Popen(target, stdin=other, stdout=other)
    other.close()
    return talk, process


def read_all(talk, into):
    while piece := talk.recv(65536):
        into.append(piece)


def faults(output, sent):
    """What is wrong with all that was answered to the lines sent."""
    lines = output.split(b"\n")
    if lines.pop() != b"":
        yield "the last line has no end"
    is_scored, bestmoves = False, 0
    for line in lines:
        info = INFO.fullmatch(line)
        if len(line) >= LINE_BYTES_MAX or not (info or BESTMOVE.fullmatch(line) or OTHER.fullmatch(line)):
            yield f"a line of no known shape: {line[:200]}"
        if info and info.group(1) is None:
            is_scored = True
        elif line.startswith(b"bestmove"):
            bestmoves += 1
            if not is_scored:
                yield f"no exact score before {line}"
            is_scored = False
    for what, wanted, got in (("go", sum(line.split()[:1] == ["go"] for line in sent), bestmoves),
                              ("isready", sent.count("isready"), lines.count(b"readyok")),
                              ("uci", sent.count("uci"), lines.count(b"uciok"))):
        if wanted != got:
            yield f"{wanted} {what}, {got} answers"


def converse(target, seed, found):
    draw = random.Random(seed)
    talk, process = connect(target)
    talk.settimeout(SILENCE_S_MAX)
    pieces = []
    reader = threading.Thread(target=read_all, args=(talk, pieces))
    reader.start()
    sent = [draw.choice(LINES) for _ in range(COMMANDS)]
    waiting = b""
    for line in sent:
        waiting += line.encode() + draw.choice((b"\n", b"\r\n"))
        while waiting and draw.random() < 0.5:
            cut = draw.choice((len(waiting), draw.randint(1, PIECE_BYTES_MAX)))
            talk.sendall(waiting[:cut])
            waiting = waiting[cut:]
            time.sleep(draw.choice((0, draw.random() * PAUSE_S_MAX)))
    talk.sendall(waiting)
    talk.shutdown(socket.SHUT_WR)
    reader.join()
    talk.close()
    found.extend(f"seed {seed}: {fault}" for fault in faults(b"".join(pieces), sent))
    if process is not None and process.wait() != 0:
        found.append(f"seed {seed}: the program ended with status {process.returncode}")


def main():
    found = []
    for first in range(0, CONVERSATIONS, AT_ONCE):
        talks = [threading.Thread(target=converse, args=(sys.argv[1:], first + i, found)) for i in range(AT_ONCE)]
        for talk in talks:
            talk.start()
        for talk in talks:
            talk.join()
    for fault in found:
        print(fault)
    print(f"{CONVERSATIONS} conversations of {COMMANDS} lines, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
