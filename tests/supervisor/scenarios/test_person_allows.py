"""Programs of a person, in the person's own Chromium, which asks at each connection."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cdp_typed import NotAllowed, connect_sync
from cdp_typed.client.consent import CLICK_ALLOW
from cdp_typed.endpoint import find_running
from supervisor import CDPSupervisor
from tests.support.servers.displays import needs_display
from tests.support.servers.persons_browser import Person, persons_browser

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, needs_display]


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    with persons_browser(tmp_path) as found:
        for name in ("CHROME_USER_DATA_DIR", "CHROME_CONFIG_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        yield found


def _wait_until_asked(supervisor: CDPSupervisor, sentence: str = CLICK_ALLOW) -> None:
    deadline = time.monotonic() + 30
    while supervisor.status().reason != sentence:
        assert time.monotonic() < deadline, supervisor.status()
        time.sleep(0.05)


def test_one_question_is_enough_and_a_refusal_is_told(person: Person) -> None:
    with ThreadPoolExecutor(1) as starts:
        allowed, refused = CDPSupervisor(find_running), CDPSupervisor(find_running)
        starting = starts.submit(allowed.start)
        _wait_until_asked(allowed)
        person.allow()
        with starting.result():
            assert allowed.evaluate("1 + 1").value == 2
            with connect_sync(allowed.aio.config_of_others.cdp_url) as other:  # nobody is asked
                assert other.kind() == "browser"

            starting = starts.submit(refused.start)
            _wait_until_asked(refused)
            person.refuse()
            with pytest.raises(NotAllowed, match="refused by the person"):
                starting.result()
            assert allowed.evaluate("2 + 2").value == 4
