#!/usr/bin/env python3
"""Style and layers as a test. Prints each breach as FILE:LINE: what, and fails when there is one."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOPS = ("include", "src", "tests", "conf", "systemd", "docs")
LINE_CHARS_MAX = 100
FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
LONG_FUNCTIONS = {"search_node": 120}  # The one walk through a node: its steps in order.

# What a room may include, besides itself and libc. In tests the same holds, with tests/support.
ROOMS = {
    "base": {"rookery/status.h", "rookery/version.h"},
    "chess": {"base/", "rookery/status.h", "rookery/game.h"},
    "engine": {"base/", "chess/", "rookery/status.h", "rookery/game.h", "rookery/engine.h", "rookery/tune.h"},
    "uci": {"base/", "rookery/"},
    "lab": {"base/", "chess/", "engine/", "rookery/"},
    "server": {"base/", "rookery/"},
    "app": {"base/", "server/", "lab/", "rookery/"},
}
APP_OF = {"server/": {"rookeryd.c", "config.c", "config.h"}}  # Who in app may see it; the lab is the tool's.
# Headers of other projects, and the one room for each.
FOREIGN = {"uv.h": "server", "ini.h": "app", "xxhash.h": "lab", "tbprobe.h": "engine"}

BANNED = {
    "strcpy": "copy with a bound", "strncpy": "copy with a bound", "strcat": "struct text", "sprintf": "snprintf",
    "vsprintf": "vsnprintf", "strtok": "slices", "atoi": "a checked number", "atol": "a checked number",
    "gets": "a bounded read", "alloca": "a bounded array", "longjmp": "return", "setjmp": "return",
    "volatile": "_Atomic", "TODO": "do it or drop it", "FIXME": "do it or drop it", "XXX": "do it or drop it",
}
ALLOCATORS = re.compile(r"\b(malloc|calloc|realloc|reallocarray|free|strdup|strndup|aligned_alloc)\s*\(")
VAGUE_NAMES = {"util", "utils", "common", "misc", "helper", "helpers"}

# File-scope state that stays: tables filled once, the log's sink, and the tablebases that are open.
STATE_ALLOWED = {"base/log.c", "chess/chess.c", "chess/attacks.c", "chess/cycle.c", "chess/zobrist.c",
                 "engine/tablebase.c"}

# In a build for tuning each thread's own values of the rows, declared by a macro under the names that constants have; and
# what the assembler takes in, which is known to C by no other word.
EXTERN_ALLOWED = {"engine/tune.h", "engine/embedded.c"}

breaches = []


def breach(path, line, what):
    breaches.append(f"{path.relative_to(ROOT)}:{line}: {what}")


def bare(text):
    """The code alone: comments and the insides of literals blanked, lines kept."""
    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] + " " * (len(found) - 2) + found[0]
        return re.sub(r"[^\n]", " ", found)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def check_shape(path, text):
    lines = text.split("\n")
    if not text.endswith("\n") or text.endswith("\n\n"):
        breach(path, len(lines), "a file ends with one line feed")
    if len(lines) - 1 > FILE_LINES_MAX:
        breach(path, len(lines) - 1, f"more than {FILE_LINES_MAX} lines")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_CHARS_MAX:
            breach(path, number, f"{len(line)} characters in a line, {LINE_CHARS_MAX} are the most")
        if line != line.rstrip():
            breach(path, number, "blanks at the end of a line")
        if "\t" in line:
            breach(path, number, "a tab")


def check_functions(path, code):
    start, name = None, ""
    lines = code.split("\n")
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
            head = "\n".join(lines[max(0, number - 8):number - 1])
            names = re.findall(r"^\w[^\n;]*?\b(\w+)\(", head, flags=re.M)
            name = names[-1] if names else "?"
        elif line.startswith("}") and start is not None:
            length = number - start + 1
            if length > LONG_FUNCTIONS.get(name, FUNCTION_LINES_MAX):
                breach(path, start, f"{name} has {length} lines")
            start = None


def check_words(path, code, room):
    for word, instead in BANNED.items():
        for match in re.finditer(rf"\b{word}\b", code):
            breach(path, line_of(code, match.start()), f"{word} is banned: {instead}")
    if path.name != "memory.c" and room is not None:
        for match in ALLOCATORS.finditer(code):
            breach(path, line_of(code, match.start()), f"{match.group(1)} outside base/memory.c")
    for match in re.finditer(r"\btypedef\s+(struct|union)\b", code):
        breach(path, line_of(code, match.start()), "a struct keeps its tag: no typedef")
    for match in re.finditer(r"\bextern\b(?!\s*\"\s*\")", code):
        if f"{room}/{path.name}" not in EXTERN_ALLOWED:
            breach(path, line_of(code, match.start()), "extern")


def check_state(path, code, room):
    if path.suffix != ".c" or f"{room}/{path.name}" in STATE_ALLOWED:
        return
    variable = re.compile(r"^[ ]*static (?!const\b|inline\b|_Noreturn\b)(?![^\n=;]*\bconst\b[^\n=;(]*[=;\[])"
                          r"[^\n(]*?(=[^\n]*|;| \{)$", re.M)
    for match in variable.finditer(code):
        breach(path, line_of(code, match.start()), "state that can change outlives its function")
    for match in re.finditer(r"^(?!static|typedef|extern|struct \w+ \{|enum|#|return)[a-z_]\w*[\w *]*\b\w+(\[[^\n]*\])?( =[^\n]*)?;$",
                             code, re.M):
        breach(path, line_of(code, match.start()), "a global variable")


def check_opening(path, text, where):
    """`where` is None when the name need not be told, in tests."""
    opening = re.match(r"/\*(.*?)\*/", text, flags=re.S)
    if opening is None:
        breach(path, 1, "a header opens with a comment: what it is, its one idea, its thread")
        return
    if where is not None and not opening.group(1).startswith(f" {where}/{path.name}: "):
        breach(path, 1, f"the opening comment begins with '{where}/{path.name}: '")
    if "Thread:" not in opening.group(1):
        breach(path, 1, "the opening comment has no 'Thread:'")


def check_includes(path, text, room, is_test):
    for match in re.finditer(r'^#include ([<"])([^>"]+)[>"]', text, flags=re.M):
        name, line = match.group(2), line_of(text, match.start())
        home = FOREIGN.get(name)
        if home is not None:
            if room != home:
                breach(path, line, f"{name} is seen by {home} alone")
            continue
        if match.group(1) == "<":
            continue
        allowed = ROOMS[room] | {room + "/"}
        if is_test:
            allowed = allowed | {"support/"}
            if "/" not in name and (path.parent / name).exists():
                continue
        if not any(name == item or (item.endswith("/") and name.startswith(item)) for item in allowed):
            breach(path, line, f"{room} may not include {name}")
        for prefix, files in APP_OF.items():
            if room == "app" and not is_test and name.startswith(prefix) and path.name not in files:
                breach(path, line, f"only the daemon may include {name}")


def check_doors(path, text):
    for match in re.finditer(r'^#include [<"]([^>"]+)[>"]', text, flags=re.M):
        if not re.match(r"rookery/|std\w+\.h$", match.group(1)):
            breach(path, line_of(text, match.start()), f"a door may not include {match.group(1)}")
    code = bare(text)
    for match in re.finditer(r"^(?!static|typedef|#)\w[^\n;{}]*\b(\w+)\(", code, flags=re.M):
        if not match.group(0).startswith("RK_API ") and "(*" not in match.group(0):
            breach(path, line_of(code, match.start()), f"{match.group(1)} is not RK_API")


def check_source(path, text):
    parts = path.relative_to(ROOT).parts
    code = bare(text)
    is_test = parts[0] == "tests"
    room = parts[1] if parts[0] in ("src", "tests") and len(parts) > 2 and parts[1] in ROOMS else None
    check_shape(path, text)
    check_functions(path, code)
    check_words(path, code, None if is_test else room)
    if path.suffix == ".h":
        check_opening(path, text, None if is_test else "/".join(parts[1:-1]))
    if room is not None:
        check_includes(path, text, room, is_test)
        if not is_test:
            check_state(path, code, room)
    if parts[0] == "include":
        check_doors(path, text)


def check_tour(path, text):
    """The tour names every file, each in its room's paragraph."""
    for room in ROOMS:
        told = re.search(rf"^\*\*{room}\.\*\*.*?\n\n", text + "\n", flags=re.M | re.S)
        names = set(re.findall(r"`(\w+)`", told.group(0))) if told else set()
        stems = {file.stem for file in (ROOT / "src" / room).iterdir() if file.suffix in (".c", ".h")}
        for stem in sorted(names ^ stems):
            breach(path, line_of(text, told.start()) if told else 1,
                   f"{room}/{stem} " + ("is not told" if stem in stems else "does not exist"))


def main():
    sources = 0
    for path in sorted(path for top in TOPS for path in (ROOT / top).rglob("*")):
        if not path.is_file():
            continue
        if path.stem in VAGUE_NAMES or VAGUE_NAMES & set(path.relative_to(ROOT).parts):
            breach(path, 1, "a name that says nothing")
        if path.suffix in (".c", ".h", ".cpp"):
            sources += 1
            check_source(path, path.read_text(encoding="utf-8"))
    tour = ROOT / "docs/architecture.md"
    check_tour(tour, tour.read_text(encoding="utf-8"))
    for found in breaches:
        print(found)
    print(f"{sources} sources, {len(breaches)} breaches")
    return 1 if breaches or sources == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
