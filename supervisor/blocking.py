"""The base class of the blocking supervisor: runs an `AsyncSupervisor` on the shared loop thread."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Self, TypeVar, Unpack

from cdp_typed.client.consent import CONSENT_TIMEOUT
from cdp_typed.errors import LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD

from .aio import AsyncSupervisor
from .config import Config, Endpoint, Settings
from .core.observers.blockers import ANSWER_TIMEOUT_S
from .core.vocabulary.errors import NotRunning
from .driver.takeover import Takeover

T = TypeVar("T")

GRACE_S = 5.0
"""The core ends every call by its deadline; this much later the blocking call gives up on the core itself."""


class Blocking:
    """Runs the calls of an `AsyncSupervisor`; the methods are those of `CDPSupervisor`, which are generated."""

    def __init__(self, cdp_url: Endpoint, **settings: Unpack[Settings]) -> None:
        self._supervisor = AsyncSupervisor(cdp_url, **settings)

    @classmethod
    def from_config(cls, config: Config) -> Self:
        """Make a supervisor with settings that were read elsewhere, for example by `Config.from_file`."""
        supervisor = cls(config.cdp_url)
        supervisor._supervisor = AsyncSupervisor.from_config(config)
        return supervisor

    @property
    def config(self) -> Config:
        """The settings."""
        return self._supervisor.config

    @property
    def aio(self) -> AsyncSupervisor:
        """The same supervisor, to be awaited."""
        return self._supervisor

    @property
    def takeover(self) -> Takeover:
        """Says whether a person controls the browser, and holds callers back meanwhile."""
        return self._supervisor.takeover

    def __repr__(self) -> str:
        return repr(self._supervisor).replace("AsyncSupervisor", "CDPSupervisor")

    def _run(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None, *, is_end: bool = False) -> T:
        """Wait for the work. Its own deadline ends it; `timeout_s` is that of its caller, None that of the settings."""
        try:
            patience_s = max(self._supervisor.seconds(timeout_s), ANSWER_TIMEOUT_S) + GRACE_S
            if not self._supervisor.is_running:  # a start, which waits for the person whose browser asks
                patience_s += 2 * CONSENT_TIMEOUT  # another program may ask first
        except BaseException:
            work.close()
            raise
        with LOOP_THREAD.held():
            try:
                return LOOP_THREAD.run(work, patience_s, warns=not is_end)
            except LoopThreadEnded:  # stopped by another thread a moment ago
                raise NotRunning("not started, or stopped") from None
