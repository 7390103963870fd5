"""Variables that closures keep alive though no function that still exists can read them.

All closures of a scope share one context with its variables. So a small handler that stays keeps everything alive that
another function of the scope once used. V8 writes into the snapshot which function uses which variable (Chromium 156).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .analysis import HeapAnalysis
from .class_names import object_name
from .holders import is_closure_context
from .repeated_strings import int_of
from .snapshot import Snapshot

_SCRIPT = -2
"""The number of the scope of a whole script."""
_ENDED = -1
_GENERATORS = frozenset({"JS_GENERATOR_OBJECT_TYPE", "JS_ASYNC_FUNCTION_OBJECT_TYPE", "JS_ASYNC_GENERATOR_OBJECT_TYPE"})


@dataclass(eq=False)
class _Scope:
    """A scope of a script's text: its variables, each with the scopes that use it."""

    number: int
    parent: _Scope | None
    variables: list[str]
    uses: dict[int, list[_Scope]] = field(default_factory=dict)


@dataclass(frozen=True)
class DeadVariables:
    """A context whose variables are partly unreadable."""

    context: int
    scope: int
    script_name: str
    start: int
    end: int
    """The part of the script's text that the scope is, in characters."""
    variables: tuple[tuple[str, int], ...]
    """Name and value of each."""


class Closures:
    """Looks for such variables."""

    def __init__(self, analysis: HeapAnalysis) -> None:
        self._snapshot = analysis.snapshot
        self._texts = _scopes_of(analysis.snapshot)
        self._scripts: dict[int, str] = {}
        self._script_of: dict[int, int | None] = {}
        """By the node of a scope, its script."""
        self._contexts: list[tuple[int, int]] = []
        self._functions: list[tuple[int, int, int, int]] = []
        """Functions that may still run: node, context, script and scope."""
        self._ended: set[int] = set()
        """Functions of modules that have run and will not run again."""
        self._generators: dict[int, bool] = {}
        self.unknown_scripts: dict[int, int] = {}
        """Scripts of whose scopes the browser wrote nothing, with the number of their contexts."""
        self._scan()
        self._running = self._contexts_of_functions()

    def find(self) -> Iterator[DeadVariables]:
        """The contexts that hold unreadable variables."""
        for context, scope in self._contexts:
            number = self._int(scope, "scope_id")
            script = None if number is None else self._script_of_scope(scope)
            if number is None or script is None or script not in self._scripts:
                continue
            texts = self._texts.get(script)
            if texts is None:
                self.unknown_scripts[script] = self.unknown_scripts.get(script, 0) + 1
            elif number in texts:
                variables = tuple(self._dead(context, script, texts[number]))
                if variables:
                    yield self._found(context, scope, script, variables)

    def _found(self, context: int, scope: int, script: int, variables: tuple[tuple[str, int], ...]) -> DeadVariables:
        start, end = self._int(scope, "start_position") or 0, self._int(scope, "end_position") or 0
        return DeadVariables(context, scope, self._scripts[script], start, end, variables)

    def _dead(self, context: int, script: int, text: _Scope) -> Iterator[tuple[str, int]]:
        kind = self._snapshot.edge_kind("context")
        for edge in self._snapshot.edges_of(context):
            if self._snapshot.edge_kinds[edge] == kind:
                name = self._snapshot.edge_name(edge)
                if name in text.variables and not self._is_read(context, script, text, name):
                    yield name, self._snapshot.targets[edge]

    def _is_read(self, context: int, script: int, text: _Scope, name: str) -> bool:
        running = self._running.get(script, {})
        for user in text.uses.get(text.variables.index(name), ()):
            scope: _Scope | None = user
            while scope is not None:
                if context in running.get(scope.number, ()):
                    return True
                scope = scope.parent
        return False

    def _scan(self) -> None:
        snapshot = self._snapshot
        closure, plain = snapshot.kind("closure"), snapshot.kind("object")
        for node, kind in enumerate(snapshot.kinds):
            name = snapshot.name_of(node)
            if name.startswith("system / Script"):
                self._add_script(node, name)
            elif is_closure_context(snapshot, node):
                scope = snapshot.internal(node, "scope_info")
                if scope is not None:
                    self._contexts.append((node, scope))
            elif kind == closure:
                self._add_function(node, snapshot.internal(node, "shared"), snapshot.internal(node, "context"))
            elif kind == plain and self._is_generator(node):
                self._add_generator(node, closure)

    def _add_script(self, node: int, name: str) -> None:
        shown = name.removeprefix("system / Script / ") if name.startswith("system / Script / ") else ""
        if not shown:
            url = self._snapshot.internal(node, "source_url")
            shown = "" if url is None else object_name(self._snapshot, url)
        self._scripts[node] = shown
        infos = self._snapshot.internal(node, "infos")
        around = self._snapshot.internal(node, "eval_from_scope_info")
        stop = around if around is not None and self._snapshot.name_of(around) == "system / ScopeInfo" else None
        for edge in () if infos is None else self._snapshot.edges_of(infos):
            scope = self._scope_of_info(self._snapshot.targets[edge])
            if scope is not None:
                self._give_script(scope, node, stop)

    def _scope_of_info(self, info: int) -> int | None:
        snapshot = self._snapshot
        name = snapshot.name_of(info)
        if name == "system / ScopeInfo":
            return info
        if not name.startswith("system / SharedFunctionInfo"):
            return None
        scope = snapshot.internal(info, "name_or_scope_info")
        if scope is not None and snapshot.name_of(scope) == "system / ScopeInfo":
            return scope
        if self._int(info, "scope_id") in (None, _SCRIPT):
            return None
        outer = snapshot.internal(info, "raw_outer_scope_info_or_feedback_metadata")
        return outer if outer is not None and snapshot.name_of(outer) == "system / ScopeInfo" else None

    def _give_script(self, scope: int, script: int, stop: int | None) -> None:
        """Note the script of a scope, and of those around it."""
        each: int | None = scope
        while each is not None and each != stop and each not in self._script_of:
            self._script_of[each] = script
            each = None if self._int(each, "scope_id") == _SCRIPT else self._snapshot.internal(each, "outer_scope_info")

    def _script_of_scope(self, scope: int) -> int | None:
        seen: list[int] = []
        each: int | None = scope
        while each is not None and each not in self._script_of and each not in seen:
            seen.append(each)
            each = None if self._int(each, "scope_id") == _SCRIPT else self._snapshot.internal(each, "outer_scope_info")
        script = None if each is None else self._script_of.get(each)
        self._script_of.update(dict.fromkeys(seen, script))
        return script

    def _add_function(self, node: int, shared: int | None, context: int | None) -> None:
        if shared is None or context is None:
            return
        script, number = self._snapshot.internal(shared, "script"), self._int(shared, "scope_id")
        if script is not None and number is not None:
            self._functions.append((node, context, script, number))

    def _is_generator(self, node: int) -> bool:
        kind = self._snapshot.internal(node, "map")
        if kind is None:
            return False
        if kind not in self._generators:
            name = self._snapshot.internal(kind, "instance_type_name")
            self._generators[kind] = name is not None and self._snapshot.name_of(name) in _GENERATORS
        return self._generators[kind]

    def _add_generator(self, node: int, closure: int) -> None:
        """A generator or async function that was called and has not ended may still read its variables."""
        at, function = self._int(node, "continuation"), self._snapshot.internal(node, "function")
        if at is None or function is None or self._snapshot.kinds[function] != closure:
            return
        shared = self._snapshot.internal(function, "shared")
        if at != _ENDED:
            self._add_function(node, shared, self._snapshot.internal(node, "context"))
        elif shared is not None and self._int(shared, "scope_id") == _SCRIPT:
            self._ended.add(function)

    def _contexts_of_functions(self) -> dict[int, dict[int, set[int]]]:
        """By script and scope, the contexts that its functions can read."""
        found: dict[int, dict[int, set[int]]] = {}
        for node, context, script, number in self._functions:
            if node in self._ended:
                continue
            readable = found.setdefault(script, {}).setdefault(number, set())
            each: int | None = context
            while each is not None and each not in readable and is_closure_context(self._snapshot, each):
                readable.add(each)
                each = self._snapshot.internal(each, "previous")
        return found

    def _int(self, node: int, name: str) -> int | None:
        return int_of(self._snapshot, self._snapshot.internal(node, name))


def _scopes_of(snapshot: Snapshot) -> dict[int, dict[int, _Scope]]:
    """By script and number, the scopes of its text."""
    table, names = snapshot.scopes, iter(snapshot.scope_variables.get("name", ()))
    scripts: dict[int, dict[int, _Scope]] = {}
    around = list[_Scope]()
    last = -1
    rows: list[tuple[int, ...]] = [*zip(*(table[name] for name in _COLUMNS), strict=True)] if table else []
    for index, number, depth, variables, _ in rows:
        script = index // snapshot.node_width
        if script != last:
            around.clear()
            last = script
        parents = around[depth - 1 : depth] if depth else [None]
        scope = _Scope(number, parents[0], [snapshot.strings[next(names)] for _ in range(variables)])
        del around[depth:]
        around.append(scope)
        scripts.setdefault(script, {})[number] = scope
    _add_uses(snapshot, scripts, rows)
    return scripts


_COLUMNS = ("script_node_index", "scope_id", "depth", "scope_context_vars_count", "scope_uses_count")


def _add_uses(snapshot: Snapshot, scripts: dict[int, dict[int, _Scope]], rows: list[tuple[int, ...]]) -> None:
    uses = snapshot.scope_uses
    pairs = iter(zip(uses["declaring_scope_id"], uses["slot_index"], strict=True)) if uses else iter(())
    for index, number, _, _, count in rows:
        scopes = scripts[index // snapshot.node_width]
        for _ in range(count):
            declaring, slot = next(pairs)
            declared = scopes.get(declaring)
            if declared is not None and slot < len(declared.variables):
                users = declared.uses.setdefault(slot, [])
                if scopes[number] not in users:
                    users.append(scopes[number])
