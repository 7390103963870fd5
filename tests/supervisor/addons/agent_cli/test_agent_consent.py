"""`cdp-agent open --connect` in a shell, in a browser that asks its person."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cdp_agent import DONE, LOST, REFUSED
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell, agent_shell
from tests.support.servers.asking import asking_browser
from tests.support.servers.displays import needs_display
from tests.support.servers.persons_browser import persons_browser

pytestmark = pytest.mark.thorough

ALLOW = "click Allow in Chrome"


def test_the_person_is_asked_once_and_the_session_has_a_tab_then() -> None:
    with asking_browser() as asking, agent_shell() as agent:
        _allow_debugging(agent, asking.port, asking.path)
        with agent.begin("open", "about:blank", "--connect") as opening:
            asking.asked.get(timeout=60)
            asking.answer("allow")
            told, _ = opening.communicate(timeout=60)
        tabs = agent("tab")

        assert (opening.returncode, tabs.code) == (DONE, DONE), (told, tabs.out)
        assert "about:blank current" in tabs.out
        assert agent("close").code == DONE
        assert asking.questions == 1


def test_a_command_that_waits_for_the_person_did_nothing_and_a_lost_browser_is_not_asked_for_again() -> None:
    with asking_browser() as asking, agent_shell() as agent:
        _allow_debugging(agent, asking.port, asking.path)
        waiting = agent("open", "about:blank", "--connect", "--timeout", "12")  # less than a call waits for the person
        assert (waiting.code, f"{ALLOW}, and call again" in waiting.out) == (REFUSED, True), waiting
        asking.answer("allow")
        assert agent("open", "about:blank").code == DONE

        asking.cut()
        deadline = time.monotonic() + 60
        while (lost := agent("tab")).code != LOST:  # it may be noticed during a command
            assert time.monotonic() < deadline, lost
        assert "begin anew: cdp-agent open URL" in lost.out
        assert agent("look").code == LOST
        assert asking.questions == 1

        with agent.begin("open", "about:blank") as opening:
            asking.asked.get(timeout=60)
            assert asking.asked.get(timeout=60) == 2
            asking.answer("allow")
            told, _ = opening.communicate(timeout=60)
        assert opening.returncode == DONE, told


@pytest.mark.chromium
@needs_display
def test_a_refusal_ends_the_session_and_the_next_one_asks_anew() -> None:
    with agent_shell() as agent, persons_browser(agent.home) as person:
        assert agent("open", "about:blank", "--connect").code == REFUSED  # nobody has answered yet
        person.refuse()
        refused, gone = agent("look"), agent("look")
        assert (refused.code, "refused by the person" in refused.out) == (REFUSED, True), refused
        assert (gone.code, "no session is open" in gone.out) == (LOST, True), gone

        assert agent("open", "about:blank", "--connect").code == REFUSED
        person.allow()
        opened, value = agent("open", "data:text/html,<title>Ours</title>"), agent("eval", "document.title")
        assert (opened.code, value.code, value.out) == (DONE, DONE, '"Ours"\n'), (opened, value)
        assert agent("tab").out.count("tab t") == 1  # the tab of the person is not among them


@pytest.mark.chromium
@needs_display
def test_two_sessions_ask_the_person_one_after_the_other() -> None:
    with agent_shell() as agent, persons_browser(agent.home) as person:
        opening = ("open", "about:blank", "--connect")
        first = agent("--session", "a", *opening)
        second = agent("--session", "b", *opening)
        assert (first.code, f"a person has to allow the connection: {ALLOW}" in first.out) == (REFUSED, True), first
        assert (second.code, f"another program asks first: {ALLOW}" in second.out) == (REFUSED, True), second

        person.allow()
        assert agent("--session", "a", *opening).code == DONE
        assert f"a person has to allow the connection: {ALLOW}" in agent("--session", "b", *opening).out
        person.allow()
        assert agent("--session", "b", *opening).code == DONE
        assert agent("--session", "a", "close").code == agent("--session", "b", "close").code == DONE


def _allow_debugging(agent: AgentShell, port: int, path: str) -> None:
    profile = Path(agent.home, ".config", "chromium")
    profile.mkdir(parents=True)
    (profile / "DevToolsActivePort").write_text(f"{port}\n{path}")
