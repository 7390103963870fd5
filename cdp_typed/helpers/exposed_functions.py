"""`expose`: a Python function that a page can call."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from inspect import isawaitable
from typing import Any

from cdp_typed.client.blocks import async_block
from cdp_typed.client.session import Session
from cdp_typed.conversions import decode
from cdp_typed.errors import CDPError
from cdp_typed.protocol import page, runtime

# `send` is the function of Runtime.addBinding, which the wrapper replaces. `settle` ends one call, `close` all of them.
_WRAP = """(name => {
  const send = globalThis[name];
  if (typeof send !== 'function' || send.settle) return;
  const waiting = new Map();
  let calls = 0;
  const wrapper = (...args) => new Promise((resolve, reject) => {
    const text = JSON.stringify([++calls, args]);
    waiting.set(calls, {resolve, reject});
    send(text);
  });
  wrapper.settle = (call, value, error) => {
    const {resolve, reject} = waiting.get(call);
    waiting.delete(call);
    if (error) reject(Object.assign(new Error(error.message), {name: error.name}));
    else resolve(value);
  };
  wrapper.close = () => {
    for (const {reject} of waiting.values()) reject(new Error(`${name} is not exposed any more`));
    if (globalThis[name] === wrapper) delete globalThis[name];
  };
  globalThis[name] = wrapper;
})"""
_UNWRAP = "(name => { if (globalThis[name]?.settle) globalThis[name].close(); })"
_SETTLE = "function (name, ...outcome) { globalThis[name].settle(...outcome) }"

_CLEANUP_TIMEOUT = 5.0

_exposed: set[tuple[Session, str]] = set()


@async_block
async def expose(tab: Session, name: str, function: Callable[..., Any]) -> AsyncGenerator[None]:
    """Let the page call a Python function as `name` during a block: `async with expose(tab, "add", add):`.

    In the page, the function returns a promise of the result, which is sent as JSON; `function` may be async. If it
    raises, the promise is rejected with an `Error` that has the name and message of the Python exception. Arguments are
    JSON, too. The function exists in every frame of the tab's process, whatever its origin, before scripts of the page
    run, and after navigations; so treat its arguments as untrusted. Each name has its own binding, and a call cannot
    name another function.

    Uses `Page.enable`, `Runtime.enable`, `Runtime.addBinding`, `Page.addScriptToEvaluateOnNewDocument`,
    `Runtime.bindingCalled` and `Runtime.callFunctionOn`. Raises as `send` does, and `RuntimeError` for a name that the
    tab already has.
    """
    if (tab, name) in _exposed:
        raise RuntimeError(f"{tab!r} has an exposed function {name} already")
    _exposed.add((tab, name))
    called = tab.listen(_ExposedFunction(tab, name, function).on_call, runtime.BindingCalled)
    try:
        # With Runtime enabled, the browser gives the binding to the next page's process, too.
        await tab.send_many((page.Enable(), runtime.Enable(), runtime.AddBinding(name=name)))
        async with _script(tab, f"{_WRAP}({json.dumps(name)})"):
            yield
    finally:
        _exposed.discard((tab, name))
        called.close()
        with suppress(CDPError):
            await tab.send(runtime.RemoveBinding(name=name), timeout=_CLEANUP_TIMEOUT)
            async with _script(tab, f"{_UNWRAP}({json.dumps(name)})"):
                pass


@async_block
async def _script(tab: Session, source: str) -> AsyncGenerator[None]:
    """Run a script in all current documents and, during the block, in all new ones."""
    command = page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=True)
    script = await tab.send(command, timeout=_CLEANUP_TIMEOUT)
    try:
        yield
    finally:
        with suppress(CDPError):
            removal = page.RemoveScriptToEvaluateOnNewDocument(identifier=script.identifier)
            await tab.send(removal, timeout=_CLEANUP_TIMEOUT)


class _ExposedFunction:
    """Answers the calls of one exposed function."""

    def __init__(self, tab: Session, name: str, function: Callable[..., Any]) -> None:
        self._tab = tab
        self._name = name
        self._function = function

    async def on_call(self, _session_id: str | None, event: runtime.BindingCalled) -> None:
        """Call the function, and tell the page its outcome."""
        if event.name != self._name:
            return
        try:
            call, args = _call_in(event.payload)
        except ValueError:
            return  # not from the wrapper: a script called the binding itself, in its own world
        try:
            outcome = self._function(*args)
            value = await outcome if isawaitable(outcome) else outcome
            settled: list[Any] = [call, json.loads(json.dumps(value, allow_nan=False))]
        except Exception as error:  # whatever the function raises is for the page
            settled = [call, None, {"name": type(error).__name__, "message": str(error)}]
        # Not waited for: the page may be gone, or stopped by a dialog.
        _ = self._tab.send_nowait(
            runtime.CallFunctionOn(
                function_declaration=_SETTLE,
                execution_context_id=event.execution_context_id,
                arguments=[runtime.CallArgument(value=part) for part in (self._name, *settled)],
            ),
            timeout=None,
        )


def _call_in(payload: str) -> tuple[int, list[Any]]:
    """Return the number and arguments of a call. Raises `ValueError` for anything but what the wrapper sends."""
    try:
        return decode(payload, type=tuple[int, list[Any]])
    except RecursionError:
        raise ValueError("nested too deeply") from None
