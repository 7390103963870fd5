"""How a process of a fleet's actor ends.

Ray answers SIGTERM in an actor's process with `sys.exit`, in the main thread. The actor then takes no more calls, but
lives until its running calls have ended. A call to Ray in that time would start another cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ray._private import auto_init_hook, worker

_worker: Any = worker
_auto_init: Any = auto_init_hook


def on_sigterm(react: Callable[[], object]) -> None:
    """Call this in the main thread at each SIGTERM, in place of Ray's own reaction.

    An actor runs in another thread, which may not set a handler. So Ray's handler stays, and finds this in place of the
    function that ends the process.
    """
    _auto_init.enable_auto_connect = False

    def end(*_: object, **__: object) -> None:
        react()

    _worker.raise_sys_exit_with_custom_error_message = end
