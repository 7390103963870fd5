"""The commands of the mock, as a part of its page of the API reference."""

from __future__ import annotations

from cdp_typed.mock.engine.handle import MODELLED
from cdp_typed.mock.engine.harmless import HARMLESS, HARMLESS_REASONS, WITHOUT_EFFECT_ONLY
from cdp_typed.schema import load_schema


def mock_commands() -> str:
    """Return the tables of modelled, harmless and refused commands."""
    commands = load_schema().commands
    refused = [method for method in commands if method not in MODELLED | HARMLESS]
    counts = f"{len(MODELLED)} are modelled, {len(HARMLESS)} harmless and {len(refused)} refused"
    rows = [
        "## Commands",
        "",
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


def _names(methods: list[str]) -> str:
    return ", ".join(f"`{method.partition('.')[2]}`" for method in methods)


def _with_values(method: str) -> str:
    values = WITHOUT_EFFECT_ONLY.get(method, {})
    shown = ", ".join(f"{name}={' or '.join(map(_value, allowed))}" for name, allowed in values.items())
    return f"`{method}({shown})`" if shown else f"`{method}`"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
