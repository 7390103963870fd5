"""`cdp-agent open --connect` in a shell, in a browser that asks its person."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_agent import DONE
from tests.supervisor.agent_cli.agent_shell import agent_shell
from tests.support.servers.asking import asking_browser

pytestmark = pytest.mark.thorough


def test_the_person_is_asked_once_and_the_session_has_a_tab_then() -> None:
    with asking_browser() as asking, agent_shell() as agent:
        profile = Path(agent.home, ".config", "chromium")
        profile.mkdir(parents=True)
        (profile / "DevToolsActivePort").write_text(f"{asking.port}\n{asking.path}")
        with agent.begin("open", "about:blank", "--connect") as opening:
            asking.asked.get(timeout=60)
            asking.answer("allow")
            told, _ = opening.communicate(timeout=60)
        tabs = agent("tab")

        assert (opening.returncode, tabs.code) == (DONE, DONE), (told, tabs.out)
        assert "about:blank current" in tabs.out
        assert agent("close").code == DONE
        assert asking.questions == 1
