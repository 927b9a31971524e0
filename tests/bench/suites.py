#!/usr/bin/env python3
"""Test suites: how many positions of each are solved within its limit, on one thread, as rows of the table in
docs/search.md. Mates are counted twice: a mate is told, and it is as short as can be.
suites.py [--jobs N] [SUITE]...   ROOKERY_MATES=DIRECTORY has mate_in_2.epd to mate_in_8.epd."""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import time

import epd

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEAD = "| suite | limit | found | commit | date | machine |\n|---|---|---|---|---|---|"

Suite = collections.namedtuple("Suite", "name ms is_mate must_be_whole")
SUITES = [Suite("wacnew", 1000, False, False), Suite("sts", 200, False, False), Suite("bt2630", 5000, False, False),
          Suite("lct2", 5000, False, False), *(Suite(f"mate_in_{n}", 1000, True, False) for n in range(2, 9)),
          *(Suite(f"mate_in_{n}", 5000, True, True) for n in range(2, 5))]


def path_of(suite):
    """None: a suite of mates, which are not ours to give away, and nobody has told where they are."""
    if not suite.is_mate:
        return ROOT / f"tests/data/epd/{suite.name}.epd"
    folder = os.environ.get("ROOKERY_MATES")
    return folder and pathlib.Path(folder) / f"{suite.name}.epd"


def limit_of(suite):
    return f"{suite.ms} ms" if suite.ms < 1000 else f"{suite.ms // 1000} s"


def measure(suite, jobs=1):
    """What the row tells as found."""
    results = epd.run(path_of(suite), [epd.TOOL], suite.ms, jobs)
    solved = sum(result.solved for result in results)
    if not suite.is_mate:
        return f"{solved} of {len(results)}"
    return f"{sum(result.has_mate for result in results)} of {len(results)}, {solved} as short as can be"


def told(suite):
    """What docs/search.md says was found; None when it says nothing."""
    text = (ROOT / "docs/search.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {suite.name} \| {limit_of(suite)} \| ([^|]+) \|", text, re.M)
    return row and row.group(1)


def is_good(suite, found):
    """No worse than docs/search.md tells, and, where all must be found, all."""
    numbers, before = ([int(number) for number in re.findall(r"\d+", text or "")] for text in (found, told(suite)))
    is_whole = all(number == numbers[1] for number in numbers)
    return (is_whole or not suite.must_be_whole) and all(now >= then for now, then in zip(numbers, before))


def where():
    """The row's last columns: commit, date and class of machine."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.strip()
    level = subprocess.run([epd.TOOL, "version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    now = time.localtime()
    return f"{commit} | {now.tm_mday} {time.strftime('%B %Y', now)} | {level}, {os.cpu_count()} cores"


def row(suite, found):
    return f"| {suite.name} | {limit_of(suite)} | {found} | {where()} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("suite", nargs="*", default=[suite.name for suite in SUITES], metavar="SUITE")
    words = parser.parse_args()
    unknown = set(words.suite) - {suite.name for suite in SUITES}
    if unknown:
        parser.error(f"no suite {', '.join(sorted(unknown))}")
    print(HEAD, flush=True)
    for suite in SUITES:
        if suite.name not in words.suite:
            continue
        if path_of(suite) is None:
            print(f"suites: {suite.name} wants ROOKERY_MATES=DIRECTORY", file=sys.stderr)
        else:
            print(row(suite, measure(suite, words.jobs)), flush=True)


if __name__ == "__main__":
    main()
