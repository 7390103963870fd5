"""Every exception that this library raises on purpose, in one tree.

    CDPError
    |-- EndpointError           the browser's endpoint cannot be used (address, HTTP answer, handshake)
    |   |-- NotABrowser         it leads to a single page, or to an inspector of Node or Deno
    |   `-- NotAllowed          the person whose browser it is did not allow the connection
    |-- LaunchError             no browser found, or it did not start
    |-- ConnectionLost          the connection ended while something waited on it
    |-- SessionDetached         the session ended while something waited on it
    |-- TargetCrashed           the target's renderer died while something waited on it
    |-- CommandTimeout          no reply within the call's deadline
    |-- EventTimeout            the expected event did not come within the wait's deadline
    |-- MessageTooBig           the command is too big to be sent; nothing was sent
    |-- CommandError            the browser answered with an error
    |   |-- MethodNotFound      -32601
    |   |-- InvalidParams       -32602
    |   `-- SessionNotFound     -32001
    |-- ElementError            an element does not exist, or cannot be used
    |-- JavaScriptError         a script of the helpers threw in the page
    |-- NavigationFailed        a page could not be loaded: net::ERR_...
    |-- WrongType               a value has another type than was asked for
    |-- NavigationTimeout       a page was not loaded within the deadline
    |-- NetworkBusy             requests were under way until the deadline
    |-- RequestTimeout          a request, or its response, did not come within the deadline
    |-- SchemaMismatch          strict mode: a message did not match the bindings
    |-- SubscriptionOverflow    a stream with overflow="fail" was too slow
    |-- CalledFromLoopThread    a blocking call from the thread of the event loop that would serve it
    |-- CalledFromOtherThread   a call of the async client from a thread on which its event loop does not run
    |-- NoEventLoop             a call of the async client where no asyncio event loop runs
    `-- LoopThreadEnded         a blocking call after the event loop that serves them had ended

The class tells the cause: the caller's mistake (InvalidParams), the browser's answer (CommandError), or the link
(ConnectionLost). No message contains the user info of a URL, a parameter that is a credential by its name or its shape,
or any parameter of an endpoint's URL.
"""

from __future__ import annotations

from typing import Any, Literal

from cdp_typed.printable import in_quotes, visible

__all__ = [
    "CDPError",
    "CalledFromLoopThread",
    "CalledFromOtherThread",
    "CommandError",
    "CommandTimeout",
    "ConnectionLost",
    "ElementError",
    "EndpointError",
    "EventTimeout",
    "InvalidParams",
    "JavaScriptError",
    "LaunchError",
    "LoopThreadEnded",
    "MessageTooBig",
    "MethodNotFound",
    "NavigationFailed",
    "NavigationTimeout",
    "NetworkBusy",
    "NoEventLoop",
    "NotABrowser",
    "NotAllowed",
    "RequestTimeout",
    "SchemaMismatch",
    "SessionDetached",
    "SessionNotFound",
    "SubscriptionOverflow",
    "TargetCrashed",
    "WrongType",
]


_QUOTED = 500
"""So many characters of what a browser says are in the text of an error."""


class CDPError(Exception):
    """The root of every error of this library."""

    def __init__(self, *args: object) -> None:  # written out for `inspect.signature`
        super().__init__(*args)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the error with its text and fields, without calling `__init__`; not with its cause."""
        return _empty, (type(self), self.args), self.__dict__


def _empty(cls: type[CDPError], args: tuple[object, ...]) -> CDPError:
    return cls.__new__(cls, *args)


class EndpointError(CDPError):
    """The endpoint cannot be used.

    `url` is redacted; `status` is the HTTP status, where there was one; `retryable` is true if a later try may succeed,
    and `retry_after` holds the seconds of the server's `Retry-After`.
    """

    def __init__(
        self,
        message: str,
        *,
        url: str,
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.url = url
        self.status = status
        self.retryable = retryable
        self.retry_after = retry_after


class NotABrowser(EndpointError):
    """The endpoint is no whole browser, but of another `kind`."""

    def __init__(self, kind: Literal["page", "node"], *, url: str) -> None:
        what = {
            "page": "the websocket of a single page; give the address of its browser, http://host:port",
            "node": "an inspector of JavaScript, such as Node's or Deno's, where there are no pages; give the address "
            "of a browser, http://host:port",
        }
        super().__init__(f"{url}: {what[kind]}", url=url)
        self.kind: Literal["page", "node"] = kind


class NotAllowed(EndpointError):
    """The person whose browser it is refused the connection, or did not answer in time.

    It is never tried again without a new call: each attempt asks the person once more.
    """


class LaunchError(CDPError):
    """No browser was found, or the one that was found did not start."""


class ConnectionLost(CDPError):
    """The connection ended, for this `reason`; the transport's own exception, if any, is `__cause__`."""

    def __init__(self, reason: str, *, method: str | None = None) -> None:
        super().__init__(f"{method}: connection lost: {reason}" if method else f"connection lost: {reason}")
        self.reason = reason
        self.method = method


class SessionDetached(CDPError):
    """The session was detached; the browser will never answer the commands in flight on it."""

    def __init__(self, session: str, *, method: str | None = None) -> None:
        super().__init__(f"{method}: session {session} was detached" if method else f"session {session} was detached")
        self.session = session
        self.method = method


class TargetCrashed(CDPError):
    """The target behind the session crashed (`Inspector.targetCrashed`, `Target.targetCrashed`)."""

    def __init__(self, session: str, *, method: str | None = None) -> None:
        text = f"the target of session {session} crashed"
        super().__init__(f"{method}: {text}" if method else text)
        self.session = session
        self.method = method


class CommandTimeout(CDPError):
    """No reply within `timeout` seconds. The browser may still have executed the command.

    `hint` is the end of the text, about a dialog of the page that may be the cause: the one that is open, or that the
    session would not know of one. It is empty where neither is known.
    """

    def __init__(self, method: str, *, session: str | None, timeout: float, hint: str = "") -> None:
        where = f"session {session}" if session else "the browser"
        super().__init__(f"{method}: no reply from {where} within {timeout:g} s{hint}")
        self.hint = hint
        self.method = method
        self.session = session
        self.timeout = timeout


class EventTimeout(CDPError):
    """The event `method` did not come within `timeout` seconds. `hint` ends the text with an open dialog."""

    def __init__(self, method: str, *, session: str | None, timeout: float, hint: str = "") -> None:
        where = f" on session {session}" if session else ""
        super().__init__(f"{method}: no such event{where} within {timeout:g} s{hint}")
        self.hint = hint
        self.method = method
        self.session = session
        self.timeout = timeout


class MessageTooBig(CDPError):
    """The command encodes to `size` bytes, more than the `limit` at which the browser would drop the connection."""

    def __init__(self, method: str, *, size: int, limit: int) -> None:
        super().__init__(f"{method}: the message has {size} bytes, the limit is {limit}; nothing was sent")
        self.method = method
        self.size = size
        self.limit = limit


class CommandError(CDPError):
    """The browser answered with an error: `code`, `message` and `data` as it sent them.

    In the text of the exception both are cut and without invisible characters: a page may have written them. It ends
    with a hint of this library where the answer alone would mislead.
    """

    def __init__(
        self, code: int, message: str, data: Any = None, *, method: str, session: str | None, hint: str = ""
    ) -> None:
        detail = f" ({visible(data, _QUOTED)})" if isinstance(data, str) and data else ""
        super().__init__(f"{method}: {visible(message, _QUOTED)}{detail} [{code}]{hint}")
        self.code = code
        self.message = message
        self.data = data
        self.method = method
        self.session = session


class MethodNotFound(CommandError):
    """-32601: the browser, or this kind of target, does not have the method."""


class InvalidParams(CommandError):
    """-32602: the browser refused the parameters."""


class SessionNotFound(CommandError):
    """-32001: the browser does not know the session (any more)."""


class ElementError(CDPError):
    """The element of `selector` does not exist, or cannot be used; nothing was done."""

    def __init__(self, selector: str, problem: str) -> None:
        super().__init__(f"{in_quotes(selector)}: {visible(problem, _QUOTED)}")
        self.selector = selector


class JavaScriptError(CDPError):
    """A script threw in the page, or a promise was rejected.

    `text` is the message with the name of the error's class, `stack` the message with the stack, `None` where what was
    thrown is no Error. `line` and `column` count from 1 in the script at `url`, or in the expression if it is `None`.
    """

    def __init__(self, text: str, *, stack: str | None, line: int, column: int, url: str | None) -> None:
        super().__init__(f"{visible(text, _QUOTED)} (line {line}, column {column})")
        self.text = text
        self.stack = stack
        self.line = line
        self.column = column
        self.url = url


class WrongType(CDPError, TypeError):
    """A value has another type than was asked for: that of `js(type=...)`, or the answer of a handler."""


class NavigationFailed(CDPError):
    """The page at `url` could not be loaded, for the reason `error_text` (`net::ERR_...`) of the browser."""

    def __init__(self, url: str, error_text: str) -> None:
        super().__init__(f"{visible(url, _QUOTED)}: {error_text}")
        self.url = url
        self.error_text = error_text


class NavigationTimeout(CDPError):
    """The page at `url` was not loaded within `timeout` seconds; the text says how far it came."""

    def __init__(self, url: str, missing: str, *, timeout: float | None, hint: str = "") -> None:
        within = "its deadline" if timeout is None else f"{timeout:g} s"
        super().__init__(f"{visible(url, _QUOTED)}: {missing} within {within}{hint}")
        self.url = url
        self.timeout = timeout


class NetworkBusy(CDPError):
    """The requests to `urls` were still under way when `timeout` seconds had passed."""

    def __init__(self, urls: tuple[str, ...], *, timeout: float, hint: str = "") -> None:
        shown = ", ".join(visible(url) for url in urls[:3])
        busy = f"{len(urls)} under way, to {shown}" if urls else "older ones, or new ones over and over"
        super().__init__(f"requests do not end within {timeout:g} s: {busy}{hint}")
        self.urls = urls
        self.timeout = timeout


class RequestTimeout(CDPError):
    """No request of this `pattern`, or no response to it, came within `timeout` seconds; the text says how far it came.

    `others` are the addresses of all requests in that time, without credentials, if none had this pattern.
    """

    def __init__(self, pattern: str, happened: str, *, others: tuple[str, ...], timeout: float, hint: str = "") -> None:
        seen = ", ".join(visible(url) for url in others[-3:])
        among = f" among {len(others)}, the latest {seen}" if others else ""
        super().__init__(f"{in_quotes(pattern)}: {happened} within {timeout:g} s{among}{hint}")
        self.pattern = pattern
        self.others = others
        self.timeout = timeout


class SchemaMismatch(CDPError):
    """Strict mode: a result or event did not match the bindings."""


class SubscriptionOverflow(CDPError):
    """A stream with `overflow="fail"` received an event while it held `maxsize` events."""

    def __init__(self, name: str, maxsize: int) -> None:
        super().__init__(f"{name}: the stream is full with {maxsize} events")
        self.maxsize = maxsize


class CalledFromLoopThread(CDPError):
    """A blocking call was made on the thread of the event loop that would serve it, so it would never end."""

    def __init__(self, instead: str = "") -> None:
        remedy = f": {instead}" if instead else ""
        super().__init__(f"this call waits for the event loop of this very thread, so it would never end{remedy}")


class CalledFromOtherThread(CDPError):
    """The async client was used from another thread than that of its event loop, which would not notice."""

    def __init__(self) -> None:
        super().__init__(
            "this connection belongs to the event loop of another thread; call it there with "
            "asyncio.run_coroutine_threadsafe(session.send(...), loop), or use connect_sync, which any thread may use"
        )


class NoEventLoop(CDPError, RuntimeError):
    """The async client was used where no asyncio event loop runs, for example under trio."""

    def __init__(self) -> None:
        super().__init__(
            "no asyncio event loop runs here: call this from a coroutine that asyncio.run(...) runs; elsewhere "
            "(plain functions, trio) use connect_sync, under trio in a thread: trio.to_thread.run_sync(...)"
        )


class LoopThreadEnded(CDPError):
    """A blocking call was made after the event loop's thread had ended."""

    def __init__(self) -> None:
        super().__init__("the event loop's thread has ended")
