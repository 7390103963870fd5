"""`diff`: compares the bindings with a live browser, or with a file."""

from __future__ import annotations

from pathlib import Path

from cdp_typed import PROTOCOL
from cdp_typed.cli.arguments import UsageError, add_timeout, new_parser
from cdp_typed.cli.connect_options import ConnectOptions, add_connect_options, connect_options_of
from cdp_typed.cli.output import json_text, plain, table, write
from cdp_typed.ending_signals import run_in_order
from cdp_typed.endpoint.discovery import fetch_protocol
from cdp_typed.endpoint.sources import locate
from cdp_typed.schema import Schema, SchemaInvalid, load_schema, parse_schema
from cdp_typed.schema.diff import Difference, compare


def run(arguments: list[str]) -> int:
    """Print the differences; return 0 if there are none, else 1."""
    parser = new_parser(
        "diff",
        "Compare the bindings with the protocol that a browser speaks (its /json/protocol) or that a JSON file holds.\n"
        "'added' marks what only that side has. The exit code is 0 without differences and 1 with differences.",
        "cdp-typed diff http://127.0.0.1:9222",
    )
    parser.add_argument("source", metavar="URL|FILE", help="a browser's address, or a file with its /json/protocol")
    parser.add_argument("--json", action="store_true", help="print the differences as JSON")
    parser.add_argument("--stable", action="store_true", help="leave out experimental parts")
    add_timeout(parser, "seconds to wait for the browser")
    add_connect_options(parser)
    options = parser.parse_args(arguments)
    differences = compare(load_schema(), _schema(options.source, options.timeout, connect_options_of(options)))
    if options.stable:
        differences = tuple(difference for difference in differences if not difference.experimental)
    if options.json:
        write(json_text(plain(differences)))
    else:
        write(_text(differences))
    return 1 if differences else 0


def _schema(source: str, timeout: float, connect_options: ConnectOptions) -> Schema:
    if _is_file(source):
        where, text = source, _read(Path(source))
    else:
        where, text = "its /json/protocol", run_in_order(_fetch(source, timeout, connect_options))
    try:
        return parse_schema(text)
    except SchemaInvalid as error:
        raise UsageError(f"{where}: no protocol schema: {error}") from None


def _is_file(source: str) -> bool:
    """Return True for the path of an existing file and for any path that ends in `.json`."""
    try:
        return "://" not in source and (Path(source).is_file() or Path(source).suffix == ".json")
    except OSError:  # too long for a name, for example
        return False


async def _fetch(source: str, timeout: float, connect_options: ConnectOptions) -> bytes:
    address = await locate(source, timeout=timeout)
    return await fetch_protocol(
        address, headers=connect_options.headers, timeout=timeout, proxy=connect_options.proxy, ssl=connect_options.ssl
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or 'cannot be read'}") from None


def _text(differences: tuple[Difference, ...]) -> str:
    against = f"{PROTOCOL.package} {PROTOCOL.version}"
    if not differences:
        return f"no differences from {against}"
    marked = sum(difference.experimental for difference in differences)
    summary = f"{len(differences)} differences from {against}, {marked} of them experimental"
    return f"{table([_row(difference) for difference in differences])}\n{summary}"


def _row(difference: Difference) -> tuple[str, ...]:
    detail = f"{difference.detail}{' (experimental)' if difference.experimental else ''}".strip()
    return difference.change, difference.level, difference.name, detail
