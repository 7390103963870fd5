"""`probe`: what a browser, or a service in front of one, can do for a supervisor."""

from __future__ import annotations

from cdp_typed.cli.output import json_text, table, write
from cdp_typed.ending_signals import run_in_order
from supervisor.cli.arguments import Failed, add_browser, browser_of, new_parser, settings_of, warn
from supervisor.config import Config
from supervisor.probe import CAPABILITIES, Row, probe


def run(arguments: list[str]) -> int:
    """Print the capability matrix."""
    parser = new_parser(
        "probe",
        "Find out what a browser, or a service in front of one, can do for a supervisor, with a new page.\n"
        "Without URL: the running Chrome, Chromium or Edge of this user.",
        "probe http://127.0.0.1:9222 --require dialog_respond oopif_evaluate",
    )
    add_browser(parser)
    parser.add_argument("--json", action="store_true", help="print the matrix as JSON")
    parser.add_argument(
        "--page", metavar="URL", help="a page with a cross-origin iframe (default: two that come through Fetch)"
    )
    parser.add_argument(
        "--require", nargs="+", choices=CAPABILITIES, default=[], metavar="NAME", help="exit with 1 unless they work"
    )
    options = parser.parse_args(arguments)
    options.connect = options.connect or (options.url is None and not options.launch)
    with browser_of(options) as url:
        rows = run_in_order(
            probe(
                Config(cdp_url=url, **settings_of(options)),
                page_url=options.page,
                on_consent=warn,
            )
        )
    write(json_text([_plain(row) for row in rows]) if options.json else _table(rows))
    missing = [row.capability for row in rows if row.capability in options.require and not row.works]
    if missing:
        raise Failed(f"not there: {', '.join(missing)}")
    return 0


def _table(rows: tuple[Row, ...]) -> str:
    body = [(row.capability, row.answer, CAPABILITIES[row.capability], row.detail) for row in rows]
    return table([("CAPABILITY", "WORKS", "MEANING", "SEEN"), *body])


def _plain(row: Row) -> dict[str, object]:
    return {"capability": row.capability, "works": row.works, "detail": row.detail, "took_ms": row.took_ms}
