"""`watch` where its live view cannot be shown."""

from __future__ import annotations

import sys

import pytest

from cdp_typed.mock import ThreadedMockServer
from tests.supervisor.cli.conftest import Run


def test_without_its_extra_the_live_view_says_what_to_install(
    run: Run, mock: ThreadedMockServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.delitem(sys.modules, "supervisor.watch._app", raising=False)
    monkeypatch.setitem(sys.modules, "textual", None)

    done = run("watch", mock.url)

    told = "cdp-supervisor: error: the live view needs textual: pip install 'cdp-typed[cli]' (or use --json)\n"
    assert done == (2, "", told)
