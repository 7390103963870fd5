"""The running browsers of a user, on each system."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_typed import connect
from cdp_typed.endpoint import find_running, resolve
from cdp_typed.endpoint.running import usual_directories
from cdp_typed.endpoint.sources import locate
from cdp_typed.errors import EndpointError
from cdp_typed.mock import ThreadedMockServer


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CHROME_USER_DATA_DIR", "CHROME_CONFIG_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def write_port(folder: Path, port: int, path: str = "/devtools/browser/0a1b", *, age: float = 0) -> Path:
    folder.mkdir(parents=True)
    file = folder / "DevToolsActivePort"
    file.write_text(f"{port}\n{path}")
    os.utime(file, (file.stat().st_atime, file.stat().st_mtime - age))
    return folder


@pytest.mark.parametrize(
    ("platform", "variable", "folder", "name"),
    [
        ("linux", "HOME", ".config/google-chrome", "Chrome"),
        ("linux", "HOME", "snap/chromium/common/chromium", "Chromium (snap)"),
        ("linux", "XDG_CONFIG_HOME", "microsoft-edge-beta", "Edge Beta"),
        ("linux", "CHROME_USER_DATA_DIR", "", "Chrome"),
        ("darwin", "HOME", "Library/Application Support/Google/Chrome Canary", "Chrome Canary"),
        ("darwin", "HOME", "Library/Application Support/Microsoft Edge", "Edge"),
    ],
)
def test_a_running_browser_is_found_in_the_usual_directory_of_its_channel(
    tmp_path: Path, port: int, platform: str, variable: str, folder: str, name: str
) -> None:
    profile = write_port(tmp_path / "base" / folder, port)

    found = find_running(platform=platform, environ={variable: str(tmp_path / "base")})

    assert (found.name, found.profile) == (name, profile)
    assert found.ws_url == f"ws://127.0.0.1:{port}/devtools/browser/0a1b"


def test_on_windows_the_directories_are_below_the_local_application_data() -> None:
    environ = {"LOCALAPPDATA": r"C:\Users\Ada\AppData\Local"}

    directories = {name: str(folder) for name, folder in usual_directories("win32", environ)}

    assert directories["Chrome"] == r"C:\Users\Ada\AppData\Local\Google\Chrome\User Data"
    assert directories["Chrome Canary"] == r"C:\Users\Ada\AppData\Local\Google\Chrome SxS\User Data"
    assert directories["Edge"] == r"C:\Users\Ada\AppData\Local\Microsoft\Edge\User Data"
    assert list(usual_directories("win32", {})) == []


def test_a_browser_that_has_ended_is_not_found_and_the_ways_are_told(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = server.getsockname()[1]
    write_port(home / ".config/chromium", closed)

    with pytest.raises(EndpointError, match=r"allow it at chrome://inspect/#remote-debugging\..*Chrome 136") as none:
        find_running()
    assert none.value.retryable


def test_of_two_files_with_one_port_the_newer_counts(home: Path, port: int) -> None:
    write_port(home / ".config/google-chrome", port, age=3600)
    running = write_port(home / ".config/chromium", port)
    write_port(home / ".config/microsoft-edge", port, age=7200)
    (home / ".config/google-chrome-beta/DevToolsActivePort").mkdir(parents=True)  # which cannot be read

    assert find_running().profile == running


def test_of_two_running_browsers_none_is_taken(home: Path, port: int) -> None:
    write_port(home / ".config/google-chrome", port)
    with socket.create_server(("127.0.0.1", 0)) as other:
        write_port(home / ".config/microsoft-edge", other.getsockname()[1])

        with pytest.raises(EndpointError) as several:
            find_running()

    assert str(several.value) == (
        "several browsers allow remote debugging; give the directory of one of them: "
        f"Chrome in {home}/.config/google-chrome; Edge in {home}/.config/microsoft-edge"
    )


async def test_it_is_an_endpoint_that_finds_the_browser_at_each_dial(home: Path) -> None:
    with ThreadedMockServer() as mock:
        number, path = mock.url.removeprefix("ws://127.0.0.1:").split("/", 1)
        write_port(home / ".config/chromium", int(number), f"/{path}")

        async with connect(find_running) as browser, connect(find_running()) as other:
            assert await browser.kind() == await other.kind() == "browser"


async def test_a_port_that_answers_404_is_that_of_the_port_file(home: Path) -> None:
    with ThreadedMockServer() as mock:
        number = int(mock.url.removeprefix("ws://127.0.0.1:").split("/", 1)[0])
        silent = f"http://127.0.0.1:{number}/prefix"  # the mock knows no such path, and answers 404
        with pytest.raises(EndpointError, match=r"no browser at this path \(HTTP 404\)"):
            await resolve(silent)

        write_port(home / ".config/chromium", number)

        assert (await resolve(silent)).url == f"ws://127.0.0.1:{number}/devtools/browser/0a1b"


async def test_a_default_directory_without_a_port_file_tells_why_a_port_is_ignored_there(home: Path) -> None:
    with pytest.raises(EndpointError, match="since Chrome 136 the port is ignored on the default directory"):
        await locate(home / ".config/google-chrome", timeout=1)
