"""Options that commands share, and the supervisor settings made from them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from cdp_typed.cli.arguments import UsageError, add_endpoint, add_timeout
from cdp_typed.cli.connect_options import add_connect_options, connect_options_of
from cdp_typed.endpoint import find_running
from cdp_typed.launch import Launch, launch
from supervisor.config import Endpoint, Settings

_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})")


def add_browser(parser: argparse.ArgumentParser) -> None:
    """URL, `--launch` or `--connect`, `--timeout` and the connection options."""
    add_endpoint(parser, is_optional=True)
    parser.set_defaults(prog=parser.prog)
    parser.add_argument("--launch", action="store_true", help="start a Chromium for as long as the command runs")
    add_connect(parser.add_argument)
    add_launch(parser)
    add_timeout(parser, "seconds to wait for the browser", 15.0)
    add_connect_options(parser)


def add_connect(add_argument: Callable[..., object]) -> None:
    """Add `--connect` with the `add_argument` of a parser or a group."""
    add_argument(
        "--connect",
        action="store_true",
        help="use the running Chrome, Chromium or Edge of this user that allows remote debugging",
    )


def add_launch(parser: argparse.ArgumentParser) -> None:
    """Add the options of a launched browser besides `--launch`."""
    group = parser.add_argument_group("with --launch")
    group.add_argument("--headed", action="store_true", help="show a window")
    profile = group.add_mutually_exclusive_group()
    profile.add_argument("--profile", metavar="DIR", help="a user data directory to keep (default: a fresh one)")
    profile.add_argument(
        "--copy-profile", metavar="DIR", help="use a copy of this user data directory, with its cookies (Linux)"
    )
    group.add_argument(
        "--page-proxy", metavar="URL", help="a proxy for the pages, http://host:port or socks5://host:port"
    )
    group.add_argument(
        "--extension",
        action="append",
        default=[],
        metavar="DIR",
        help="an unpacked extension; may be given several times",
    )
    group.add_argument(
        "--window-size", type=_size, metavar="WIDTHxHEIGHT", help="in pixels (default without --headed: 1280x800)"
    )


def default_window(*, headless: bool) -> tuple[int, int] | None:
    """The size for an agent's browser in pixels; None leaves that of a real window to the system.

    Without a window Chromium takes 780 x 580, in which many applications show what they made for telephones.
    """
    return (1280, 800) if headless else None


def launching_of(options: argparse.Namespace, downloads: Path | None = None) -> Launch:
    """The browser of these options, to be started; it saves downloads in that folder. Raises `UsageError`."""
    try:
        return launch(
            isolate_sites=True,
            headless=not options.headed,
            profile=options.profile,
            copy_of=options.copy_profile,
            proxy=options.page_proxy,
            extensions=options.extension,
            window_size=options.window_size or default_window(headless=not options.headed),
            downloads=downloads,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def check_unlaunched(options: argparse.Namespace) -> None:
    """Raise `UsageError` for an option of a launched browser without `--launch`."""
    given = {
        "--headed": options.headed,
        "--profile": options.profile,
        "--copy-profile": options.copy_profile,
        "--page-proxy": options.page_proxy,
        "--extension": options.extension,
        "--window-size": options.window_size,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} is for --launch, which is not given")


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"a width and a height such as 1280x800 are expected, not {text!r}")
    return int(match[1]), int(match[2])


def add_record(parser: argparse.ArgumentParser) -> None:
    """`--record` and `--record-secrets`."""
    about = "write a flight recording with pictures, for `report`; if the file exists, the new one gets a number"
    parser.add_argument("--record", metavar="FILE.jsonl", help=about)
    parser.add_argument("--record-secrets", action="store_true", help="leave no secrets out of the recording")


def recording_of(options: argparse.Namespace) -> Settings:
    """Both as settings of a supervisor. Raises `UsageError` where no file can be made."""
    if options.record is None:
        if options.record_secrets:
            raise UsageError("--record-secrets needs --record")
        return Settings()
    folder = Path(options.record).parent
    if not folder.is_dir():
        raise UsageError(f"--record {options.record}: there is no folder {folder}")
    return Settings(record_to=options.record, record_screenshots=True, record_secrets=options.record_secrets)


@contextmanager
def browser_of(options: argparse.Namespace, downloads: Path | None = None) -> Generator[Endpoint]:
    """The browser: the given one, a running one of this user, or a Chromium launched for the length of the block, which
    saves downloads in that folder.

    Raises `UsageError` unless exactly one of the three is wanted.
    """
    wanted = sum((options.url is not None, options.launch, options.connect))
    if wanted != 1:
        wrong = "URL, --launch and --connect exclude each other" if wanted else "URL, --launch or --connect is required"
        raise UsageError(f"{wrong} (see {options.prog} --help)")
    if not options.launch:
        check_unlaunched(options)
        yield find_running if options.connect else options.url
        return
    with launching_of(options, downloads) as browser:
        yield browser.ws_url


def settings_of(options: argparse.Namespace) -> Settings:
    """The connection options and the scope as settings of a supervisor; `--connect` manages no tab of the person."""
    way = connect_options_of(options)
    settings = Settings(headers=way.headers, proxy=way.proxy, ssl=way.ssl)
    if options.connect:
        settings["scope"] = "shared"
    return settings
