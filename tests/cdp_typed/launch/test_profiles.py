"""The profile of a launched browser, its proxy, extensions and window."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from pathlib import Path

import pytest

from cdp_typed import connect_sync
from cdp_typed.errors import LaunchError
from cdp_typed.launch import LaunchedBrowser, launch
from cdp_typed.launch.page_flags import check_flags, page_flags
from cdp_typed.launch.profiles import Profile, user_of
from cdp_typed.protocol import network, page, runtime, storage, target
from tests.support.processes import processes_of

quiet = pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")


def lock(profile: Path, host: str, pid: int) -> None:
    (profile / "SingletonLock").symlink_to(f"{host}-{pid}")


def test_a_profile_that_another_browser_uses_is_refused(tmp_path: Path) -> None:
    lock(tmp_path, socket.gethostname(), os.getpid())

    with pytest.raises(LaunchError, match=rf"is used by another browser \(process {os.getpid()}\): end that"):
        Profile(path=tmp_path).prepare(tmp_path)


@pytest.mark.parametrize("of", [(socket.gethostname(), 2**22 + 1), ("elsewhere", os.getpid())], ids=["dead", "other"])
def test_the_lock_of_a_process_that_is_not_here_is_left_to_the_browser(tmp_path: Path, of: tuple[str, int]) -> None:
    lock(tmp_path, *of)

    assert Profile(path=tmp_path).prepare(tmp_path) == tmp_path


def test_the_lock_of_a_process_of_another_user_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    lock(tmp_path, socket.gethostname(), 1)
    monkeypatch.setattr(os, "kill", kill)

    assert user_of(tmp_path) == "process 1"


def test_a_profile_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(LaunchError, match=r"the profile cannot be used: .*Not a directory"):
        Profile(path=tmp_path / "file" / "profile").prepare(tmp_path)


def test_an_extension_with_a_comma_in_its_path_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "one,two"
    folder.mkdir()
    (folder / "manifest.json").touch()

    with pytest.raises(ValueError, match="with a comma in its name"):
        page_flags(proxy=None, extensions=[folder], window_size=None)


def test_on_windows_the_browser_holds_the_lock_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert user_of(tmp_path, platform="win32") is None
    (tmp_path / "lockfile").touch()
    assert user_of(tmp_path, platform="win32") is None

    def held(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", held)
    assert user_of(tmp_path, platform="win32") == "its lockfile is held"


def test_the_port_file_of_the_browser_before_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "DevToolsActivePort").write_text("1\n/devtools/browser/old")

    Profile(path=tmp_path).prepare(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_copy_leaves_out_caches_and_locks(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("Local State", "Default/Network/Cookies", "Default/Cache/data", "DevToolsActivePort"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(name)
    lock(source, "host", 1)

    copy = Profile(copy_of=source).prepare(tmp_path)

    files = sorted(str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file() or path.is_symlink())
    assert files == ["Default/Network/Cookies", "Local State"]


@pytest.mark.parametrize(
    ("state", "before", "used"),
    [
        (None, None, "Default"),
        ("{}", "no JSON", "Default"),
        ('{"profile": {"last_used": ""}}', '{"a": 1, "download": {"b": 2, "prompt_for_download": true}}', "Default"),
        ('{"profile": {"last_used": "Profile 1"}}', '{"a": 1, "download": {"b": 2}}', "Profile 1"),
    ],
)
def test_the_folder_for_downloads_is_a_preference_beside_the_others(
    tmp_path: Path, state: str | None, before: str | None, used: str
) -> None:
    preferences, folder = tmp_path / used / "Preferences", tmp_path / "files"
    preferences.parent.mkdir()
    for path, text in ((tmp_path / "Local State", state), (preferences, before)):
        if text is not None:
            path.write_text(text)

    Profile(path=tmp_path, downloads=folder).prepare(tmp_path)

    others, of_downloads = ({"a": 1}, {"b": 2}) if before is not None and "b" in before else ({}, {})
    own = {"default_directory": str(folder), "prompt_for_download": False}
    assert json.loads(preferences.read_text()) == {**others, "download": {**of_downloads, **own}}
    assert [path.name for path in preferences.parent.iterdir()] == ["Preferences"]
    assert preferences.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("platform", "problem"),
    [
        ("linux", "is not a user data directory: it has no file 'Local State'"),
        ("win32", "a copy of a profile has no cookies on this system"),
    ],
)
def test_what_is_no_profile_or_would_lose_its_cookies_is_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, problem: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)

    with pytest.raises(LaunchError, match=problem):
        Profile(copy_of=tmp_path).prepare(tmp_path)


@pytest.mark.parametrize("chrome", ["/opt/google/chrome/chrome", "/Applications/Google Chrome.app/Contents/MacOS/x"])
def test_chrome_that_would_load_no_extension_is_refused(chrome: str) -> None:
    with pytest.raises(LaunchError, match="since version 137; take Chromium"):
        check_flags(Path(chrome), ["--load-extension=/x"])

    check_flags(Path(chrome), ["--window-size=1,1"])
    check_flags(Path("/usr/lib/chromium/chromium"), ["--load-extension=/x"])


@pytest.mark.parametrize("shell", ["chromium-headless-shell", "chrome-headless-shell", "headless_shell"])
def test_a_headless_shell_is_refused_for_what_it_would_ignore(shell: str) -> None:
    with pytest.raises(LaunchError, match="a headless shell has no window; take Chromium"):
        check_flags(Path(shell), ["--window-size=1,1"])
    with pytest.raises(LaunchError, match="a headless shell has no extensions; take Chromium"):
        check_flags(Path(shell), ["--headless=new", "--load-extension=/x"])

    check_flags(Path(shell), ["--headless=new"])
    check_flags(Path("chromium"), ["--load-extension=/x"])


def _cookies(browser: LaunchedBrowser) -> list[str]:
    with connect_sync(browser) as connection:
        return [cookie.name for cookie in connection.send(storage.GetCookies()).cookies]


def _log_in(browser: LaunchedBrowser, name: str) -> None:
    cookie = network.CookieParam(name=name, value="1", url="http://shop.test/", expires=time.time() + 1e6)
    with connect_sync(browser) as connection:
        connection.send(storage.SetCookies(cookies=[cookie]))


@pytest.mark.thorough
@pytest.mark.chromium
@quiet
def test_a_login_in_a_profile_that_stays_is_there_the_next_time_and_in_a_copy(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with launch(profile=kept) as browser:
        _log_in(browser, "login")
        with pytest.raises(LaunchError, match="is used by another browser"):
            launch(profile=kept).start()
    assert (kept / "Local State").is_file()
    assert processes_of(browser.pid, kept) == {}

    with launch(profile=kept) as browser:
        assert _cookies(browser) == ["login"]
        with launch(copy_of=kept) as copied:  # while the other one runs
            assert _cookies(copied) == ["login"]
            _log_in(copied, "only in the copy")
        assert _cookies(browser) == ["login"]
    assert not copied.profile.exists()


@pytest.mark.thorough
@pytest.mark.chromium
@quiet
def test_proxy_extension_and_window_are_those_that_were_asked_for(tmp_path: Path) -> None:
    manifest = {"manifest_version": 3, "name": "x", "version": "1", "background": {"service_worker": "worker.js"}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "worker.js").touch()
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = server.getsockname()[1]

    launching = launch(extensions=[tmp_path], window_size=(900, 700), proxy=f"http://127.0.0.1:{closed}")
    with launching as browser, connect_sync(browser) as connection, connection.new_page() as tab:
        size = tab.send(runtime.Evaluate(expression="`${outerWidth}x${outerHeight}`")).result.value
        failure = tab.send(page.Navigate(url="http://shop.test/")).error_text
        deadline = time.monotonic() + 10
        while not any(
            info.type == "service_worker" and info.url.endswith("/worker.js")
            for info in connection.send(target.GetTargets()).target_infos
        ):
            assert time.monotonic() < deadline, "the extension is not there"
            time.sleep(0.05)

    assert (size, failure) == ("900x700", "net::ERR_PROXY_CONNECTION_FAILED")
