"""The arguments of `launch`: what is refused, and the command line and the environment of the browser."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.launch import NoSandboxWarning, launch
from tests.cdp_typed.launch.conftest import LISTENS, FakeBrowser
from tests.support.secrets import CANARY

pytestmark = pytest.mark.thorough

NOTES_FLAGS = 'printf "%s\\n" "$@" > "$here/flags"; '


def test_flags_in_one_string_are_refused() -> None:
    with pytest.raises(TypeError, match=r"args must be a sequence of flags, not one string: '--mute-audio'"):
        _ = launch(args="--mute-audio")


@pytest.mark.parametrize("flag", ["--user-data-dir=x", "--remote-debugging-port=9222", "--remote-debugging-pipe"])
def test_flags_that_would_move_the_port_or_the_profile_are_refused(flag: str) -> None:
    with pytest.raises(ValueError, match=rf"{flag}: launch\(\) chooses the port itself"):
        _ = launch(args=[flag])


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="port must be a number from 1 to 65535, or 0 for a free port, not 65536"):
        _ = launch(port=65536)
    pipe_and_port: Any = {"pipe": True, "port": 9222}
    with pytest.raises(ValueError, match="a browser on a pipe listens on no port; give either pipe or port"):
        launch(**pipe_and_port)


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan")])
def test_a_timeout_that_is_not_positive_is_refused(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout must be a positive number of seconds"):
        _ = launch(timeout=timeout)


def test_root_starts_it_without_the_sandbox_and_is_warned(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.warns(NoSandboxWarning, match="running as root") as caught:
        launching = launch(fake_browser(NOTES_FLAGS + LISTENS))
    with launching:
        flags = (tmp_path / "flags").read_text().splitlines()

    assert flags.count("--no-sandbox") == 1
    assert [warning.filename for warning in caught] == [__file__]


def test_others_start_it_with_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with launch(fake_browser(NOTES_FLAGS + LISTENS)):
        flags = (tmp_path / "flags").read_text().splitlines()

    assert "--no-sandbox" not in flags


def test_root_that_asks_for_no_sandbox_is_not_warned(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with launch(fake_browser(NOTES_FLAGS + LISTENS), args=["--no-sandbox"]):
        flags = (tmp_path / "flags").read_text().splitlines()

    assert flags.count("--no-sandbox") == 1


def test_the_options_become_flags_and_the_arguments_come_last(fake_browser: FakeBrowser, tmp_path: Path) -> None:
    fake = fake_browser(NOTES_FLAGS + LISTENS)

    def flags_of(*, headless: bool, isolate_sites: bool) -> list[str]:
        with launch(fake, headless=headless, isolate_sites=isolate_sites, args=["--no-sandbox", "--mute-audio"]):
            return (tmp_path / "flags").read_text().splitlines()

    plain = flags_of(headless=False, isolate_sites=False)
    both = flags_of(headless=True, isolate_sites=True)

    assert "--remote-debugging-port=0" in plain
    assert [flag for flag in both if flag not in plain and not flag.startswith("--user-data-dir=")] == [
        "--headless=new",
        "--hide-scrollbars",
        "--site-per-process",
    ]
    assert both[-3:] == ["--no-sandbox", "--mute-audio", "about:blank"]


def test_the_browser_gets_no_keys_and_tokens_of_the_program(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    theirs = {
        "OPENAI_API_KEY": CANARY,
        "CDP_MCP_TOKEN": CANARY,
        "CDP_SUPERVISOR_CDP_URL": f"wss://browsers.example/?token={CANARY}",
        "PATH_TO_SECRETS": CANARY,
        "LC_TIME": "de_DE.UTF-8",
        "XDG_RUNTIME_DIR": "/run/user/1000",
        "FONTCONFIG_PATH": "/etc/fonts",
        "TZ": "Europe/Berlin",
        "https_proxy": f"http://me:{CANARY}@proxy.example:3128",
        "HTTP_PROXY": f"{CANARY}:x@proxy.example",
        "no_proxy": "localhost",
    }
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in {"PATH": os.defpath, "HOME": "/home/me", **theirs}.items():
        monkeypatch.setenv(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        launching = launch(fake_browser('env > "$here/env"; ' + LISTENS), env={"SSLKEYLOGFILE": "keys", "TZ": "UTC"})
    with launching as browser:
        lines = (tmp_path / "env").read_text().splitlines()

    root = browser.profile.parent
    shells_own = {"PWD", "OLDPWD", "_", "SHLVL"}
    assert {line for line in lines if line.partition("=")[0] not in shells_own} == {
        f"BREAKPAD_DUMP_LOCATION={root}/tmp",
        f"CDP_TYPED_LAUNCH={root}",
        "FONTCONFIG_PATH=/etc/fonts",
        "HOME=/home/me",
        "HTTP_PROXY=proxy.example",
        "LC_TIME=de_DE.UTF-8",
        f"PATH={os.defpath}",
        "SSLKEYLOGFILE=keys",
        f"TMPDIR={root}/tmp",
        "TZ=UTC",
        "XDG_RUNTIME_DIR=/run/user/1000",
        "https_proxy=http://proxy.example:3128",
        "no_proxy=localhost",
    }
