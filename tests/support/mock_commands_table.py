"""The commands of the mock as a table of docs/mock.md: `python -m tests.support.mock_commands_table` writes it."""

from __future__ import annotations

import sys
from pathlib import Path

from cdp_typed.mock.engine.handle import MODELLED
from cdp_typed.mock.engine.harmless import HARMLESS, HARMLESS_REASONS, WITHOUT_EFFECT_ONLY
from cdp_typed.schema import load_schema

__all__ = ["drawn", "written"]

PAGE = Path(__file__).parents[2] / "docs" / "mock.md"
BEGIN, END = (
    "<!-- commands: written by `python -m tests.support.mock_commands_table` -->\n\n",
    "\n<!-- end of commands -->\n",
)


def drawn() -> str:
    """The tables, from the code itself."""
    commands = load_schema().commands
    refused = [method for method in commands if method not in MODELLED | HARMLESS]
    counts = f"{len(MODELLED)} are modelled, {len(HARMLESS)} harmless and {len(refused)} refused"
    rows = [
        f"Of {len(commands)} commands {counts}.",
        "",
        "| domain | modelled | harmless | refused |",
        "|---|---|---|---|",
    ]
    for domain in sorted({method.partition(".")[0] for method in commands}):
        own = sorted(method for method in commands if method.partition(".")[0] == domain)
        kinds = (
            [method for method in own if method in MODELLED],
            [method for method in own if method in HARMLESS],
            [method for method in own if method in refused],
        )
        rows.append(f"| {domain} | {' | '.join(_names(kind) for kind in kinds)} |")
    rows += ["", "Why a command is harmless:", "", "| reason | commands |", "|---|---|"]
    for reason, methods in HARMLESS_REASONS.items():
        rows.append(f"| {reason} | {', '.join(_with_values(method) for method in methods)} |")
    return "\n".join(rows) + "\n"


def written() -> str:
    """The tables of the page."""
    return _parts()[1]


def main() -> None:
    before, table, after = _parts()
    if "--check" not in sys.argv:
        PAGE.write_text(before + BEGIN + drawn() + END + after)
    elif table != drawn():
        sys.exit(
            f"{PAGE.name}: the commands are not the code's; `python -m tests.support.mock_commands_table` writes them"
        )


def _names(methods: list[str]) -> str:
    return ", ".join(f"`{method.partition('.')[2]}`" for method in methods)


def _with_values(method: str) -> str:
    values = WITHOUT_EFFECT_ONLY.get(method, {})
    shown = ", ".join(f"{name}={' or '.join(map(_value, allowed))}" for name, allowed in values.items())
    return f"`{method}({shown})`" if shown else f"`{method}`"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


def _parts() -> tuple[str, str, str]:
    """The text before the tables, the tables, and the text after them. Raises `ValueError` without the marks."""
    before, rest = PAGE.read_text().split(BEGIN)
    table, after = rest.split(END)
    return before, table, after


if __name__ == "__main__":
    main()
