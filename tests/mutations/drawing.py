"""Small faults of the hand-written code, drawn by chance: a line, and a change of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from msgspec import Struct
from mutmut.mutation.mutators import OPERATORS_TYPE, mutation_operators

__all__ = ["REPOSITORY", "Fault", "draw", "faults_of"]

REPOSITORY: Final = Path(__file__).parents[2]
_CODE: Final = ("cdp_agent/*.py", "cdp_typed/**/*.py", "codegen/**/*.py", "supervisor/**/*.py")
_GENERATED: Final = (
    "cdp_typed/protocol/",
    "cdp_typed/helpers/blocking/",
    "supervisor/facade.py",
    "supervisor/fleet/remote.py",
)
_NOT_EXECUTED: Final = (
    m.Annotation() | m.Decorator() | m.Import() | m.ImportFrom() | m.Assert() | m.Call(func=m.Name("cast"))
) | m.If(test=m.Name("TYPE_CHECKING"))


class Fault(Struct, frozen=True):
    """A change of a line of a file, whose path is relative to the repository."""

    file: str
    line: int
    kind: str
    runs_at_import: bool
    module: cst.Module
    old: cst.CSTNode
    new: cst.CSTNode

    @property
    def source(self) -> str:
        """Return the text of the file with the change."""
        changed = self.module.deep_replace(self.old, self.new)
        assert isinstance(changed, cst.Module)
        code: str = changed.code
        return code


def draw(seed: int) -> Iterator[Fault]:
    """Yield faults without end: each line that can have one is equally likely, and then each kind of change."""
    chance = Random(seed)
    paths = sorted(path.relative_to(REPOSITORY).as_posix() for code in _CODE for path in REPOSITORY.glob(code))
    sources = {path: (REPOSITORY / path).read_text("utf-8") for path in paths if not path.startswith(_GENERATED)}
    lines = [(file, line + 1) for file, source in sources.items() for line in range(len(source.splitlines()))]
    while True:
        file, line = chance.choice(lines)
        if faults := [fault for fault in faults_of(file, sources[file]) if fault.line == line]:
            kind = chance.choice(sorted({fault.kind for fault in faults}))
            yield chance.choice([fault for fault in faults if fault.kind == kind])


def faults_of(file: str, source: str) -> Iterator[Fault]:
    """Yield the faults of a text: the mutants of mutmut, and those of three kinds that it lacks."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    nodes: list[tuple[cst.CSTNode, bool]] = [(wrapper.module, False)]
    while nodes:
        node, in_function = nodes.pop()
        if not m.matches(node, _NOT_EXECUTED):
            for changes in (changes for kind, changes in _KINDS if isinstance(node, kind)):
                for new in changes(node):
                    line = positions[node].start.line
                    yield Fault(file, line, changes.__name__, not in_function, wrapper.module, node, new)
            nodes += [(child, in_function or isinstance(node, cst.FunctionDef)) for child in node.children]


def _without_call(node: cst.Expr) -> Iterator[cst.Pass]:
    if isinstance(node.value, cst.Call | cst.Await):
        yield cst.Pass()


def _without_value(node: cst.Return) -> Iterator[cst.Return]:
    if node.value is not None:
        yield node.with_changes(value=None)


def _turned_round(node: cst.If) -> Iterator[cst.If]:
    test = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(test=cst.UnaryOperation(cst.Not(), test))


_KINDS: Final[OPERATORS_TYPE] = (
    *mutation_operators,
    (cst.Expr, _without_call),
    (cst.Return, _without_value),
    (cst.If, _turned_round),
)
