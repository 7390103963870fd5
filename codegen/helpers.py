"""Writes the blocking twins of the async helpers: `cdp_typed/helpers/blocking/`, from the modules beside that folder.

A module with an async function gets a twin. In it `async` and `await` are dropped, and the names of the async client
become those of the blocking one (`Session` is `SyncSession`); classes of the module itself get the same prefix. What a
caller's function returns is not awaited: `await x if isawaitable(x) else x` is `x`. What is in `shared/`, and a module
without an async function, serves both. What has no counterpart is refused with its line.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from tokenize import NAME, STRING, TokenInfo, generate_tokens
from typing import NamedTuple

from codegen.emit.source_text import GENERATED
from codegen.errors import NoBlockingTwin

HELPERS = Path(__file__).parent.parent / "cdp_typed" / "helpers"
TWINS = HELPERS / "blocking"

_HOME = "cdp_typed.helpers"

_CLIENT = ("AutoAttach", "Channel", "Connection", "EventStream", "Expectation", "Session", "Subscription")
_CLIENT_MODULE = "cdp_typed.client."

_NAMES = {name: f"Sync{name}" for name in _CLIENT} | {
    "AbstractAsyncContextManager": "AbstractContextManager",
    "AsyncExitStack": "ExitStack",
    "AsyncGenerator": "Generator",
    "AsyncIterable": "Iterable",
    "AsyncIterator": "Iterator",
    "StopAsyncIteration": "StopIteration",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
    "aclose": "close",
    "aclosing": "closing",
    "aiter": "iter",
    "anext": "next",
    "async_block": "block",
    "asynccontextmanager": "contextmanager",
    "enter_async_context": "enter_context",
    "push_async_callback": "callback",
}

_DROPPED = {("collections.abc", "Awaitable"), ("inspect", "isawaitable")}

_OF_ASYNCIO = {"Event": "threading", "Lock": "threading", "sleep": "time"}
"""The names of asyncio that a helper may use, each with the module that has it for threads."""


class _Edit(NamedTuple):
    """The text between two positions, (line, column), is replaced."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def blocking_helpers(package: Path = HELPERS) -> dict[str, str]:
    """Return every file of `blocking/`, from the modules of the package. Raises `NoBlockingTwin`."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(package.glob("*.py"))}
    trees = {name: ast.parse(source) for name, source in sources.items()}
    twins = {
        name for name, tree in trees.items() if any(isinstance(node, ast.AsyncFunctionDef) for node in ast.walk(tree))
    }
    classes = {
        node.name: _prefixed(node.name) for name in twins for node in trees[name].body if isinstance(node, ast.ClassDef)
    }
    written = {
        f"{name}.py": blocking_twin(name, sources[name], twins, classes) for name in sorted({*twins, "__init__"})
    }
    return _formatted(written)


def _prefixed(name: str) -> str:
    return f"_Sync{name[1:]}" if name.startswith("_") else f"Sync{name}"


def blocking_twin(name: str, source: str, twins: Iterable[str], classes: Mapping[str, str]) -> str:
    """Return the blocking twin of one module, not formatted. Raises `NoBlockingTwin`."""
    tree = ast.parse(source)
    _refuse_what_has_none(name, tree)
    names = {**_NAMES, **classes}
    homes = {f"{_HOME}.{twin}": f"{_HOME}.blocking.{twin}" for twin in twins}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    perhaps_awaited = dict(_perhaps_awaited(tree))
    done = [_span(node) for node in (*imports, *_f_strings(tree), *perhaps_awaited)]
    tokens = [
        token
        for token in generate_tokens(StringIO(source).readline)
        if not any(start <= token.start < end for start, end in done)
    ]
    edits = [
        *(_Edit(*_span(node), outcome) for node, outcome in perhaps_awaited.items()),
        *_import_edits(tree, imports, names, homes),
        *_token_edits(tokens, names, {**homes, **classes}, {_span(node)[0] for node in _docstrings(tree)}),
    ]
    return f"{GENERATED} from cdp_typed/helpers/{name}.py; do not edit.\n\n{_edited(source, edits)}"


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _f_strings(tree: ast.Module) -> Iterator[ast.JoinedStr]:
    """Yield what Python 3.11 reads as one token, and later versions as several."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr))


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _perhaps_awaited(tree: ast.Module) -> Iterator[tuple[ast.IfExp, str]]:
    """Yield each `await x if isawaitable(x) else x`, of a caller's function that may be async, with its `x`."""
    for node in ast.walk(tree):
        match node:
            case ast.IfExp(
                test=ast.Call(func=ast.Name(id="isawaitable"), args=[ast.Name(id=asked)]),
                body=ast.Await(value=ast.Name(id=awaited)),
                orelse=ast.Name(id=name),
            ) if asked == awaited == name:
                yield node, name
            case _:
                pass


# -- what has no counterpart -------------------------------------------------------------------------------------


def _refuse_what_has_none(module: str, tree: ast.Module) -> None:
    if any(isinstance(node, ast.Await) for f_string in _f_strings(tree) for node in ast.walk(f_string)):
        raise NoBlockingTwin(f"{module}.py: await before the f-string, not in it")
    perhaps_awaited = [node.body for node, _ in _perhaps_awaited(tree)]
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="asyncio"):
                raise NoBlockingTwin(f"{module}.py:{node.lineno}: import asyncio, not names of it")
            case ast.Await(value=ast.Call(func=ast.Attribute(attr="send_nowait"))):
                raise NoBlockingTwin(f"{module}.py:{node.lineno}: await send(...), not the future of send_nowait")
            case ast.Await(value=value) if not isinstance(value, ast.Call) and node not in perhaps_awaited:
                raise NoBlockingTwin(f"{module}.py:{node.lineno}: only a call can be awaited")
            case ast.Attribute(value=ast.Name(id="asyncio"), attr=name) if name not in _OF_ASYNCIO:
                raise NoBlockingTwin(f"{module}.py:{node.lineno}: asyncio.{name} has no blocking counterpart")
            case _:
                pass


# -- edits -------------------------------------------------------------------------------------------------------


def _import_edits(
    tree: ast.Module, imports: Iterable[ast.Import | ast.ImportFrom], names: Mapping[str, str], homes: Mapping[str, str]
) -> Iterator[_Edit]:
    for node in imports:
        match node:
            case ast.ImportFrom(module=str() as module, names=imported):
                lines = _imported(module, imported, names, homes)
            case ast.Import(names=[ast.alias(name="asyncio")]):
                used = {
                    _OF_ASYNCIO[part.attr]
                    for part in ast.walk(tree)
                    if isinstance(part, ast.Attribute)
                    and isinstance(part.value, ast.Name)
                    and part.value.id == "asyncio"
                }
                lines = [f"import {module}" for module in sorted(used)]
            case _:
                continue
        yield _Edit(*_span(node), f"\n{' ' * node.col_offset}".join(lines))


def _imported(module: str, imported: list[ast.alias], names: Mapping[str, str], homes: Mapping[str, str]) -> list[str]:
    """Return the import statements of the twin: names of the client with a blocking counterpart come from there."""
    kept = [alias for alias in imported if (module, alias.name) not in _DROPPED]
    home, of_client = homes.get(module, module), module.startswith(_CLIENT_MODULE)
    if of_client:
        home = "cdp_typed.sync"
    parts: dict[str, set[str]] = {}
    for alias in kept:
        its_home = home if alias.name in _CLIENT or not of_client else module
        parts.setdefault(its_home, set()).add(_named(names.get(alias.name, alias.name), alias.asname))
    return [f"from {its_home} import {', '.join(sorted(part))}" for its_home, part in parts.items()]


def _named(name: str, alias: str | None) -> str:
    return name if alias is None else f"{name} as {alias}"


def _token_edits(
    tokens: list[TokenInfo], names: Mapping[str, str], literals: Mapping[str, str], docstrings: set[tuple[int, int]]
) -> Iterator[_Edit]:
    for at, token in enumerate(tokens):
        if token.type == STRING:
            text = prose(token.string, names) if token.start in docstrings else _literal(token.string, literals)
            if text != token.string:
                yield _Edit(token.start, token.end, text)
        elif token.type != NAME:
            continue
        elif token.string in {"async", "await"}:
            yield _Edit(token.start, tokens[at + 1].start, "")
        elif token.string == "Awaitable":  # Awaitable[X] is X
            closing = _closing(tokens, at + 1)
            yield _Edit(token.start, tokens[at + 1].end, "")
            yield _Edit(closing.start, closing.end, "")
        elif token.string == "asyncio":
            yield _Edit(token.start, token.end, _OF_ASYNCIO[tokens[at + 2].string])
        elif token.string in names:
            yield _Edit(token.start, token.end, names[token.string])


def _closing(tokens: list[TokenInfo], at: int) -> TokenInfo:
    """Return the bracket that closes the one at this place."""
    depth = 0
    while True:
        depth += {"[": 1, "]": -1}.get(tokens[at].string, 0)
        if depth == 0:
            return tokens[at]
        at += 1


def _literal(string: str, literals: Mapping[str, str]) -> str:
    """Return a string that is the name of a module or of a class in the twin's words, and any other unchanged."""
    inner = string.strip('"')
    return f'"{literals[inner]}"' if string == f'"{inner}"' and inner in literals else string


def prose(docstring: str, names: Mapping[str, str]) -> str:
    text = re.sub(r"\basync (?=with|for|def)|\bawait (?=[\w.]+\()", "", docstring)
    text = text.replace(f"from {_HOME} import", f"from {_HOME}.blocking import")
    return re.sub(r"\b[A-Z]\w+(?=[`.(])", lambda match: names.get(match[0], match[0]), text)


def _edited(source: str, edits: Iterable[_Edit]) -> str:
    lines = source.splitlines(keepends=True)
    for (first, begin), (last, end), text in sorted(edits, reverse=True):
        lines[first - 1 : last] = [lines[first - 1][:begin] + text + lines[last - 1][end:]]
    return "".join(lines)


def _formatted(files: Mapping[str, str]) -> dict[str, str]:
    settings = f"--config={HELPERS.parents[1] / 'pyproject.toml'}"
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        for command in (["check", "--fix", "--select=I,RUF022"], ["format"]):
            subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", settings, folder], check=True)
        return {name: (Path(folder) / name).read_text(encoding="utf-8") for name in files}
