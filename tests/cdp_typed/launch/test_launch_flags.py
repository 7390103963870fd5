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


OWN_FLAGS = ("--user-data-dir=x", "--remote-debugging-port=9222", "--remote-debugging-pipe")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"args": "--mute-audio"}, TypeError, "args must be a sequence of flags, not one string: '--mute-audio'"),
        *(({"args": [flag]}, ValueError, rf"{flag}: launch\(\) chooses the port itself") for flag in OWN_FLAGS),
        ({"port": 65536}, ValueError, "port must be a number from 1 to 65535, or 0 for a free port, not 65536"),
        ({"pipe": True, "port": 9222}, ValueError, "a browser on a pipe listens on no port; give either pipe or port"),
        *(({"timeout": it}, ValueError, "timeout must be a positive number of") for it in (0, -1.0, float("nan"))),
        ({"proxy": f"http://ada:{CANARY}@host:1"}, ValueError, "without a name and password"),
        ({"window_size": (0, 5)}, ValueError, "from 1 to 10000 pixels"),
        ({"extensions": [Path(__file__).parent]}, ValueError, r"it has no manifest\.json"),
        ({"extensions": "/x"}, TypeError, "a sequence of directories, not one"),
        ({"profile": Path("a"), "copy_of": Path("a")}, ValueError, "profile and copy_of exclude each other"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as refused:
        launch(**options)

    assert CANARY not in str(refused.value)


@pytest.mark.parametrize(
    ("user", "args", "times", "warnings_told"),
    [(0, [], 1, 1), (1000, [], 0, 0), (0, ["--no-sandbox"], 1, 0)],
    ids=["root", "another", "root that asked for it"],
)
def test_root_starts_it_without_the_sandbox_and_is_warned(
    monkeypatch: pytest.MonkeyPatch,
    fake_browser: FakeBrowser,
    tmp_path: Path,
    user: int,
    args: list[str],
    times: int,
    warnings_told: int,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    with warnings.catch_warnings(record=True, action="always", category=NoSandboxWarning) as caught:
        launching = launch(fake_browser(NOTES_FLAGS + LISTENS), args=args)
    with launching:
        flags = (tmp_path / "flags").read_text().splitlines()

    assert flags.count("--no-sandbox") == times
    assert [warning.filename for warning in caught] == [__file__] * warnings_told
    assert all("running as root" in str(warning.message) for warning in caught)


def test_the_options_become_flags_and_the_arguments_come_last(fake_browser: FakeBrowser, tmp_path: Path) -> None:
    fake = fake_browser(NOTES_FLAGS + LISTENS)

    def flags_of(*, headless: bool, isolate_sites: bool) -> list[str]:
        with launch(fake, headless=headless, isolate_sites=isolate_sites, args=["--no-sandbox", "--mute-audio"]):
            return (tmp_path / "flags").read_text().splitlines()

    plain = flags_of(headless=False, isolate_sites=False)
    both = flags_of(headless=True, isolate_sites=True)

    assert "--remote-debugging-port=0" in plain
    more = [flag for flag in both if flag not in plain and not flag.startswith("--user-data-dir=")]
    assert more == ["--headless=new", "--hide-scrollbars", "--site-per-process"]
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
