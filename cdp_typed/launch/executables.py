"""The search for an installed browser of the Chromium family."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath

from cdp_typed.errors import LaunchError

ENVIRONMENT_VARIABLE = "CDP_TYPED_CHROME"
"""The environment variable with a path, or a name on PATH, that is used instead of searching."""

HEADLESS_SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Names on PATH of Chromium without the parts of a desktop browser: it takes less memory, and can do less."""
_SHELL = re.compile(r"headless[-_]shell")

# Chrome before Chromium before Edge: the one that most pages are tested with comes first.
_LINUX = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/snap/bin/chromium",
    *HEADLESS_SHELLS,
)
_MACOS_APPS = ("Google Chrome", "Chromium", "Microsoft Edge")
_WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
_WINDOWS_PATHS = (
    ("Google", "Chrome", "Application", "chrome.exe"),
    ("Chromium", "Application", "chrome.exe"),
    ("Microsoft", "Edge", "Application", "msedge.exe"),
)
_INSTALL = {
    "linux": "apt-get install chromium",
    "darwin": "brew install --cask google-chrome",
    "win32": "winget install Google.Chrome",
}


def candidates(platform: str, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield names and paths to try, best first. `platform` is spelled as in `sys.platform`."""
    if platform == "win32":
        for parts in _WINDOWS_PATHS:
            for root in _WINDOWS_ROOTS:
                if folder := environ.get(root):
                    yield str(PureWindowsPath(folder, *parts))
    elif platform == "darwin":
        folders = ("/Applications", *((f"{environ['HOME']}/Applications",) if environ.get("HOME") else ()))
        for app in _MACOS_APPS:
            for folder in folders:
                yield f"{folder}/{app}.app/Contents/MacOS/{app}"
    else:
        yield from _LINUX


def find_browser(
    executable: str | os.PathLike[str] | None = None,
    *,
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
) -> Path:
    """Return the browser to start: `executable`, else `CDP_TYPED_CHROME`, else the first candidate that exists.

    Raises `LaunchError`, which names the candidates and how to install one. A browser that the user named is never
    replaced by another one.
    """
    if executable is not None:
        return _named(os.fspath(executable), "executable", environ)
    if name := environ.get(ENVIRONMENT_VARIABLE):
        return _named(name, ENVIRONMENT_VARIABLE, environ)
    looked_for = tuple(candidates(platform, environ))
    for candidate in looked_for:
        if path := shutil.which(candidate, path=environ.get("PATH")):
            return Path(path)
    raise LaunchError(
        f"no Chrome, Chromium or Edge found; looked for: {', '.join(looked_for)}. "
        f"Install one ({_INSTALL.get(platform, _INSTALL['linux'])}), or name it in {ENVIRONMENT_VARIABLE}."
    )


def is_headless_shell(executable: Path) -> bool:
    """Whether this is a headless shell, by its name: Debian's, that of Chrome for Testing, or that of Playwright."""
    return _SHELL.search(executable.resolve().name) is not None


def _named(name: str, source: str, environ: Mapping[str, str]) -> Path:
    if executable := shutil.which(name, path=environ.get("PATH")):
        return Path(executable)
    path = Path(name)
    if path.is_dir():
        problem = "is a directory"
    elif path.exists():
        problem = "is not executable"
    elif path.name == name:
        problem = "is not on PATH"
    else:
        problem = "does not exist"
    raise LaunchError(f"{source}: {name!r} {problem}")
