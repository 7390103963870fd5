"""The exit code of a click whose client cannot print or read, judged by the server of the page."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from cdp_agent import DONE, REFUSED, UNSURE, USAGE
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell, agent_shell
from tests.support.servers.sites import Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

SHOP = """<button onclick="const r = new XMLHttpRequest(); r.open('POST', '/bought', false); r.send()">Buy</button>
<script>addEventListener('pointerdown', event => document.title === 'Hushed' && event.stopImmediatePropagation(), true)
</script>"""
HUSH = ("eval", "document.title = 'Hushed'")
CLICK = ("click", 'button "Buy"')
READER_GONE = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1); os.execv(sys.argv[1], sys.argv[1:])"


class End(NamedTuple):
    """A way to call the client, its command, and what must come of it."""

    under: tuple[str, ...]
    words: tuple[str, ...]
    code: int
    bought: bool
    told: str = ""


def shell(call: str) -> tuple[str, ...]:
    return ("sh", "-c", call, "sh")


ENDS = {
    "closed output": End(shell('exec "$@" >&-'), CLICK, UNSURE, True, "it is closed; the command ended with code 0"),
    "full output": End(shell('exec "$@" >/dev/full'), CLICK, UNSURE, True, "No space left on device"),
    "as JSON": End(shell('exec "$@" >/dev/full'), (*CLICK, "--json"), UNSURE, True, "No space left on device"),
    "no output at all": End(shell('exec "$@" >&- 2>&-'), CLICK, UNSURE, True),
    "full in both": End(shell('exec "$@" >/dev/full 2>/dev/full'), CLICK, UNSURE, True),
    "no reader": End((sys.executable, "-c", READER_GONE), CLICK, UNSURE, True),
    "refused and full": End(shell('exec "$@" 2>/dev/full'), ("click", 'button "Sell"'), REFUSED, False),
    "closed errors": End(shell('exec "$@" 2>&-'), CLICK, DONE, True, "clicked"),
    "closed input": End(shell('exec "$@" <&-'), CLICK, DONE, True, "clicked"),
    "words of a closed input": End(shell('exec "$@" <&-'), ("eval", "-"), USAGE, False, "standard input"),
    "deleted folder": End(
        shell('mkdir gone && cd gone && rmdir ../gone && exec "$@"'), CLICK, REFUSED, False, "folder was deleted"
    ),
    "no folder for a new session": End(
        shell('XDG_RUNTIME_DIR= TMPDIR=/proc exec "$@"'), ("open", "about:blank"), REFUSED, False, "/proc/cdp-agent-"
    ),
    "help into a full output": End(shell('exec "$@" >/dev/full'), ("--help",), REFUSED, False),
    "help into a closed output": End(shell('exec "$@" >&-'), ("help",), REFUSED, False),
}


@pytest.fixture(scope="module")
def shop() -> Iterator[Sites]:
    with Sites({"/": SHOP, "/bought": "ok"}) as running:
        yield running


@pytest.fixture(scope="module")
def agent(shop: Sites) -> Iterator[AgentShell]:
    with agent_shell() as running:
        running.environment["CDP_AGENT_SESSION"] = "shop"
        assert running("open", shop.local("/")).code == DONE
        yield running


@pytest.mark.parametrize("name", ENDS)
def test_an_exit_code_is_true_where_the_client_cannot_go_on(agent: AgentShell, shop: Sites, name: str) -> None:
    end = ENDS[name]
    shop.requests.clear()

    ended = agent(*end.words, under=end.under)

    assert agent("eval", "1").code == DONE
    assert [request.path for request in shop.requests] == ["/bought"] * end.bought
    assert ended.code == end.code, ended.out
    assert end.told in ended.out
    assert "Traceback" not in ended.out


def test_a_click_whose_press_was_not_seen_is_no_success(shop: Sites) -> None:
    with agent_shell() as running:
        assert [running("open", shop.local("/")).code, running(*HUSH).code] == [DONE, DONE]
        clicked, as_json = running(*CLICK), running(*CLICK, "--json")
        ran = running("run", "-", given="""click 'button "Buy"'\neval 1\n""")

    assert [each.code for each in (clicked, as_json, ran)] == [UNSURE] * 3, clicked
    assert "whether the element got the click is not known" in clicked.out
    assert json.loads(as_json.out)["maybe_executed"] is True


def test_a_session_begins_without_standard_streams(shop: Sites) -> None:
    with agent_shell() as running:
        assert running("open", shop.local("/"), under=shell('exec "$@" <&- >&- 2>&-')).code == UNSURE
        assert running("eval", "location.pathname") == (DONE, '"/"\n')
