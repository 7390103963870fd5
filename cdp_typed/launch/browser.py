"""`launch`: the flags of a local browser, and its start on a port or a pipe."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, overload

from cdp_typed.launch import pipe as pipe_end
from cdp_typed.launch.environment import environment_of
from cdp_typed.launch.page_flags import page_flags
from cdp_typed.launch.pipe import PipeLaunch
from cdp_typed.launch.port import Launch
from cdp_typed.launch.profiles import Profile

_QUIET = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-quic",
    "--disable-sync",
    "--metrics-recording-only",
    "--hide-crash-restore-bubble",
)
_OWN_KEYS = ("--password-store=basic", "--use-mock-keychain")
"""Cookies are encrypted without the keyring of the person, who would be asked for it."""
_LAST_PORT = 65535
_OURS = ("--user-data-dir", "--remote-debugging-port", "--remote-debugging-pipe", "--remote-debugging-address")


class NoSandboxWarning(UserWarning):
    """The browser runs without its sandbox, because the process is root and Chrome refuses to start with it."""

    def __init__(self, *args: object) -> None:  # written out for `inspect.signature`
        super().__init__(*args)


@overload
def launch(
    executable: str | os.PathLike[str] | None = None,
    *,
    headless: bool = ...,
    isolate_sites: bool = ...,
    args: Sequence[str] = ...,
    timeout: float = ...,
    env: Mapping[str, str] = ...,
    port: int = ...,
    pipe: Literal[False] = ...,
    profile: str | os.PathLike[str] | None = ...,
    copy_of: str | os.PathLike[str] | None = ...,
    proxy: str | None = ...,
    extensions: Sequence[str | os.PathLike[str]] = ...,
    window_size: tuple[int, int] | None = ...,
    downloads: str | os.PathLike[str] | None = ...,
) -> Launch: ...
@overload
def launch(
    executable: str | os.PathLike[str] | None = None,
    *,
    headless: bool = ...,
    isolate_sites: bool = ...,
    args: Sequence[str] = ...,
    timeout: float = ...,
    env: Mapping[str, str] = ...,
    pipe: Literal[True],
    profile: str | os.PathLike[str] | None = ...,
    copy_of: str | os.PathLike[str] | None = ...,
    proxy: str | None = ...,
    extensions: Sequence[str | os.PathLike[str]] = ...,
    window_size: tuple[int, int] | None = ...,
    downloads: str | os.PathLike[str] | None = ...,
) -> PipeLaunch: ...
@overload
def launch(
    executable: str | os.PathLike[str] | None = None,
    *,
    headless: bool = ...,
    isolate_sites: bool = ...,
    args: Sequence[str] = ...,
    timeout: float = ...,
    env: Mapping[str, str] = ...,
    pipe: bool,
    profile: str | os.PathLike[str] | None = ...,
    copy_of: str | os.PathLike[str] | None = ...,
    proxy: str | None = ...,
    extensions: Sequence[str | os.PathLike[str]] = ...,
    window_size: tuple[int, int] | None = ...,
    downloads: str | os.PathLike[str] | None = ...,
) -> Launch | PipeLaunch: ...
def launch(
    executable: str | os.PathLike[str] | None = None,
    *,
    headless: bool = True,
    isolate_sites: bool = False,
    args: Sequence[str] = (),
    timeout: float = 30.0,
    env: Mapping[str, str] = {},
    port: int = 0,
    pipe: bool = False,
    profile: str | os.PathLike[str] | None = None,
    copy_of: str | os.PathLike[str] | None = None,
    proxy: str | None = None,
    extensions: Sequence[str | os.PathLike[str]] = (),
    window_size: tuple[int, int] | None = None,
    downloads: str | os.PathLike[str] | None = None,
) -> Launch | PipeLaunch:
    """Start a local Chrome, Chromium or Edge with a fresh private profile, until its block ends or it is closed.

        with launch() as browser:               # or: async with launch() as browser
            print(browser.ws_url)

    At a prompt or in a notebook: `browser = await launch()`, or `launch().start()`, and later `browser.close()`.

    `executable` is a path or a name on PATH; without it, the environment variable `CDP_TYPED_CHROME` and then the
    usual places decide. `isolate_sites` gives every site its own process (`--site-per-process`). `args` are appended
    to the command line. `timeout` is in seconds, from the start of the process until it listens.

    Of this process's environment the browser gets a short list of what browsers use: paths, languages, the display,
    fonts, drivers, the proxy without its password. `env` adds variables to it.

    `profile` is a user data directory that stays: it is made if it does not exist, and logins in it are there the next
    time. `copy_of` is one of another browser, of which this one gets a copy (Linux only): cookies as far as the other
    browser has written them, and only where this browser may read the key that they are encrypted with. `proxy` is for
    the pages, `http://host:port` or `socks5://host:port`, without a name and password, which Chromium does not take.
    `extensions` are directories of unpacked extensions; Chrome itself loads none from its command line since version
    137, Chromium and Chrome for Testing do. `window_size` is the width and height of the window in pixels.
    The browser saves downloads in the folder `downloads`, which it makes, each under a new name; a profile that stays
    keeps this setting, and a headless shell ignores it.

    The browser listens on `port` of 127.0.0.1, by default a free one. Every process of this machine can use it. With
    `pipe` (not on Windows) it listens on no port and uses a pipe for exactly one connection: see `PipeLaunch`. It
    leaves nothing behind: see `Launching`. The sandbox stays on, except for root on Linux, where Chrome refuses to
    start with it: then a `NoSandboxWarning` says so.

    A headless browser draws no scrollbars (`--hide-scrollbars`), so that pages and pictures have the full width of the
    window. Pages scroll all the same. `headless=False` with `args=["--headless=new"]` draws them.

    Raises `TypeError` or `ValueError` for bad arguments here, and `LaunchError` when the block is entered, also for a
    `port` that another program uses.
    """
    _check(args, timeout, port, pipe=pipe)
    environment = environment_of(env)
    if pipe and sys.platform == "win32":
        raise ValueError("pipe=True is not for Windows; leave it out, and the browser listens on a port")
    settings = page_flags(proxy=proxy, extensions=extensions, window_size=window_size)
    chosen = Profile(
        path=None if profile is None else Path(profile).expanduser().absolute(),
        copy_of=None if copy_of is None else Path(copy_of).expanduser().absolute(),
        downloads=None if downloads is None else Path(downloads).expanduser().absolute(),
    )
    if profile is not None and copy_of is not None:
        raise ValueError("profile and copy_of exclude each other: a profile either stays or is a copy")
    flags = _flags(args, headless=headless, isolate_sites=isolate_sites, own_keys=copy_of is None)
    command = (*flags, *settings, *args, "about:blank")
    if pipe:
        return PipeLaunch(executable, (pipe_end.FLAG, *command), timeout, environment, chosen)
    return Launch(executable, command, timeout, environment, chosen, port)


def _flags(args: Sequence[str], *, headless: bool, isolate_sites: bool, own_keys: bool) -> list[str]:
    flags = [*_QUIET, *(_OWN_KEYS if own_keys else ())]
    if headless:
        flags += ["--headless=new", "--hide-scrollbars"]
    if isolate_sites:
        flags.append("--site-per-process")
    if sys.platform == "win32":
        # From an elevated shell, Chrome 138 and later start a second Chrome with fewer rights, and end with status 0.
        flags.append("--do-not-de-elevate")
    if sys.platform == "linux" and os.geteuid() == 0 and "--no-sandbox" not in args:
        warnings.warn(
            "running as root: Chrome does not start as root with its sandbox on, so it starts with --no-sandbox",
            NoSandboxWarning,
            stacklevel=3,  # where `launch` was called
        )
        flags.append("--no-sandbox")
    return flags


def _check(args: Sequence[str], timeout: float, port: int, *, pipe: bool) -> None:
    if isinstance(args, str):
        raise TypeError(f"args must be a sequence of flags, not one string: {args!r}")
    for arg in args:
        if arg.partition("=")[0] in _OURS:
            raise ValueError(f"{arg}: launch() chooses the port itself, and the profile with profile=PATH")
    if not timeout > 0:
        raise ValueError(f"timeout must be a positive number of seconds, not {timeout!r}")
    if not 0 <= port <= _LAST_PORT:
        raise ValueError(f"port must be a number from 1 to {_LAST_PORT}, or 0 for a free port, not {port!r}")
    if pipe and port:
        raise ValueError("a browser on a pipe listens on no port; give either pipe or port")
