"""Writes a seccomp profile in which Chromium's sandbox works: the default of a container engine, and user namespaces.

    python3 deploy/seccomp.py < default.json > chromium.json

Docker has its default profile in its source, `profiles/seccomp/default.json`, and Podman on the machine,
`/usr/share/containers/seccomp.json`.
"""

from __future__ import annotations

import json
import sys

SYSCALLS = ["chroot", "clone", "clone3", "setns", "unshare"]
"""With them a process without rights makes a namespace in which Chromium locks its renderers up."""


def main() -> None:
    """Read a profile from standard input, and write the other one to standard output."""
    profile = json.load(sys.stdin)
    profile["syscalls"].insert(0, {"names": SYSCALLS, "action": "SCMP_ACT_ALLOW", "args": []})
    json.dump(profile, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
