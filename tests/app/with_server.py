#!/usr/bin/env python3
"""with_server.py ROOKERYD COMMAND...: runs the command while a server of its own runs. The word ADDRESS in the
command becomes where it listens. Fails when either fails, or when the server does not end well on SIGTERM."""

import re
import signal
import subprocess
import sys

DRAIN_S = 30


def main():
    server = subprocess.Popen([sys.argv[1], "--listen", "127.0.0.1:0", "--hash", "16", "--threads", "2"],
                              stdout=subprocess.PIPE, text=True)
    ready = server.stdout.readline()
    address = re.search(r"127\.0\.0\.1:\d+", ready)
    status = 1
    if address is None:
        print(f"the server said '{ready.strip()}'")
        server.kill()
    else:
        command = [address.group(0) if word == "ADDRESS" else word for word in sys.argv[2:]]
        status = subprocess.run(command).returncode
        server.send_signal(signal.SIGTERM)
    ending = server.wait(DRAIN_S)
    if ending != 0:
        print(f"the server ended with status {ending}")
    return status or ending


if __name__ == "__main__":
    sys.exit(main())
