"""The flags of a launched browser for its pages: proxy, extensions, the size of the window."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from cdp_typed.errors import LaunchError
from cdp_typed.launch.executables import is_headless_shell

_LOAD = "--load-extension="
_CHROME = re.compile(r"/google/chrome|/google-chrome|Google Chrome\.app|\\Google\\Chrome")
_PROXY = re.compile(r"(https?|socks[45])://[^/@\s]+:\d+")


def page_flags(
    *,
    proxy: str | None,
    extensions: Sequence[str | os.PathLike[str]],
    window_size: tuple[int, int] | None,
) -> tuple[str, ...]:
    """Return the flags. Raises `TypeError` and `ValueError` for what Chromium would ignore without a word."""
    flags: list[str] = []
    if proxy is not None:
        if not _PROXY.fullmatch(proxy):
            # Not quoted: it may hold a password.
            raise ValueError("proxy must be http://host:port or socks5://host:port, without a name and password")
        flags.append(f"--proxy-server={proxy}")
    if isinstance(extensions, (str, os.PathLike)):
        raise TypeError("extensions must be a sequence of directories, not one")
    if extensions:
        folders = [_extension(Path(folder).expanduser().absolute()) for folder in extensions]
        flags.append(f"{_LOAD}{','.join(folders)}")
    if window_size is not None:
        width, height = window_size
        if not (0 < width <= 10_000 and 0 < height <= 10_000):
            raise ValueError(f"window_size must be a width and a height from 1 to 10000 pixels, not {window_size!r}")
        flags.append(f"--window-size={width},{height}")
    return tuple(flags)


def check_flags(executable: Path, flags: Sequence[str]) -> None:
    """Raise `LaunchError` for extensions, or a window, in a browser that would ignore them without a word."""
    has_extensions = any(flag.startswith(_LOAD) for flag in flags)
    if is_headless_shell(executable):
        has_window = not any(flag.startswith("--headless") for flag in flags)
        if has_extensions or has_window:
            raise LaunchError(
                f"{executable}: a headless shell has no {'window' if has_window else 'extensions'}; "
                "take Chromium or Chrome for Testing"
            )
    is_chrome = _CHROME.search(str(executable.resolve())) is not None
    if is_chrome and has_extensions:
        raise LaunchError(
            f"{executable}: Chrome loads no extension from its command line since version 137; "
            "take Chromium or Chrome for Testing"
        )


def _extension(folder: Path) -> str:
    if not (folder / "manifest.json").is_file():
        raise ValueError(f"{folder} is no unpacked extension: it has no manifest.json")
    if "," in str(folder):
        raise ValueError(f"{folder}: Chromium takes no directory of an extension with a comma in its name")
    return str(folder)
