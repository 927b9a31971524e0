#!/usr/bin/env python3
"""Test suites: how many positions of each are solved within its limit, on one thread, as rows of the table in
docs/search.md. Mates are counted twice: a mate is told, and it is as short as can be.
suites.py [--jobs N] [SUITE]...   ROOKERY_MATES=DIRECTORY has mate_in_2.epd to mate_in_8.epd."""

import argparse
import collections
import itertools
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


def rows(text):
    """What the table of docs/search.md tells as found, by suite and limit; of several rows the last."""
    head, _, table = text.partition(HEAD + "\n")
    if head == text:
        raise ValueError("docs/search.md has no table of test suites, whose head is\n" + HEAD)
    lines = itertools.takewhile(lambda line: line.startswith("|"), table.splitlines())
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {(name, limit): found for name, limit, found, *_ in cells}


def told(suite):
    """What docs/search.md says was found; None when it says nothing."""
    text = (ROOT / "docs/search.md").read_text(encoding="utf-8")
    return rows(text).get((suite.name, limit_of(suite)))


def counts(found):
    """How many positions there are, and each number of those found."""
    match = re.fullmatch(r"(\d+) of (\d+)(?:, (\d+) as short as can be)?", found)
    if match is None:
        raise ValueError(f"'{found}' does not tell how many were found")
    first, total, short = match.groups()
    return int(total), [int(number) for number in (first, short) if number is not None]


def verdict(suite, found):
    """(in words, whether it is good): not all found where all must be, or worse than docs/search.md tells, is not;
    None: no row stands there, so that what was found is told and compared with nothing."""
    (total, numbers), before = counts(found), told(suite)
    if suite.must_be_whole and any(number < total for number in numbers):
        return "not all", False
    if before is None:
        return "told, no earlier row", None
    total_before, numbers_before = counts(before)
    if (total, len(numbers)) != (total_before, len(numbers_before)):
        return f"not to be compared with {before}", False
    is_good = all(now >= then for now, then in zip(numbers, numbers_before))
    return f"{'no worse' if is_good else 'WORSE'} than {before}", is_good


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
            found = measure(suite, words.jobs)
            print(row(suite, found), flush=True)
            print(f"suites: {suite.name}: {verdict(suite, found)[0]}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
