"""The pages of the API reference: every name in `__all__` of the public modules, rendered from its docstring."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import getdoc
from types import FunctionType

from cdp_typed.mock.engine.handle import MODELLED
from cdp_typed.mock.engine.harmless import HARMLESS, HARMLESS_REASONS, WITHOUT_EFFECT_ONLY
from cdp_typed.schema import load_schema
from website.repository import front_matter

PUBLIC_MODULES = (
    "cdp_typed",
    "cdp_typed.helpers",
    "cdp_typed.launch",
    "cdp_typed.mock",
    "cdp_typed.mock.assertions",
    "cdp_typed.mock.samples",
    "cdp_typed.mock.validate",
    "cdp_typed.schema.diff",
    "cdp_typed.pytest_plugin",
    "supervisor",
    "supervisor.tools",
    "supervisor.addons.mcp",
    "supervisor.addons.live",
)
_OURS = ("cdp_typed", "supervisor", "builtins", "typing", "types")


def public_names(module: str) -> list[str]:
    """Return the full names of everything in a module's `__all__`, and of the methods and properties of its classes."""
    names: list[str] = []
    for name in import_module(module).__all__:
        value = getattr(import_module(module), name)
        names.append(f"{module}.{name}")
        names += [f"{module}.{name}.{member}" for member in _members(value)]
    return names


def _members(value: object) -> Iterator[str]:
    """The public methods and properties of a class that have our own docstring, inherited ones as well."""
    for base in value.__mro__ if isinstance(value, type) else ():
        if base.__module__.partition(".")[0] in {"cdp_typed", "supervisor"}:
            for member, defined in vars(base).items():
                kinds = (FunctionType, property, classmethod, staticmethod)
                if not member.startswith("_") and isinstance(defined, kinds) and defined.__doc__:
                    yield member


def reference_pages() -> dict[str, str]:
    """Return the text of each page by its path in the site."""
    rows = [f"- [`{module}`]({module}.md): {_sentence(module)}" for module in PUBLIC_MODULES]
    index = [
        "# API reference",
        "Every public name, from its docstring. The bindings of the protocol have [separate pages]"
        "(../protocol/index.md), and `cdp_typed.helpers.blocking` has the helpers once more, for `connect_sync`.",
        "\n".join(rows),
    ]
    pages = {"api/index.md": front_matter("website/reference.py") + "\n\n".join(index) + "\n"}
    return pages | {f"api/{module}.md": _page(module) for module in PUBLIC_MODULES}


def _page(module: str) -> str:
    source = f"{module.replace('.', '/')}"
    path = f"{source}/__init__.py" if hasattr(import_module(module), "__path__") else f"{source}.py"
    commands = [mock_commands()] if module == "cdp_typed.mock" else []
    return front_matter(path) + "\n\n".join([f"# `{module}`", _sentence(module), *_sections(module), *commands]) + "\n"


def _sections(module: str) -> Iterator[str]:
    names = import_module(module).__all__
    values = {name: getattr(import_module(module), name) for name in names}
    errors = [name for name in names if isinstance(values[name], type) and issubclass(values[name], BaseException)]
    callables = [name for name in names if callable(values[name]) and name not in errors]
    kinds = {
        "Functions and classes": callables,
        "Errors and warnings": errors,
        "Values": [name for name in names if name not in {*errors, *callables}],
    }
    for heading, members in kinds.items():
        if members:
            yield f"## {heading}"
            yield from (_entry(module, name, values[name]) for name in members)


def _entry(module: str, name: str, value: object) -> str:
    home = type(value).__module__.partition(".")[0]
    if not isinstance(value, type) and home not in _OURS:  # the other package is not read
        return f"### `{name}` {{#{module}.{name}}}\n\nThe `{name}` of `{home}`."
    return f"::: {module}.{name}"


def _sentence(module: str) -> str:
    return (getdoc(import_module(module)) or "").partition("\n\n")[0]


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
