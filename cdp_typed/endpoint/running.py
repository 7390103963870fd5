"""The browsers of this user that run and allow remote debugging, found by the port files in the usual directories."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from msgspec import Struct

from cdp_typed.endpoint.devtools_active_port import NAME, read_port_file
from cdp_typed.errors import EndpointError

WAYS = (
    "In Chrome 144 or later, allow it at chrome://inspect/#remote-debugging. Or start a browser with "
    "--remote-debugging-port=9222 and --user-data-dir=DIRECTORY: since Chrome 136 the port is ignored on the default "
    "directory"
)
"""The ways to a browser that a person uses, for the end of an error text."""

# The home of a channel differs by system and vendor; the name is what a person calls it.
_LINUX = {
    "Chrome": "google-chrome",
    "Chrome Beta": "google-chrome-beta",
    "Chrome Dev": "google-chrome-unstable",
    "Chrome Canary": "google-chrome-canary",
    "Chrome for Testing": "google-chrome-for-testing",
    "Chromium": "chromium",
    "Edge": "microsoft-edge",
    "Edge Beta": "microsoft-edge-beta",
    "Edge Dev": "microsoft-edge-dev",
}
_LINUX_SANDBOXES = {
    "Chromium (snap)": "snap/chromium/common/chromium",
    "Chrome (flatpak)": ".var/app/com.google.Chrome/config/google-chrome",
    "Chromium (flatpak)": ".var/app/org.chromium.Chromium/config/chromium",
    "Edge (flatpak)": ".var/app/com.microsoft.Edge/config/microsoft-edge",
}
_MACOS = {
    "Chrome": "Google/Chrome",
    "Chrome Beta": "Google/Chrome Beta",
    "Chrome Dev": "Google/Chrome Dev",
    "Chrome Canary": "Google/Chrome Canary",
    "Chrome for Testing": "Google/Chrome for Testing",
    "Chromium": "Chromium",
    "Edge": "Microsoft Edge",
    "Edge Beta": "Microsoft Edge Beta",
    "Edge Dev": "Microsoft Edge Dev",
    "Edge Canary": "Microsoft Edge Canary",
}
_WINDOWS = {
    "Chrome": ("Google", "Chrome"),
    "Chrome Beta": ("Google", "Chrome Beta"),
    "Chrome Dev": ("Google", "Chrome Dev"),
    "Chrome Canary": ("Google", "Chrome SxS"),
    "Chrome for Testing": ("Google", "Chrome for Testing"),
    "Chromium": ("Chromium",),
    "Edge": ("Microsoft", "Edge"),
    "Edge Beta": ("Microsoft", "Edge Beta"),
    "Edge Dev": ("Microsoft", "Edge Dev"),
    "Edge Canary": ("Microsoft", "Edge SxS"),
}
_ACCEPTS_S = 0.5


class RunningBrowser(Struct, frozen=True):
    """A running browser that listens on a port of 127.0.0.1: an endpoint for `connect`."""

    name: str
    """Such as `Chrome`, `Chrome Beta`, `Chromium (snap)` or `Edge`."""
    profile: Path
    """The user data directory. As an endpoint, it stays right when the browser starts again with another address."""
    ws_url: str
    """The browser's websocket, `ws://127.0.0.1:PORT/devtools/browser/ID`."""


def find_running(*, platform: str = sys.platform, environ: Mapping[str, str] = os.environ) -> RunningBrowser:
    """Return the running Chrome, Chromium or Edge of this user that allows remote debugging.

    It reads `DevToolsActivePort` in the usual user data directories of each channel, and checks that the port accepts
    a connection. Nothing is sent to the browser. Raises `EndpointError` when no browser listens, and when several do.
    """
    found = _listening(platform, environ)
    if len(found) == 1:
        return found[0]
    if not found:
        text = f"no running Chrome, Chromium or Edge of this user allows remote debugging. {WAYS}"
        raise EndpointError(text, url="", retryable=True)
    listed = "; ".join(f"{browser.name} in {browser.profile}" for browser in found)
    raise EndpointError(f"several browsers allow remote debugging; give the directory of one of them: {listed}", url="")


def websocket_at(port: int) -> str | None:
    """Return the websocket of this user's browser that listens on `port`, or `None` if no port file names the port."""
    found = (browser.ws_url for browser in _listening(sys.platform, os.environ))
    return next((url for url in found if url.startswith(f"ws://127.0.0.1:{port}/")), None)


def usual_port_file_of(websocket: str) -> Path | None:
    """Return the port file in a usual directory that names this websocket of a browser, or `None`."""
    for _, usual in usual_directories(sys.platform, os.environ):
        with suppress(OSError):
            content = read_port_file(Path(usual))
            if content is not None and websocket == _websocket(*content):
                return Path(usual) / NAME
    return None


def is_usual_directory(folder: Path, *, platform: str = sys.platform, environ: Mapping[str, str] = os.environ) -> bool:
    """Return True for a directory that a browser uses when it gets no `--user-data-dir`."""
    return any(str(folder) == str(usual) for _, usual in usual_directories(platform, environ))


def usual_directories(platform: str, environ: Mapping[str, str]) -> Iterator[tuple[str, PurePath]]:
    """Yield the names of browsers and their user data directories. `platform` is spelled as in `sys.platform`."""
    if platform == "win32":
        if local := environ.get("LOCALAPPDATA"):
            for name, parts in _WINDOWS.items():
                yield name, PureWindowsPath(local, *parts, "User Data")
        return
    home = PurePosixPath(environ.get("HOME") or "/")
    if platform == "darwin":
        for name, folder in _MACOS.items():
            yield name, home / "Library" / "Application Support" / folder
        return
    if chosen := environ.get("CHROME_USER_DATA_DIR"):
        yield "Chrome", PurePosixPath(chosen)
    settings = PurePosixPath(environ.get("CHROME_CONFIG_HOME") or environ.get("XDG_CONFIG_HOME") or home / ".config")
    for name, folder in _LINUX.items():
        yield name, settings / folder
    for name, folder in _LINUX_SANDBOXES.items():
        yield name, home / folder


def _listening(platform: str, environ: Mapping[str, str]) -> list[RunningBrowser]:
    """The browsers whose port accepts a connection. A browser that ended leaves its port file behind, so of several
    files with one port the newest counts."""
    newest: dict[int, tuple[float, RunningBrowser]] = {}
    for name, usual in usual_directories(platform, environ):
        profile = Path(usual)
        try:
            content = read_port_file(profile)
            written = (profile / NAME).stat().st_mtime if content else 0.0
        except OSError:
            continue
        if content is not None and _accepts(content[0]):
            port, path = content
            browser = RunningBrowser(name, profile, _websocket(port, path))
            newest[port] = max(newest.get(port, (written, browser)), (written, browser), key=lambda item: item[0])
    return [browser for _, browser in newest.values()]


def _websocket(port: int, path: str) -> str:
    return f"ws://127.0.0.1:{port}{path}"


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), _ACCEPTS_S).close()
    except OSError:
        return False
    return True
