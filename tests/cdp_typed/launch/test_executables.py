"""The browser that `launch` chooses, and its error when there is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cdp_typed.errors import LaunchError
from cdp_typed.launch import find_browser


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("name", "problem"),
    [("folder", "is a directory"), ("notes.txt", "is not executable"), ("missing/chrome", "does not exist")],
)
@pytest.mark.parametrize("source", ["executable", "CDP_TYPED_CHROME"])
def test_a_path_that_cannot_start_is_an_error_not_replaced(
    tmp_path: Path, name: str, problem: str, source: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("not a program")
    program(tmp_path / "bin" / "chromium")
    path = str(tmp_path / name)
    environ = {"PATH": str(tmp_path / "bin"), **({} if source == "executable" else {source: path})}

    with pytest.raises(LaunchError) as caught:
        find_browser(path if source == "executable" else None, environ=environ)

    assert str(caught.value) == f"{source}: {path!r} {problem}"


def test_a_name_that_is_not_on_the_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LaunchError) as caught:
        find_browser("my-chrome", environ={"PATH": str(tmp_path)})

    assert str(caught.value) == "executable: 'my-chrome' is not on PATH"


@pytest.mark.parametrize(
    ("platform", "environ", "looked_for", "install"),
    [
        (
            "linux",
            {},
            "google-chrome-stable, google-chrome, chromium, chromium-browser, microsoft-edge-stable, microsoft-edge, "
            "/opt/google/chrome/chrome, /opt/microsoft/msedge/msedge, /snap/bin/chromium, "
            "chromium-headless-shell, chrome-headless-shell",
            "apt-get install chromium",
        ),
        (
            "darwin",
            {"HOME": "/Users/ada"},
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome, "
            "/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome, "
            "/Applications/Chromium.app/Contents/MacOS/Chromium, "
            "/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium, "
            "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge, "
            "/Users/ada/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
            "brew install --cask google-chrome",
        ),
        (
            "win32",
            {"PROGRAMFILES": r"C:\Program Files"},
            r"C:\Program Files\Google\Chrome\Application\chrome.exe, "
            r"C:\Program Files\Chromium\Application\chrome.exe, "
            r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
            "winget install Google.Chrome",
        ),
    ],
)
def test_no_browser_is_an_error_that_says_where_it_looked_and_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, platform: str, environ: dict[str, str], looked_for: str, install: str
) -> None:
    def nowhere(name: str, path: str | None = None) -> None:
        """Stands in for `shutil.which` on a machine without any browser."""

    monkeypatch.setattr(shutil, "which", nowhere)

    with pytest.raises(LaunchError) as caught:
        find_browser(platform=platform, environ=environ)

    assert str(caught.value) == (
        f"no Chrome, Chromium or Edge found; looked for: {looked_for}. "
        f"Install one ({install}), or name it in CDP_TYPED_CHROME."
    )


def test_the_argument_wins_over_the_variable_and_the_variable_over_the_search(tmp_path: Path) -> None:
    given, named, searched = (program(tmp_path / folder / "chromium") for folder in ("given", "named", "searched"))
    environ = {"PATH": str(searched.parent), "CDP_TYPED_CHROME": str(named)}

    assert find_browser(given, environ=environ) == given
    assert find_browser(environ=environ) == named
    for variables in ({}, {"CDP_TYPED_CHROME": ""}):
        assert find_browser(environ={"PATH": str(searched.parent), **variables}) == searched
    of_the_path = program(searched.parent / "my-chrome")
    assert find_browser(environ={"PATH": str(searched.parent), "CDP_TYPED_CHROME": "my-chrome"}) == of_the_path


def test_chrome_is_taken_before_chromium_before_edge_before_a_headless_shell(tmp_path: Path) -> None:
    names = ("chromium-headless-shell", "microsoft-edge", "chromium", "google-chrome")
    for name in names:
        executable = program(tmp_path / name)

        assert find_browser(platform="linux", environ={"PATH": str(tmp_path)}) == executable
