"""An extension of Griffe: a function that is entered shows what `async with` or `with` gives, not its generator."""

from __future__ import annotations

from typing import Any

from griffe import ExprSubscript, Extension, Function

_KINDS = {
    "async_block": "AbstractAsyncContextManager",
    "asynccontextmanager": "AbstractAsyncContextManager",
    "block": "AbstractContextManager",
    "contextmanager": "AbstractContextManager",
}


class ContextManagers(Extension):
    """Writes `AbstractAsyncContextManager[T]` for the `AsyncGenerator[T]` of a decorated function."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Change what the function is said to return."""
        names = {decorator.callable_path.rpartition(".")[2] for decorator in func.decorators}
        kind = next((_KINDS[name] for name in sorted(names & _KINDS.keys())), None)
        if kind is not None and isinstance(func.returns, ExprSubscript):
            func.labels.discard("async")
            func.returns = ExprSubscript(kind, func.returns.slice)
