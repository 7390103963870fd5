"""`policy`: what a pattern of the URL rules does to an address."""

from __future__ import annotations

import argparse

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, write
from cdp_typed.printable import visible
from supervisor.cli.parsers import new_parser
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.core.vocabulary.url_rules import UrlRules, shown


def run(words: list[str]) -> int:
    """Say what the pattern does to the address. Raises `UsageError` for a pattern that the rules refuse."""
    options = _parser().parse_args(words)
    verdict = _verdict(options.pattern, options.url)
    write(json_text(verdict) if options.json else _table(verdict))
    return 0


def _verdict(pattern: str, url: str) -> dict[str, str]:
    """Judge an address by rules of this one pattern."""
    try:
        denying, allowing = UrlRules(deny_origins=(pattern,)), UrlRules(allow_origins=(pattern,))
    except InvalidConfig as bad:
        raise UsageError(f"the pattern {pattern!r} is not allowed; expected {bad.allowed}") from None
    return {
        "pattern": pattern,
        "address": shown(url),
        "deny_origins": _decision(denying, url),
        "allow_origins": _decision(allowing, url),
    }


def _decision(rules: UrlRules, url: str) -> str:
    why = rules.why_not(url)
    return "allowed" if why is None else f"refused, {why}"


def _table(verdict: dict[str, str]) -> str:
    return "\n".join(f"{key:15}{visible(text)}" for key, text in verdict.items())


def _parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "policy",
        "Test the URL rules of a policy.",
        "policy test 'https://*.example.com' https://a.example.com:8443/",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    about = "show whether a pattern allows or refuses an address, in deny_origins and in allow_origins"
    test = actions.add_parser("test", help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
    test.add_argument("pattern", metavar="PATTERN", help="such as https://*.example.com, localhost:8080, 10.0.0.0/8")
    test.add_argument("url", metavar="ADDRESS", help="the address of a page or frame, however it is written")
    test.add_argument("--json", action="store_true", help="print JSON")
    return parser
