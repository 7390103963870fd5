"""Makes `cdp_typed/sync/client.py`: the classes of the async client, with methods that wait for it on the loop thread.

A method keeps its signature, its overloads and its docstring. The tables here say what a signature cannot.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen.helpers import prose
from codegen.methods import (
    Method,
    Words,
    annotation_of,
    decorators_of,
    docstring_of,
    formatted,
    imports_of,
    is_property,
    passed,
    public_methods,
    signature_of,
    type_variables_of,
)

CLIENT = Path(__file__).parent.parent / "cdp_typed" / "client"
TARGET = CLIENT.parent / "sync" / "client.py"

_WRAPPED = ("AutoAttach", "Channel", "Connection", "EventStream", "Expectation", "Session", "Subscription", "Tap")
NAMES: Mapping[str, str] = {name: f"Sync{name}" for name in _WRAPPED} | {
    "AsyncGenerator": "Generator",
    "PageOpening": "SyncSession",
    "S": "SyncSession",
    "SessionSetup": "SyncSetup",
    "SetupFailure": "SyncSetupFailure",
    "async_block": "block",
    "asyncio.Future": "Future",
    "cached_property": "property",
}

LEFT_OUT = frozenset({"Channel.tally", "Connection.lost"})
ON_LOOP = frozenset({"children", "listeners", "parent", "sessions", "tap"})
"""The members that are not async and depend on what the reader changes."""
ENDS = frozenset({"close", "detach", "stop"})
"""What ends something also does so when the last connection is closed."""

BODIES: Mapping[str, str] = {
    "Channel.listen": "return listen_on_a_thread(self._channel, callback, types)",
    "AutoAttach.failures": """return tuple(
            SyncSetupFailure(SyncSession(failure.session), failure.command, failure.error)
            for failure in self._attaching.failures
        )""",
    "Connection.open_page": """opening = self._connection.open_page(url, browser_context_id=browser_context_id)
        return SyncSession(wait(awaited(opening)))""",
    "Connection.close": """for release in self._holds:  # once: two threads may close at the same time
            try:
                wait(self._connection.close())
            finally:
                release()""",
}

WORDS: Words = {
    "Channel.send_nowait": ("the future need not be awaited.", "`future.result()` waits. Cancel it to give it up."),
    "Channel.listen": (
        "It is called from the reader, so it must be quick. An async callback may await commands: each event gets a\n"
        "        separate task, which is cancelled when the connection ends. Exceptions",
        "Each listener has a thread, so the callback may call this client and take its time. At most 10,000 events\n"
        "        wait for it; then the oldest is dropped and counted, in `SyncSubscription.dropped` too. The end of\n"
        "        the connection drops the events that wait. Exceptions",
    ),
    "Channel.expect": (
        "Errors are",
        "`predicate` is called on the\n        loop thread, so it must not call this client. Errors are",
    ),
    "Connection.auto_attach": ("or `await` it and `stop` it later.", "or `start` it and `stop` it later."),
    "Connection.open_page": (
        "`tab = await browser.open_page()`; or, closed\n"
        "        at the end of a block, `async with browser.open_page() as tab`.",
        "`tab = browser.open_page()`.",
    ),
    "Connection.tap": (
        "It is called from\n        the reader, so it must be quick;",
        "It is called on\n        the loop thread, so it must be quick and not call this client;",
    ),
    "Connection.close": (
        "Closing twice is fine.",
        "Closing twice is fine. The last\n        connection to close ends the loop thread.",
    ),
}

_BLOCK = """
    def __enter__(self) -> Self:
        return {enter}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        {leave}
"""

HEADS: Mapping[str, str] = {
    "Channel": '''
class SyncChannel:
    """`Channel`, blocking. Deadlines, order and errors are those of the async method of the same name.

    Safe to use from several threads. On a thread that runs an event loop, such as that of a notebook, every method
    works and blocks that loop; on the loop thread, in a predicate or a tap, it raises `CalledFromLoopThread`.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
''',
    "Session": '''
class SyncSession(SyncChannel):
    """`Session`, blocking."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    if not TYPE_CHECKING:  # pragma: no branch - for who enters it; type checkers see that themselves

        def __enter__(self) -> Any:
            raise TypeError("a tab stays until tab.close(); one of a block: with browser.new_page(url) as tab")

        def __exit__(self, *_: object) -> None: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SyncSession) and self._session == other._session

    def __hash__(self) -> int:
        return hash(self._session)

    def __repr__(self) -> str:
        return repr(self._session)
''',
    "TargetAttacher": f'''
SyncSetup: TypeAlias = Setup[SyncSession]


class SyncSetupFailure(Struct, frozen=True):
    """`SetupFailure`, with the blocking session."""

    session: SyncSession
    command: Command[Any] | None
    error: Exception


class SyncAutoAttach:
    """`AutoAttach` for `with`, or `start` it and `stop` it later.

    A function `enable(session)` is called on the loop thread: it returns commands, and must not call the client.
    """

    def __init__(self, attaching: AutoAttach) -> None:
        self._attaching = attaching
{_BLOCK.format(enter="self.start()", leave="self.stop()")}''',
    "AutoAttach": "",
    "Connection": f'''
class SyncConnection(SyncChannel):
    """`Connection`, blocking; made by `connect_sync`."""

    def __init__(self, connection: Connection) -> None:
        """Own one `LOOP_THREAD.acquire` of the caller: `connection` runs on the loop thread."""
        super().__init__(connection)
        self._connection = connection
        self._holds = iter([LOOP_THREAD.release])
{_BLOCK.format(enter="self", leave="self.close()")}''',
}
"""What comes before the methods of a class; those of `AutoAttach` continue the class of its base."""

_HEAD = '''\
# Generated by codegen.blocking from the modules of cdp_typed/client; do not edit.
"""The blocking client: connections, sessions and auto-attach, each over the async one on the loop thread."""

from __future__ import annotations
'''

_IMPORTS = """\
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias

from msgspec import Struct

from cdp_typed.client.auto_attach import Setup
from cdp_typed.client.blocks import block
from cdp_typed.client.channel import {variables}
from cdp_typed.client.connection import Connection
from cdp_typed.client.session import AutoAttach, Session
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.sync.loop_calls import as_setup, awaited, end, entered, start, wait, wait_call
from cdp_typed.sync.streams import SyncEventStream, SyncExpectation
from cdp_typed.sync.subscriptions import SyncSubscription, SyncTap, listen_on_a_thread
"""


def sources() -> tuple[str, ...]:
    """Return the modules of the async client that the classes are in."""
    return tuple((CLIENT / f"{name}.py").read_text() for name in ("channel", "session", "auto_attach", "connection"))


def generate(sources: Iterable[str]) -> str:
    """Return the module for these modules of the async client."""
    trees = [(ast.parse(source), source) for source in sources]
    imports = {line for tree, _ in trees for line in imports_of(tree) if not _is_wrapped(line)}
    variables = sorted({"Channel", *(name for tree, _ in trees for name, _ in type_variables_of(tree))} - {"S"})
    written = {
        node.name: HEADS[node.name] + "".join(_method(node.name, method, source) for method in public_methods(node))
        for tree, source in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name in HEADS
    }
    own = _IMPORTS.format(variables=", ".join(variables))
    return formatted("\n".join((_HEAD, *sorted(imports), own, *(written[name] for name in HEADS))), TARGET)


def _is_wrapped(line: str) -> bool:
    return line.startswith(tuple(f"from cdp_typed.client.{name} " for name in ("channel", "session", "auto_attach")))


def _method(owner: str, method: Method, source: str) -> str:
    name, decorators = f"{owner}.{method.name}", decorators_of(method)
    if name in LEFT_OUT:
        return ""
    begin = "".join(f"\n    @{_renamed(decorator)}" for decorator in decorators)
    if "overload" in decorators:
        lines = source.splitlines()[method.lineno - 1 : method.end_lineno]
        return "\n".join((begin, _renamed("\n".join(lines)), ""))
    signature, docstring = signature_of(method, source), docstring_of(method, source, WORDS, name)
    body = BODIES.get(name) or _body(owner, method)
    return f"{begin}\n{_renamed(signature)}\n{prose(docstring, NAMES)}\n        {body}\n"


def _renamed(text: str) -> str:
    text = text.replace("async def", "def", 1)
    return re.sub(r"asyncio\.Future|\b[A-Za-z_]+\b", lambda found: NAMES.get(found[0], found[0]), text)


def _body(owner: str, method: Method) -> str:
    held = "attaching" if owner in {"TargetAttacher", "AutoAttach"} else owner.lower()
    call = f"self._{held}.{method.name}" + ("" if is_property(method) else f"({passed(method, _given)})")
    returned = ast.unparse(method.returns) if method.returns else ""
    if returned.startswith("AsyncGenerator"):
        return f"with entered({call}) as session:\n            yield SyncSession(session)"
    if returned.startswith("asyncio.Future"):
        return f"return start({call.replace('_nowait', '')})"
    if isinstance(method, ast.AsyncFunctionDef):
        call = f"{'end' if method.name in ENDS else 'wait'}({call})"
    elif method.name in ON_LOOP:
        call = f"wait_call(lambda: {call})"
    match returned:
        case "None":
            return call
        case "Self":
            return f"_ = {call}\n        return self"
        case "Session | None":
            return f"session = {call}\n        return None if session is None else SyncSession(session)"
        case "tuple[Session, ...]" | "tuple[S, ...]":
            return f"return tuple(map(SyncSession, {call}))"
        case _:
            kind = returned.partition("[")[0]
            return f"return Sync{kind}({call})" if kind in _WRAPPED else f"return {call}"


def _given(argument: ast.arg) -> str:
    return f"as_setup({argument.arg}, SyncSession)" if annotation_of(argument) == "SessionSetup" else argument.arg
