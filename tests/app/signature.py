#!/usr/bin/env python3
"""The search's signature: what `rookery bench` counts on one thread, kept in a file that holds the command's
options and the count. `signature.py [--write] FILE TOOL...` compares, or writes the count anew."""

import pathlib
import re
import subprocess
import sys


def main():
    words = sys.argv[1:]
    writes = words[0] == "--write"
    if writes:
        words = words[1:]
    path, tool = pathlib.Path(words[0]), words[1:]
    options, kept = path.read_text().strip().rsplit(" nodes ", 1)
    said = subprocess.run(tool + options.split(), capture_output=True, text=True, check=True).stdout
    nodes = re.search(r"^nodes (\d+)$", said, re.M).group(1)
    if writes:
        path.write_text(f"{options} nodes {nodes}\n")
        print(f"Signature: {kept} \u2192 {nodes}" if nodes != kept else f"Signature stays {nodes}")
        return 0
    print(f"{options}: counted {nodes}, kept {kept}")
    return 0 if nodes == kept else 1


if __name__ == "__main__":
    sys.exit(main())
