"""Commands that write files, in a session whose process can write none: as on a full disk, which needs no mount."""

from __future__ import annotations

import resource
import sys

import pytest

from cdp_agent import DONE, REFUSED
from tests.supervisor.addons.agent_cli.agent_shell import agent_shell
from tests.support.servers.sites import Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

WRITES = [
    "pdf shop", "pdf old.pdf", "capture text --format txt", "shot", "shot old.png", "heap", "heap new.heapsnapshot",
    "profile stop", "trace stop", "trace reload", "requests --save all.har",
]  # fmt: skip
FULL = (
    "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); os.execv(sys.argv[1], sys.argv[1:])"
)


def test_what_cannot_be_written_is_refused_and_the_session_goes_on(sites: Sites) -> None:
    sites.pages["/"] = "<link rel=icon href=data:,><title>T</title><button>Go</button>"
    with agent_shell() as agent:
        agent("open", sites.local("/"))
        for words in ("shot old.png", "pdf old.pdf", "profile start", "trace start"):
            assert agent(*words.split()).code == DONE
        before = {path: path.read_bytes() for path in agent.tree.iterdir() if path.is_file()}
        session = agent.session_pid()
        _, most = resource.prlimit(session, resource.RLIMIT_FSIZE)
        resource.prlimit(session, resource.RLIMIT_FSIZE, (0, most))
        ended = {words: agent(*words.split()) for words in WRITES}
        looked, reported = agent("look", "--max", "3"), agent("report", under=(sys.executable, "-c", FULL))
        left = {path: path.read_bytes() for path in agent.tree.iterdir() if path.is_file()}
        beside = {path.name for path in (agent.tree / ".cdp-agent").iterdir()} - {".gitignore"}
        resource.prlimit(session, resource.RLIMIT_FSIZE, (most, most))
        after = agent("pdf", "shop")

    assert [(words, each) for words, each in ended.items() if each.code != REFUSED] == []
    assert [each for each in (*ended.values(), reported) if "File too large" not in each.out] == []
    assert [each for each in ended.values() if "page_error" in each.out] == []
    assert (looked.code, "no file could be written: File too large" in looked.out) == (DONE, True)
    assert (reported.code, after.code) == (REFUSED, DONE)
    assert (left, beside) == (before, set())


def test_a_session_that_cannot_be_written_down_does_not_begin() -> None:
    with agent_shell() as agent:
        opened = agent("open", "about:blank", under=(sys.executable, "-c", FULL))
        place = agent.runtime / "cdp-agent"

    assert opened == (REFUSED, f"cdp-agent: no session can begin in {place}: File too large\n")
