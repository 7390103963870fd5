"""A program that can be launched in place of a browser."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

FakeBrowser = Callable[[str], Path]

LISTENS = """printf '4321\\n/devtools/browser/abc' > "$profile/DevToolsActivePort"; exec sleep 60"""


@pytest.fixture
def fake_browser(tmp_path: Path) -> FakeBrowser:
    """Write a shell script that can be launched; `$profile` is the user data directory, `$here` the test's."""

    def write(script: str) -> Path:
        path = tmp_path / "fake-browser"
        path.write_text(
            "#!/bin/sh\n"
            'for arg; do case "$arg" in --user-data-dir=*) profile="${arg#*=}";; esac; done\n'
            f"here={shlex.quote(str(tmp_path))}\n{script}\n"
        )
        path.chmod(0o755)
        return path

    return write
