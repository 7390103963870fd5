"""The blocking supervisor is made of the one to await, and the blocking client of the async one."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import blocking, blocking_client

SOURCE = '''
from typing import Self, TypeVar

from .words import Word

R = TypeVar("R")


class AsyncSupervisor:
    async def start(self, timeout_s: float = 15.0) -> Self:
        """Begins."""
        return self

    async def say(self, word: Word, *more: Word, loudly: bool = False) -> str:
        """Says it.

        Twice.
        """
        return str(word)

    async def forget(self, word: Word, *, timeout_s: float | None = None) -> None:
        """Forgets it."""

    @property
    def words(self) -> int:
        """How many."""
        return 0

    def echo(self, value: R) -> R:
        """Gives it back."""
        return value

    async def _hidden(self) -> None: ...
'''

HEAD = """
from typing import Self, TypeVar

from .blocking import Blocking
from .words import Word

R = TypeVar("R")
"""

METHODS = '''
    def start(self, timeout_s: float = 15.0) -> Self:
        """Begins."""
        self._run(self._supervisor.start(timeout_s), timeout_s)
        return self

    def say(self, word: Word, *more: Word, loudly: bool = False) -> str:
        """Says it.

        Twice.
        """
        return self._run(self._supervisor.say(word, *more, loudly=loudly))

    def forget(self, word: Word, *, timeout_s: float | None = None) -> None:
        """Forgets it."""
        self._run(self._supervisor.forget(word, timeout_s=timeout_s), timeout_s)

    @property
    def words(self) -> int:
        """How many."""
        return self._supervisor.words

    def echo(self, value: R) -> R:
        """Gives it back."""
        return self._supervisor.echo(value)

    def __enter__(self) -> Self:
'''


def test_each_public_method_waits_with_its_own_signature_and_docstring() -> None:
    written = blocking.generate(SOURCE, blocking.BLOCKING)

    assert METHODS in written
    assert HEAD in written
    assert "_hidden" not in written


REMOTE_METHODS = '''
    async def say(self, word: Word, *more: Word, loudly: bool = False) -> str:
        """Says it.

        Twice.
        """
        result: str = await self._call("say", (word, *more), {"loudly": loudly}, None)
        return result

    async def forget(self, word: Word, *, timeout_s: float | None = None) -> None:
        """Forgets it."""
        await self._call("forget", (word,), {"timeout_s": timeout_s}, timeout_s)

    async def words(self) -> int:
        """How many."""
        result: int = await self._call("words", (), {}, None)
        return result

    async def echo(self, value: R) -> R:
        """Gives it back."""
        result: R = await self._call("echo", (value,), {}, None)
        return result
'''


def test_each_public_method_is_sent_with_its_own_signature_and_docstring() -> None:
    written = blocking.generate(SOURCE, blocking.REMOTE)

    assert written.endswith(REMOTE_METHODS)
    assert "from supervisor.words import Word" in written
    assert "def start" not in written


def test_an_iterable_is_sent_as_what_can_be_sent() -> None:
    source = SOURCE.replace("word: Word, *more: Word", "word: Iterable[Word], *")

    assert '"say", (sendable(word),), {"loudly": loudly}' in blocking.generate(source, blocking.REMOTE)


def test_words_that_a_docstring_no_longer_says_are_told() -> None:
    with pytest.raises(ValueError, match="the docstring of status does not say"):
        blocking.generate(SOURCE.replace("def words", "def status"), blocking.REMOTE)


CHANNEL = '''
class Channel:
    @overload
    async def ask(self, word: str) -> Session: ...
    async def ask(self, word: str, *, timeout: Timeout = 1) -> Session:
        """Asks, as in `async with await x.ask():`; see `Session.ask`."""

    async def detach(self) -> None:
        """Ends."""

    def ask_nowait(self, word: str) -> asyncio.Future[Session]:
        """Asks."""

    @property
    def children(self) -> tuple[Session, ...]:
        """All."""

    @cached_property
    def name(self) -> str:
        """Its name."""

    @asynccontextmanager
    async def page(self, *, enable: SessionSetup = ()) -> AsyncGenerator[Session]:
        """Open."""
'''

CHANNEL_METHODS = '''
    @overload
    def ask(self, word: str) -> SyncSession: ...

    def ask(self, word: str, *, timeout: Timeout = 1) -> SyncSession:
        """Asks, as in `with x.ask():`; see `SyncSession.ask`."""
        return SyncSession(wait(self._channel.ask(word, timeout=timeout)))

    def detach(self) -> None:
        """Ends."""
        end(self._channel.detach())

    def ask_nowait(self, word: str) -> Future[SyncSession]:
        """Asks."""
        return start(self._channel.ask(word))

    @property
    def children(self) -> tuple[SyncSession, ...]:
        """All."""
        return tuple(map(SyncSession, wait_call(lambda: self._channel.children)))

    @property
    def name(self) -> str:
        """Its name."""
        return self._channel.name

    @contextmanager
    def page(self, *, enable: SyncSetup = ()) -> Generator[SyncSession]:
        """Open."""
        with entered(self._channel.page(enable=as_setup(enable, SyncSession))) as session:
            yield SyncSession(session)
'''


def test_each_public_method_of_the_async_client_waits_on_the_loop_thread() -> None:
    others = "".join(f"\n\nclass {name}: ...\n" for name in blocking_client.HEADS if name != "Channel")

    assert CHANNEL_METHODS in blocking_client.generate([CHANNEL + others])


def test_the_modules_are_what_would_be_written() -> None:
    assert blocking.main(["--check"]) == 0


def test_a_module_that_is_not_is_told_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "facade.py"
    module.write_text("older")
    wanted = {module: "newer"}

    assert blocking.main(["--check"], wanted) == 1
    assert capsys.readouterr().out == f"changed {module}\n"
    assert module.read_text() == "older"
    assert blocking.main([], wanted) == 0
    assert blocking.main(["--check"], wanted) == 0


def test_each_remote_class_is_written_beside_its_base() -> None:
    bases = (blocking.SUPERVISOR / "addons").glob("*/remote_calls.py")

    assert {base.with_name("remote.py") for base in bases} <= blocking.modules().keys()
    assert blocking.BLOCKING.target in blocking.modules()
