"""`call`: sends one command, with its parameters as options, and prints its result as JSON."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from typing import Any

from cdp_typed.cli.arguments import UsageError, add_endpoint, new_parser, seconds
from cdp_typed.cli.command_options import Option, build, options_of, read_json
from cdp_typed.cli.connect_options import ConnectOptions, add_connect_options, connect_options_of
from cdp_typed.cli.output import json_text, plain, write
from cdp_typed.cli.session_choice import reach
from cdp_typed.ending_signals import run_in_order
from cdp_typed.protocol.registry import COMMANDS, command_class
from cdp_typed.spelling import did_you_mean
from cdp_typed.wire.json_text import is_object

_OWN = ("target", "session", "timeout", "json")
_DEFAULT_TIMEOUT = 30.0


def run(arguments: list[str]) -> int:
    """Send the command and print its result."""
    parser = new_parser(
        "call",
        "Send one command and print its result as JSON. The command's parameters are options, named as on the wire\n"
        "(--returnByValue) or with dashes (--return-by-value); `call URL METHOD --help` lists them. The options of\n"
        "`call` may also come after METHOD, unless the command has a parameter of that name. --raw and the\n"
        "connection options must come before METHOD.",
        "cdp-typed call http://127.0.0.1:9222 Runtime.evaluate --expression '6 * 7' --return-by-value",
    )
    _add_own(parser, taken=frozenset(), dest=str)
    parser.add_argument(
        "--raw", action="store_true", help="send METHOD unchecked, if it is newer than the bindings; goes before METHOD"
    )
    add_connect_options(parser)
    add_endpoint(parser)
    parser.add_argument("method", metavar="METHOD", help="for example Page.navigate")
    parser.add_argument("parameters", nargs=argparse.REMAINDER, metavar="...", help="the command's parameters")
    options = parser.parse_args(arguments)
    method: str = options.method
    if method not in COMMANDS and not options.raw:
        raise UsageError(f"no command {method!r}{did_you_mean(method, COMMANDS)}")
    own = {name: getattr(options, name) for name in _OWN if hasattr(options, name)}
    given = _parameters(method, options.parameters, () if options.raw else options_of(method))
    own.update((name, given.pop(_dest(name))) for name in _OWN if _dest(name) in given)
    whole = own.get("json", {})
    if not is_object(whole):
        raise UsageError("--json: an object is expected")
    params = {**whole, **given}
    params = params if options.raw else plain(build(method, params))
    run_in_order(_call(options.url, connect_options_of(options), method, params, own))
    return 0


def _parameters(method: str, words: list[str], known: tuple[Option, ...]) -> dict[str, Any]:
    """Parse the words after the method: parameters by wire name, and options of `call` itself by `_dest`."""
    parser = _parameter_parser(method, known)
    parsed, unknown = parser.parse_known_args(words)
    if unknown:
        flags = [option.flag for option in known]
        raise UsageError(
            f"{method} has no parameter {unknown[0]!r}{did_you_mean(unknown[0], flags)} (see {parser.prog} --help)"
        )
    return vars(parsed)


def _parameter_parser(method: str, known: tuple[Option, ...]) -> argparse.ArgumentParser:
    doc = command_class(method).__doc__ if method in COMMANDS else None
    parser = new_parser(f"call URL {method}", inspect.cleandoc(doc or method), _example(method, known))
    for option in known:
        option.add_to(parser)
    _add_own(parser, taken=frozenset(option.wire for option in known), dest=_dest)
    return parser


def _example(method: str, known: tuple[Option, ...]) -> str:
    required = [option for option in known if option.required]
    needed = [f"{option.flag} {option.values[0] if option.values else option.kind}" for option in required]
    return " ".join(["cdp-typed call http://127.0.0.1:9222", method, *needed])


def _dest(name: str) -> str:
    """Return the `dest` of an option of `call` itself in the parser of parameters; no parameter has such a name."""
    return f"--{name}"


def _add_own(parser: argparse.ArgumentParser, *, taken: frozenset[str], dest: Callable[[str], str]) -> None:
    """Add the options of `call` itself, except those in `taken`, which are names of the command's parameters."""
    group = parser.add_argument_group("options of call itself")
    for name, kind, metavar, text in (
        ("target", str, "ID", "a target's id or the beginning of it, or `browser` (default: the first page)"),
        ("session", str, "ID", "a session's id instead of a target, for services that share sessions"),
        ("timeout", seconds, "SECONDS", f"seconds to wait for the result (default: {_DEFAULT_TIMEOUT:g})"),
        ("json", read_json, "OBJECT", "parameters as one JSON object; the command's options override them"),
    ):
        if name not in taken:
            group.add_argument(
                f"--{name}",
                dest=dest(name),
                type=kind,
                metavar=metavar,
                default=argparse.SUPPRESS,
                help=text,
            )


async def _call(
    url: str, connect_options: ConnectOptions, method: str, params: dict[str, Any], own: dict[str, Any]
) -> None:
    timeout: float = own.get("timeout", _DEFAULT_TIMEOUT)
    async with connect_options.connect(url, open_timeout=min(timeout, 10.0), command_timeout=timeout) as browser:
        if "session" in own:
            result = await browser.send_raw(method, params, session_id=own["session"])
        else:
            channel = await reach(browser, own.get("target"), method.partition(".")[0])
            # As plain JSON, so that fields of a newer browser which the bindings do not know are shown.
            result = await channel.send_raw(method, params)
    write(json_text(result))
