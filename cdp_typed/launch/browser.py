"""`launch`: the flags of a local browser, and its start on a port or a pipe."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Literal, overload

from cdp_typed.launch import pipe as pipe_end
from cdp_typed.launch import port
from cdp_typed.launch.environment import environment_of
from cdp_typed.launch.pipe import PipeLaunch
from cdp_typed.launch.port import Launch

_QUIET = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-quic",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
)
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
    pipe: Literal[False] = ...,
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
) -> PipeLaunch: ...
def launch(
    executable: str | os.PathLike[str] | None = None,
    *,
    headless: bool = True,
    isolate_sites: bool = False,
    args: Sequence[str] = (),
    timeout: float = 30.0,
    env: Mapping[str, str] = {},
    pipe: bool = False,
) -> Launch | PipeLaunch:
    """Start a local Chrome, Chromium or Edge with a fresh private profile, for the length of a `with` block.

        with launch() as browser:               # or: async with launch() as browser
            print(browser.ws_url)

    `executable` is a path or a name on PATH; without it, the environment variable `CDP_TYPED_CHROME` and then the
    usual places decide. `isolate_sites` gives every site its own process (`--site-per-process`). `args` are appended
    to the command line. `timeout` is in seconds, from the start of the process until it listens.

    Of this process's environment the browser gets a short list of what browsers use: paths, languages, the display,
    fonts, drivers, the proxy without its password. `env` adds variables to it.

    The browser listens on a free port of 127.0.0.1, which every process of this machine can use. With `pipe` (not on
    Windows) it listens on no port and uses a pipe for exactly one connection: see `PipeLaunch`. It leaves nothing
    behind: see `Launching`. The sandbox stays on, except for root on Linux, where Chrome refuses to start with it:
    then a `NoSandboxWarning` says so.

    Raises `TypeError` or `ValueError` for bad arguments here, and `LaunchError` when the block is entered.
    """
    _check(args, timeout)
    environment = environment_of(env)
    if pipe and sys.platform == "win32":
        raise ValueError("pipe=True is not for Windows; leave it out, and the browser listens on a port")
    flags = _flags(args, pipe=pipe, headless=headless, isolate_sites=isolate_sites)
    command = (*flags, *args, "about:blank")
    launching = PipeLaunch if pipe else Launch
    return launching(executable, command, timeout, environment)


def _flags(args: Sequence[str], *, pipe: bool, headless: bool, isolate_sites: bool) -> list[str]:
    flags = [pipe_end.FLAG if pipe else port.FLAG, *_QUIET]
    if headless:
        flags.append("--headless=new")
    if isolate_sites:
        flags.append("--site-per-process")
    if sys.platform == "linux" and os.geteuid() == 0 and "--no-sandbox" not in args:
        warnings.warn(
            "running as root: Chrome does not start as root with its sandbox on, so it starts with --no-sandbox",
            NoSandboxWarning,
            stacklevel=3,  # where `launch` was called
        )
        flags.append("--no-sandbox")
    return flags


def _check(args: Sequence[str], timeout: float) -> None:
    if isinstance(args, str):
        raise TypeError(f"args must be a sequence of flags, not one string: {args!r}")
    for arg in args:
        if arg.partition("=")[0] in _OURS:
            raise ValueError(f"{arg}: launch() chooses the port and the profile itself")
    if not timeout > 0:
        raise ValueError(f"timeout must be a positive number of seconds, not {timeout!r}")
