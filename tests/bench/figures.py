#!/usr/bin/env python3
"""Measures again what the project promises, and tells name, reach, measured, verdict.
figures.py [NAME]... measures those alone; `figures.py --list` names them. Ratios are the median of 11 interleaved
pairs, with the interval between the second and the tenth of them (99 % for the median). What is not the project's to
give away is named in the environment:
    ROOKERY_BENCH48=FILE       the 48 FENs of Stockfish's bench
    ROOKERY_MATES=DIRECTORY    mate_in_2.epd to mate_in_8.epd
    ROOKERY_OPENINGS=FILE      balanced openings for games, FENs or EPDs; random moves that are about even without it
    ROOKERY_FASTCHESS=PROGRAM  fastchess is the games' referee when it is found there or on the PATH, else `rookery`
    ROOKERY_BEFORE=PROGRAM     build/release/bin/rookery of the commit to compare with, in its own work tree"""

import argparse
import contextlib
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from match import match  # noqa: E402
from support import fastchess  # noqa: E402
from support.uci_child import Child  # noqa: E402

import suites  # noqa: E402
import time_to_depth  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build/release/bin"
TOOL = str(BIN / "rookery")
GAMES_DIR = "/usr/games/"  # Where Debian keeps engines.
STOCKFISH_NPS = ["bench", "16", "1", "13", "default", "depth", "classical"]
PAIRS = 11
FIGURES = []


class Unmeasured(Exception):
    """Says what is missing, and how to give it."""


def figure(name, what, reach):
    """Registers a measurement: a function that returns (text, whether the reach is met), None where there is nothing yet
    that it could be compared with."""
    def register(measure):
        FIGURES.append((name, what, reach, measure))
        return measure
    return register


def needed(variable, what):
    """The path that an environment variable names."""
    path = os.environ.get(variable)
    if path is None or not pathlib.Path(path).exists():
        raise Unmeasured(f"{what} is no part of the project: {variable} must name it")
    return path


def said(command, pattern):
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(pattern, result.stdout + result.stderr, re.M)
    if found is None:
        raise Unmeasured(f"{command[0]} did not say what was asked, {pattern}")
    return float(found.group(1))


def ratio(first, second):
    """Median and interval of first()/second(), run in turn."""
    ratios = sorted(first() / second() for _ in range(PAIRS))
    return ratios[PAIRS // 2], f"{ratios[PAIRS // 2]:.3f} [{ratios[1]:.3f}, {ratios[-2]:.3f}]"


def bench_nps(*options):
    return said([TOOL, "bench", *options], r"^nps (\d+)$")


@figure("perft", "perft 6 from the start, one thread, time against Stockfish 15.1", "<= 0.6")
def measure_perft():
    def seconds(child):
        start = time.monotonic()
        child.ask("go perft 6", "Nodes searched: 119060324")
        return time.monotonic() - start

    with (contextlib.closing(Child([TOOL])) as own, contextlib.closing(Child([GAMES_DIR + "stockfish"])) as other):
        median, text = ratio(lambda: seconds(own), lambda: seconds(other))
    return text, median <= 0.6


@figure("repeat", "`rookery bench` on one thread counts the same, three times", "equal")
def measure_repeat():
    counts = {said([TOOL, "bench"], r"^nodes (\d+)$") for _ in range(3)}
    return f"{', '.join(f'{count:.0f}' for count in counts)}", len(counts) == 1


@figure("nps", "nodes a second of bench against Stockfish 15.1 without its network", ">= 1.2")
def measure_nps():
    median, text = ratio(bench_nps, lambda: said([GAMES_DIR + "stockfish", *STOCKFISH_NPS],
                                                 r"^Nodes/second\s*: (\d+)"))
    return text, median >= 1.2


@figure("tablebases", "instructions of bench with tablebases open over without, where they know nothing", "<= 1.02")
def measure_tablebases():
    """Tables of an ending that the bench never comes to: every position of few men is asked about all the same."""
    def count(*options):
        told = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", TOOL, "bench",
                               "--depth", "8", *options], capture_output=True, text=True, check=True)
        return [int(re.search(pattern, told.stdout + told.stderr, re.M).group(1))
                for pattern in (r"^nodes (\d+)$", r"Collected : (\d+)")]

    with tempfile.TemporaryDirectory() as folder:
        for table in ("KBNvK", "KBvK", "KNvK"):
            for kind in (".rtbw", ".rtbz"):
                shutil.copy(ROOT / f"tests/data/syzygy/{table}{kind}", folder)
        without, opened = count(), count("--syzygy", folder)
    text = f"{opened[1] / without[1]:.4f} at {without[0]} and {opened[0]} nodes"
    return text, opened[0] == without[0] and opened[1] <= 1.02 * without[1]


@figure("evalspeed", "evaluations a second by a 768>128x2>1 network, one thread, incremental over from scratch", ">= 3")
def measure_evalspeed():
    said_lines = subprocess.run([str(BIN / "bench_nnue")], capture_output=True, text=True, check=True).stdout
    told = {line.split()[0]: float(line.split()[1]) for line in said_lines.splitlines()}
    return "{incremental:.0f}, {scratch:.0f}: {ratio:.2f}".format(**told), told["ratio"] >= 3


NODECOST_DEPTHS = ("1", "6")


def instructions_a_node(tool):
    """Of the search alone: what a deeper bench takes more. Under valgrind, which has AVX2 and no AVX-512: so of the library
    for x86-64-v3."""
    counts = []
    for depth in NODECOST_DEPTHS:
        result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tool, "bench",
                                 "--depth", depth], capture_output=True, text=True, check=True)
        counts.append((float(re.search(r"Collected : (\d+)", result.stderr).group(1)),
                       float(re.search(r"^nodes (\d+)$", result.stdout, re.M).group(1))))
    return (counts[1][0] - counts[0][0]) / (counts[1][1] - counts[0][1])


BEFORE = "a rookery of the commit to compare with"


@figure("nodecost", "instructions a node over those of ROOKERY_BEFORE", "<= 1.2")
def measure_nodecost():
    now, before = instructions_a_node(TOOL), instructions_a_node(needed("ROOKERY_BEFORE", BEFORE))
    return f"{now:.0f} over {before:.0f}: {now / before:.3f}", now / before <= 1.2


@figure("threads", "nodes a second, two threads over one, a second a search", ">= 1.95")
def measure_threads():
    pairs = subprocess.run([str(BIN / "bench_nps"), str(PAIRS), "1000"], capture_output=True, text=True, check=True)
    told = re.search(r"^nodes a second, two threads over one: ([\d.]+) \((.+) to (.+)\)$", pairs.stdout, re.M)
    return "{} [{}, {}]".format(*told.groups()), float(told.group(1)) >= 1.95


@figure("tactics", "wacnew.epd, 1 s a position, one thread", ">= 285 of 300")
def measure_tactics():
    found = suites.measure(suites.SUITES[0])
    return found, int(found.split()[0]) >= 285


@figure("epd", "test suites of docs/search.md, each within its limit, one thread", "no worse than told there; "
        "mates in 2 to 4 all as short as can be within 5 s")
def measure_epd():
    needed("ROOKERY_MATES", "the folder of mates")
    verdicts, texts = [], []
    for suite in suites.SUITES:
        found = suites.measure(suite)
        text, is_good = suites.verdict(suite, found)
        verdicts.append(is_good)
        texts.append(f"{suite.name} {suites.limit_of(suite)} {found} ({text})")
        print(suites.row(suite, found), flush=True)
    return "; ".join(texts), all_met(verdicts)


def all_met(verdicts):
    """One for all: a single one not met is the whole's; else what is compared with nothing makes the whole so."""
    return False if False in verdicts else None if None in verdicts else True


def ablated(technique, *options):
    """`rookery ablate` of one technique: its rows by (technique, mode), each a dict by column."""
    command = [TOOL, "ablate", technique, "--csv", "-", *options]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {(row["technique"], row["mode"]): row for row in csv.DictReader(told.splitlines())}


@figure("plain6", "plain search, six positions, depth 7: nodes saved by killers + countermoves + history", ">= 42 %")
def measure_plain6():
    joined = "killers+countermoves+history"
    saved = -float(ablated(joined, "--plain", "--repeat-ms", "0")[joined, "only"]["nodes_change_pct"])
    return f"{saved:.1f} %", saved >= 42


@figure("plain48", "plain search, bench48, depth 4: nodes and time saved by history alone", ">= 34.4 % each")
def measure_plain48():
    fens = needed("ROOKERY_BENCH48", "the file of 48 FENs")
    row = ablated("history", "--plain", "--depth", "4", "--fens", fens)["history", "only"]
    nodes, seconds = -float(row["nodes_change_pct"]), -float(row["time_change_pct"])
    return f"{nodes:.1f} % of the nodes, {seconds:.1f} % of the time", min(nodes, seconds) >= 34.4


@figure("firstmove", "full search, bench48, depth 12: cut-offs that the first move tried brings", ">= 90 %")
def measure_firstmove():
    fens = needed("ROOKERY_BENCH48", "the file of 48 FENs")
    row = ablated("history", "--depth", "12", "--repeat-ms", "0", "--fens", fens)["nothing", "off"]
    share = float(row["first_move_cutoff_pct"])
    return f"{share:.1f} % ({row['nodes']} nodes)", share >= 90


@figure("timetodepth", "time to depth on 30 positions, two threads over one, geometric mean of 3 runs, Stockfish 15.1 "
        "and Ethereal 12 in turn with it", "ahead of both")
def measure_timetodepth():
    told = time_to_depth.measure(time_to_depth.ENGINES, shows=False)
    own, *others = told
    return time_to_depth.text_of(told), own.silences == 0 and all(own.ratio > other.ratio for other in others)


def played(a, b, games, least_pct, *options):
    """A match, with the referee and the openings that the environment names."""
    referee = "fastchess" if fastchess.program() else "rookery"
    openings = ["--openings", os.environ["ROOKERY_OPENINGS"]] if "ROOKERY_OPENINGS" in os.environ else []
    words = match.arguments(["--games", str(games), "--referee", referee, *openings, *options, a, b])
    pairs = match.run(words, shows=False)
    unended = match.unended_text(pairs, games)
    is_met = 100 * match.mean(pairs) >= least_pct and not match.faults(pairs, "A") and not unended
    book = pathlib.Path(openings[1]).name if openings else "random moves"
    text = f"{match.summary(pairs)}; {match.faults_text(pairs)}{unended}; referee {referee}; openings: {book}"
    return text, is_met


TWO_AT_ONCE = ("--jobs", "2")
LONG = ("--time", "8", "--increment", "0.08")
ALONE, PAIR = "rookery:Threads=1,Hash=64", "rookery:Threads=2,Hash=64"
FIFTY_ELO_PCT = 57.15
# Name, what, opponent, games, least score in %, further words of match.py. Left to itself glaurung takes two threads,
# and both old ones play from books of their own.
GAMES_FIGURES = [
    ("glaurung200", "200 games against glaurung, 2 s + 0.02 s", "glaurung:Threads=1,OwnBook=false,Hash=64", 200, 92,
     ()),
    ("toga200", "200 games against toga2, 2 s + 0.02 s", "toga2:OwnBook=false,Hash=64", 200, 80, ()),
    ("ethereal100", "100 games against Ethereal 12, 8 s + 0.08 s", "ethereal-chess:Threads=1,Hash=64", 100, 35, LONG),
    ("skill3", "60 games against Stockfish 15.1 at Skill Level 3, 1 s a move",
     "stockfish:Skill Level=3,Threads=1,Hash=64", 60, 99, ("--movetime", "1")),
]


def register_games(name, what, opponent, games, least_pct, options):
    def measure():
        return played(ALONE, GAMES_DIR + opponent, games, least_pct, *TWO_AT_ONCE, *options)
    figure(name, what + ", one thread each, 64 MiB", (f">= {least_pct} %, " if least_pct else "") + "no fault")(measure)


for games_figure in GAMES_FIGURES:
    register_games(*games_figure)


BEFORE_PCT = 70.34  # +150 Elo.


@figure("before600", "600 games against ROOKERY_BEFORE, 2 s + 0.02 s, one thread each, 64 MiB",
        ">= +150 Elo, no fault")
def measure_before():
    return played(ALONE, needed("ROOKERY_BEFORE", BEFORE) + ":Threads=1,Hash=64", 600, BEFORE_PCT, *TWO_AT_ONCE)


@figure("twothreads", "300 games of two threads against one, 2 s + 0.02 s, one at a time", ">= +50 Elo, no fault")
def measure_twothreads():
    return played(PAIR, ALONE, 300, FIFTY_ELO_PCT)


ELO_MIN, ELO_MAX, ELO_STEP = 1000, 2800, 200


@figure("elo", "UCI_Elo: what each step of +200 scores against the one below, 100 games each", "65 to 85 %")
def measure_elo():
    scores = []
    for elo in range(ELO_MIN, ELO_MAX, ELO_STEP):
        above, below = (f"rookery:UCI_LimitStrength=true,UCI_Elo={rating}" for rating in (elo + ELO_STEP, elo))
        words = match.arguments(["--games", "100", "--jobs", "2", "--time", "60", "--increment", "1", above, below])
        pairs = match.run(words, shows=False)
        if match.unended_text(pairs, words.games):
            raise Unmeasured(f"games of {elo + ELO_STEP} against {elo} did not end")
        scores.append(100 * match.mean(pairs))
    return ", ".join(f"{score:.1f}" for score in scores), all(65 <= score <= 85 for score in scores)


WIRE = [str(BIN / "bench_wire"), str(BIN / "rookeryd"), TOOL]
# What bench_wire measures: name, what, the lines it prints and within which bounds each must lie.
WIRE_FIGURES = [
    ("connect", "connect to uciok, 200 times, median, two searches run", {"connect": (0, 2)}),
    ("ready", "isready to readyok, 99th percentile of 10,000, every core searches", {"ready": (0, 5)}),
    ("stop", "stop to bestmove, 99th percentile of 500, two other searches run", {"stop": (0, 10)}),
    ("crowd", "32 clients go movetime 1000 at once", {"crowd_legal": (32, 32), "crowd_first": (0.95, 1.1),
                                                      "crowd_last": (0.95, 1.1)}),
    ("idle", "memory of an idle connection, from 1,000", {"idle": (0, 64)}),
    ("session", "nodes a second over TCP against bench, one thread", {"session": (0.98, 9)}),
    ("idlesessions", "nodes a second of a search on two threads, with 1,000 idle sessions over without",
     {"idlesessions": (0.98, 9)}),
    ("newgame", "ucinewgame and Clear Hash to readyok on tables of 16 and 1024 MiB, 99th percentile of 1,000",
     {"newgame_small": (0, 1), "newgame_large": (0, 1)}),
    ("reopen", "a 30 s analysis opened again by another client, time to its depth - 2", {"reopen": (0, 5)}),
]


EIGHT = [str(BIN / "bench_eight"), str(BIN / "rookeryd")]
EIGHT_FIGURES = [
    ("eight_watchers", "CPU time of 8 clients on one position to depth 18, equal requests, over one's",
     {"eight_watchers": (0, 1.2)}),
    ("watchers500", "the same for 500 watchers of one search", {"watchers500": (0, 1.2)}),
    ("eight_one", "the same with requests that share nothing but the table", {"eight_one": (0, 2.5)}),
    ("eight_game", "CPU time of 8 clients on the same 8 positions of a game to depth 16, over one's",
     {"eight_game": (0, 2)}),
]


BOUNDS = [str(BIN / "bench_bounds"), str(BIN / "rookeryd")]
BOUNDS_FIGURES = [
    ("slow", "a reader of 1 KB/s, buffer 4 KiB, MultiPV 5: KiB from stop to bestmove; KiB that the kernel held",
     {"slow": (0, 16), "slow_worst": (0, 16), "slow_kernel": (0, 16)}),
    ("idle10k", "10,000 idle connections: KiB of each, CPU of all",
     {"idle10k_now": (0, 16), "idle10k": (0, 16), "idle10k_cpu": (0, 2)}),
    ("leak", "10,000 clients begin an endless search and vanish: what stays",
     {"leak_files": (0, 0), "leak_threads": (0, 0), "leak": (-1e9, 512), "leak_cpu": (0, 2)}),
]


def register_lines(command, name, what, bounds):
    def measure():
        said_lines = subprocess.run([*command, name], capture_output=True, text=True, check=True).stdout
        values = {line.split()[0]: float(line.split()[1]) for line in said_lines.splitlines()}
        is_met = all(low <= values[key] <= high for key, (low, high) in bounds.items())
        return ", ".join(line.split(" (")[0] for line in said_lines.splitlines()), is_met
    reach = ", ".join(f"{key} {low:g} to {high:g}" for key, (low, high) in bounds.items())
    figure(name, what, reach)(measure)


@figure("share", "32 open searches on two cores for 30 s: Jain of their threads' CPU time; beside them one on a clock: "
        "its part of a core", ">= 0.99, >= 0.85")
def measure_share():
    command = [str(BIN / "bench_share"), "32", "2", "30"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    jain, core = (float(re.search(pattern, told).group(1)) for pattern in (r"Jain ([\d.]+)", r"clock: ([\d.]+) of"))
    return f"{jain:.4f}, {core:.3f}", jain >= 0.99 and core >= 0.85


register_lines([str(BIN / "bench_cores")], "cores",
               "1 search, then 2, then 1 on two cores, 40 times: ms until the first has given a core up, and has it "
               "again; cores that it used alone, and beside the second",
               {"cores_give": (0, 20), "cores_back": (0, 20), "cores_alone": (1.9, 2.05), "cores_beside": (0.95, 1.05)})
for wire_figure in WIRE_FIGURES:
    register_lines(WIRE, *wire_figure)
for eight_figure in EIGHT_FIGURES:
    register_lines(EIGHT, *eight_figure)
for bounds_figure in BOUNDS_FIGURES:
    register_lines(BOUNDS, *bounds_figure)


def load(*options):
    """What the load program prints, by the first word of its lines: the words after it."""
    return load_lines(str(BIN / "load"), *options, str(BIN / "rookeryd"))


def load_lines(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    lines = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line.strip()}
    if "faults" not in lines:  # It ends with status 1 for faults, too, and has told them then.
        raise subprocess.CalledProcessError(result.returncode, command, stderr=result.stderr)
    return lines


def percentile_99(said_lines, name):
    """In ms, from the row of a latency: count, 50 %, 90 %, 99 %, most."""
    return float(said_lines[name][3])


def is_faultless(said_lines):
    return said_lines.get("faults") == ["0"]


@figure("bots", "64 bots, games of 10 s + 0.1 s at once for 5 minutes", "no time loss, no fault")
def measure_bots():
    lines = load("--mix", "bots=64", "--seconds", "300", "--clock", "10000+100", "--grace-ms", "0",
                 "--set", "searches-max=64")
    text = f"{lines['time_losses'][0]} time losses, {lines['faults'][0]} faults in {lines['bots'][2]} moves"
    return text, is_faultless(lines) and lines["time_losses"] == ["0"]


@figure("far", "64 bots, games of 10 s + 0.1 s for a minute, 20 ms away, 1 % of packets lost, Move Overhead 500",
        "no time loss, no fault")
def measure_far():
    lines = load_lines(sys.executable, str(ROOT / "tests/load/far.py"), str(BIN / "load"), str(BIN / "rookeryd"),
                       "--mix", "bots=64", "--seconds", "60", "--clock", "10000+100", "--grace-ms", "0",
                       "--overhead-ms", "500")
    text = f"{lines['time_losses'][0]} time losses, {lines['faults'][0]} faults in {lines['bots'][2]} moves"
    return text, is_faultless(lines) and lines["time_losses"] == ["0"]


@figure("ready256", "isready to readyok, 256 clients, every core searches, 99th percentile", "<= 10 ms")
def measure_ready256():
    lines = load("--mix", "analysts=2,pingers=256", "--seconds", "30", "--think-ms", "10000")
    ms = percentile_99(lines, "isready_readyok")
    return f"{ms:.2f} ms of {lines['isready_readyok'][0]}", is_faultless(lines) and ms <= 10


@figure("stop64", "stop to bestmove, 64 searches run, 99th percentile", "<= 20 ms")
def measure_stop64():
    lines = load("--mix", "analysts=64", "--seconds", "60", "--set", "searches-max=64")
    ms = percentile_99(lines, "stop_bestmove")
    return f"{ms:.2f} ms of {lines['stop_bestmove'][0]}", is_faultless(lines) and ms <= 20


@figure("fair", "32 analysts and a bot of movetime 1000 over TCP: Jain of the analysts; the bot over itself alone",
        ">= 0.99, >= 0.85")
def measure_fair():
    common = ["--movetime", "1000", "--think-ms", "4000", "--set", "searches-max=64"]
    alone = load("--mix", "movers=1", "--seconds", "30", *common)
    beside = load("--mix", "analysts=32,movers=1", "--seconds", "60", *common)
    jain = float(beside["analysts_fairness"][0])
    part = float(beside["movers_rate"][0]) / float(alone["movers_rate"][0])
    is_good = is_faultless(alone) and is_faultless(beside)
    return f"{jain:.4f}, {part:.3f}", is_good and jain >= 0.99 and part >= 0.85


@figure("datagen", "data generation on two cores, positions a second at 1,500 nodes a move", ">= 1000")
def measure_datagen():
    with tempfile.TemporaryDirectory() as directory:
        told = subprocess.run([TOOL, "datagen", f"{directory}/games", "--positions", "60000", "--threads", "2", "--seed",
                               "1", "--nice", "0"], capture_output=True, text=True, check=True).stdout
    counts = dict(re.findall(r"^(\w+) (\d+)$", told, re.M))
    rate = int(counts["positions_a_second"])
    return f"{rate}, {counts['nodes_a_move']} nodes a move", rate >= 1000


@figure("killed", "kill -9 at 50 random moments of datagen", "nothing lost but the unfinished block")
def measure_killed():
    result = subprocess.run([sys.executable, str(ROOT / "tests/app/test_datagen.py"), "--kills", "50", TOOL],
                            capture_output=True, text=True)
    told = re.search(r"^killed .*$", result.stderr, re.M)
    return told.group(0) if told else result.stderr[-500:], result.returncode == 0


@figure("trainspeed", "training speed on two cores, 768→128×2→1, positions a second", ">= 1500000")
def measure_trainspeed():
    with tempfile.TemporaryDirectory() as directory:
        games = f"{directory}/games"
        subprocess.run([TOOL, "datagen", games, "--positions", "400000", "--nodes", "60", "--hash", "1", "--threads",
                        "2", "--seed", "1", "--nice", "0"], capture_output=True, check=True)
        rate = said([TOOL, "train", games, "--to", f"{directory}/network", "--epochs", "60", "--threads", "2",
                     "--nice", "0"], r"^positions_a_second (\d+)$")
    return f"{rate:.0f}", rate >= 1500000


@figure("killedtrain", "kill -9 at 50 random moments of train", "the network that one run makes")
def measure_killedtrain():
    result = subprocess.run([sys.executable, str(ROOT / "tests/app/test_train.py"), "--kills", "50", TOOL],
                            capture_output=True, text=True)
    told = re.search(r"^killed .*$", result.stderr, re.M)
    return told.group(0) if told else result.stderr[-500:], result.returncode == 0


def reason_of(error):
    """In one line, why something could not be measured."""
    if isinstance(error, Unmeasured):
        return str(error)
    if isinstance(error, subprocess.CalledProcessError):
        told = (error.stderr or "").strip().splitlines()
        return f"{error.cmd[0]} ended with status {error.returncode}" + (f": {told[-1]}" if told else "")
    return f"{type(error).__name__}: {error}".replace("\n", " ")


def measured(measure):
    """(verdict, whether it is met), whatever happens: one figure must not cost the others."""
    try:
        text, is_met = measure()
    except (Exception, SystemExit) as error:  # SystemExit: words that a program called here does not know.
        return f"NOT MEASURED: {reason_of(error)}", False
    return f"measured {text}; {VERDICTS[is_met]}", is_met


VERDICTS = {True: "met", False: "NOT MET", None: "told, nothing to compare with"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("name", nargs="*")
    words = parser.parse_args()
    unknown = set(words.name) - {name for name, *_ in FIGURES}
    if unknown:
        parser.error(f"no figure {', '.join(sorted(unknown))}; --list names them")
    is_good = True
    for name, what, reach, measure in FIGURES:
        if words.list:
            print(f"{name:<12} {what}")
        elif not words.name or name in words.name:
            print(f"{name:<12} {what}", flush=True)
            verdict, is_met = measured(measure)
            is_good &= is_met is not False
            print(f"{'':<12} reach {reach}; {verdict}", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
