"""The address of each kind of endpoint."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cdp_typed.endpoint.devtools_active_port import read_port_file
from cdp_typed.endpoint.sources import Address, is_renewable, locate
from cdp_typed.errors import EndpointError
from cdp_typed.launch import LaunchedBrowser

URL = "ws://127.0.0.1:9222/devtools/browser/0a1b"


def _profile(folder: Path) -> Path:
    (folder / "DevToolsActivePort").write_text("9222\n/devtools/browser/0a1b")
    return folder


async def _fresh() -> str:
    await asyncio.sleep(0)
    return URL


async def test_a_profile_stands_for_the_browser_that_uses_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = _profile(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    for endpoint in (profile, profile / "DevToolsActivePort", str(profile), "~", f"../{tmp_path.name}", Path("~")):
        assert await locate(endpoint, timeout=1) == URL


async def test_a_profile_without_a_browser_is_explained_and_may_get_one(tmp_path: Path) -> None:
    with pytest.raises(EndpointError) as refused:
        await locate(tmp_path, timeout=1)

    assert str(refused.value) == (
        f"{tmp_path}: no DevToolsActivePort there; is a browser running with --remote-debugging-port and this "
        "--user-data-dir?"
    )
    assert refused.value.retryable


@pytest.mark.parametrize("error", [IsADirectoryError(21, "Is a directory"), PermissionError(13, "Permission denied")])
async def test_a_port_file_that_cannot_be_read_is_explained_and_one_that_is_held_may_be_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def refuse(*_: object) -> str:
        raise error

    monkeypatch.setattr(Path, "read_text", refuse)

    with pytest.raises(EndpointError, match=f"DevToolsActivePort cannot be read: {error.strerror}$") as refused:
        await locate(tmp_path, timeout=1)

    assert refused.value.retryable == isinstance(error, PermissionError)


@pytest.mark.parametrize(
    "folder", [r"C:\Users\Ada\User Data", "D:/profile", r".\profile", r"..\profile", r"\\server\share", "./profile"]
)
async def test_a_path_of_any_system_is_a_directory(folder: str) -> None:
    with pytest.raises(EndpointError, match="no DevToolsActivePort there"):
        await locate(folder, timeout=1)


async def test_an_address_stands_for_itself_and_a_launched_browser_for_its_websocket() -> None:
    browser = LaunchedBrowser(ws_url=URL, http_url="", pid=1, executable=Path(), profile=Path())

    endpoints = (URL, "localhost:9222", browser)
    assert [await locate(endpoint, timeout=1) for endpoint in endpoints] == [URL, "localhost:9222", URL]


@pytest.mark.parametrize("endpoint", [lambda: URL, _fresh], ids=["sync", "async"])
async def test_a_callable_stands_for_what_it_returns(endpoint: Address) -> None:
    assert is_renewable(endpoint)
    assert await locate(endpoint, timeout=1) == URL


async def test_a_callable_that_does_not_end_is_given_up() -> None:
    async def never() -> str:
        await asyncio.Event().wait()
        return URL

    with pytest.raises(EndpointError, match=r"the callable for the endpoint gave no URL within 0\.1 s"):
        await locate(never, timeout=0.1)


async def test_what_a_callable_raises_is_its_own() -> None:
    async def fail() -> str:
        raise TimeoutError("the vault does not answer")

    with pytest.raises(TimeoutError, match="the vault does not answer"):
        await locate(fail, timeout=1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9222",
        "9222\n",
        "9222\n/devtools/page/x\n",
        "9222\n/devtools/browser/x y",
        "port\n/devtools/browser/x",
        "999999\n/devtools/browser/x",
    ],
)
def test_a_port_file_that_is_not_whole_is_no_browser(tmp_path: Path, text: str) -> None:
    (tmp_path / "DevToolsActivePort").write_text(text)

    file = tmp_path / "DevToolsActivePort"
    for path in (tmp_path, file, file / "below", tmp_path / "none"):
        assert read_port_file(path) is None


@pytest.mark.parametrize("end", ["", "\n"])
def test_port_and_path_are_read_from_the_folder_or_the_file(tmp_path: Path, end: str) -> None:
    file = tmp_path / "DevToolsActivePort"
    file.write_text(f"9222\n/devtools/browser/0a1b{end}")

    assert [read_port_file(tmp_path), read_port_file(file)] == [(9222, "/devtools/browser/0a1b")] * 2
