"""`call`: one command, its parameters as options, its result as JSON."""

from __future__ import annotations

import argparse
import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from cdp_typed import Command
from cdp_typed.cli.output import json_text, plain, write
from cdp_typed.cli.parameters import build, options_of, read_json
from cdp_typed.cli.parsing import UsageError, add_endpoint, close_to, new_parser, seconds
from cdp_typed.cli.reaching import reach
from cdp_typed.jsontext import is_object
from cdp_typed.opening import connect
from cdp_typed.protocol.registry import COMMANDS, command_class

__all__ = ["run"]

_OWN = ("target", "session", "timeout", "json")
_DEFAULT_TIMEOUT = 30.0


def run(arguments: list[str]) -> int:
    """Send the command and print its result."""
    parser = new_parser(
        "call",
        "Send one command and print its result as JSON. The command's parameters are options, named as on the wire\n"
        "(--returnByValue) or with dashes (--return-by-value); `call URL METHOD --help` lists them. The options of\n"
        "`call` may also come after METHOD, unless the command has a parameter of that name.",
        "cdp-typed call http://127.0.0.1:9222 Runtime.evaluate --expression '6 * 7' --return-by-value",
    )
    _add_own(parser, taken=frozenset(), dest=str)
    add_endpoint(parser)
    parser.add_argument("method", metavar="METHOD", help="for example Page.navigate")
    parser.add_argument("parameters", nargs=argparse.REMAINDER, metavar="...", help="the command's parameters")
    options = parser.parse_args(arguments)
    method: str = options.method
    if method not in COMMANDS:
        raise UsageError(f"no command {method!r}{close_to(method, COMMANDS)}")
    own = {name: getattr(options, name) for name in _OWN if hasattr(options, name)}
    given = _parameters(method, options.parameters)
    own.update((name, given.pop(_dest(name))) for name in _OWN if _dest(name) in given)
    whole = own.get("json", {})
    if not is_object(whole):
        raise UsageError("--json: an object is expected")
    asyncio.run(_call(options.url, build(method, {**whole, **given}), own))
    return 0


def _parameters(method: str, words: list[str]) -> dict[str, Any]:
    """What the words after the method give, under wire names; options of `call` itself under `_dest`."""
    parser = _parameter_parser(method)
    parsed, unknown = parser.parse_known_args(words)
    if unknown:
        flags = [each.flag for each in options_of(method)]
        raise UsageError(
            f"{method} has no parameter {unknown[0]!r}{close_to(unknown[0], flags)} (see {parser.prog} --help)"
        )
    return vars(parsed)


def _parameter_parser(method: str) -> argparse.ArgumentParser:
    doc = inspect.cleandoc(command_class(method).__doc__ or method)
    parser = new_parser(f"call URL {method}", doc, _example(method))
    options = options_of(method)
    for each in options:
        each.add_to(parser)
    _add_own(parser, taken=frozenset(each.wire for each in options), dest=_dest)
    return parser


def _example(method: str) -> str:
    needed = [
        f"{each.flag} {each.kind if not each.values else each.values[0]}"
        for each in options_of(method)
        if each.required
    ]
    return " ".join(["cdp-typed call http://127.0.0.1:9222", method, *needed])


def _dest(name: str) -> str:
    """Where the parser of a command's parameters keeps an option of `call` itself: no parameter has such a name."""
    return f"--{name}"


def _add_own(parser: argparse.ArgumentParser, *, taken: frozenset[str], dest: Callable[[str], str]) -> None:
    """The options of `call` itself, those apart whose names the command has taken."""
    group = parser.add_argument_group("options of call itself")
    for name, kind, metavar, text in (
        ("target", str, "ID", "a target's id, the beginning of one, or `browser` (default: the first page)"),
        ("session", str, "ID", "a session's id instead, where the other side shares its sessions"),
        ("timeout", seconds, "SECONDS", f"how long to wait for the result (default: {_DEFAULT_TIMEOUT:g})"),
        ("json", read_json, "OBJECT", "parameters as one JSON object; options of their own go first"),
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


async def _call(url: str, command: Command[Any], own: dict[str, Any]) -> None:
    timeout: float = own.get("timeout", _DEFAULT_TIMEOUT)
    method, params = command.METHOD, plain(command)
    async with connect(url, open_timeout=min(timeout, 10.0), command_timeout=timeout) as browser:
        if "session" in own:
            result = await browser.send_raw(method, params, session_id=own["session"])
        else:
            channel = await reach(browser, url, own.get("target"), method.partition(".")[0])
            # Not by its type: what a newer browser says beyond the bindings is to be seen.
            result = await channel.send_raw(method, params)
    write(json_text(result))
