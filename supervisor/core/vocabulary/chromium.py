"""Facts about Chromium: error texts, commands that are answered while a dialog is open, missing features of older
versions and embedders. Measured on Chromium 156 unless another browser is named.
"""

from __future__ import annotations

from collections.abc import Mapping

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page, runtime

NO_DIALOG_SHOWING = "No dialog is showing"
"""-32602. This session has no dialog that takes an answer; the tab may still show one."""

NO_SUCH_TARGET = "No target with given id found"
"""-32602."""

NOT_ACTIVE = "Not attached to an active page"
"""-32000. The document is being replaced: for a moment, or for ever when a loop of dialogs keeps the old one from
ending. Then only closing the page helps."""

RELOAD_DISCARDED = frozenset({"Reload was discarded because the page already navigated", "Document already navigated"})
"""-32602. The browser's document is not the one that `Page.reload` named. Measured on Chrome 131: the renderer
announces a document before the browser process knows it, and a reload sent then goes back to the one before. The
initial document of a popup and a crashed page (also, on 131, an error page) are always refused."""

NO_SUCH_REQUEST = frozenset({"Invalid InterceptionId."})
"""-32602. The request is not held: it was answered, or the document that made it is gone."""

NAVIGATED = frozenset({"Inspected target navigated or closed", "Execution context was destroyed."})
"""-32000. The document was replaced while the call ran."""

NO_SUCH_CONTEXT = frozenset({"uniqueContextId not found", "Cannot find context with specified id"})
"""-32602, -32000. The document was replaced before the call ran."""

NO_SUCH_OBJECT = frozenset({"Could not find object with given id"})
"""-32000. The object was released."""

ABORTED = "net::ERR_ABORTED"
"""`Page.navigate.errorText` of a navigation that shows no error page: it became a download, the server had no content,
or its renderer ended before the document came. After every other error the error page follows."""

NO_REQUEST_SENT = (
    "net::ERR_ADDRESS_",
    "net::ERR_BLOCKED_BY_CLIENT",
    "net::ERR_CERT_",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_DISALLOWED_URL_SCHEME",
    "net::ERR_ICANN_NAME_COLLISION",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_INVALID_URL",
    "net::ERR_NAME_",
    "net::ERR_PROXY_CONNECTION_FAILED",
    "net::ERR_SSL_PROTOCOL_ERROR",
    "net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH",
    "net::ERR_TUNNEL_CONNECTION_FAILED",
    "net::ERR_UNKNOWN_URL_SCHEME",
    "net::ERR_UNSAFE_PORT",
)
"""Beginnings of `Page.navigate.errorText` for which the server of that address had no request."""

NO_CREDENTIALS = "net::ERR_INVALID_AUTH_CREDENTIALS"
"""`Page.navigate.errorText` in a headless browser, where the server asks for a user name and a password (HTTP 401)."""

NO_JSON = (
    "Object reference chain is too long",
    "Object couldn't be returned by value",
    "Failed to convert response to JSON",
)
"""-32000. Prefixes of the errors for values that JSON cannot hold: `window`, a circle, a Symbol, deep nesting."""

CRASHED = "Target crashed"
"""-32000. Comes only when the page is reloaded after the crash."""

LACKS: Mapping[str, str] = {
    "open_page": "pages cannot be opened (Target.createTarget)",
    "dialog_frame": "a dialog does not say in which frame it opened (Page.javascriptDialogOpening without frameId); "
    "where its address does not tell, it stops every call of its page",
    "unique_context": "script contexts have no unique ids (Runtime.executionContextCreated without uniqueId); a call "
    "during which its document is replaced may have run in the next one, and says so",
    "hold_requests": "requests cannot be held (Fetch.enable); restrict() and the dialog bridge do not work",
    "hold_all_requests": "requests are held page by page only (no Fetch.enable of the browser's session); that of a "
    "sandboxed srcdoc iframe, or of a popup that its opener closes at once, may get out although restrict() refuses it",
    "focus_emulation": "hidden pages cannot be made visible (Emulation.setFocusEmulationEnabled)",
}
"""Capabilities that a browser may lack: name -> a sentence for users.

Seen: no `open_page` in QtWebEngine; no `dialog_frame` up to Chrome 131 and QtWebEngine 6.10 (134), there in 141; no
`unique_context` in 83 and 87.
"""

_FOR_GOOD = frozenset({"Not supported", "Not allowed", "Not implemented"})


def is_refusal_for_good(error: CommandError) -> bool:
    """Return True for an error that says that the browser never supports the command."""
    return error.code == -32601 or error.message.rstrip(".") in _FOR_GOOD


OUR_WORLD = "cdp-typed"
"""The prefix of the names of isolated worlds that a supervisor and its tools make."""

_EXTENSIONS = ("chrome-extension://", "moz-extension://")


def is_world_of_another_client(context: runtime.ExecutionContextDescription) -> bool:
    """Return True for an isolated world (`Page.createIsolatedWorld`) of neither a supervisor nor an extension."""
    kind = (context.aux_data or {}).get("type")
    is_ours = context.name.startswith(OUR_WORLD)
    return kind == "isolated" and not is_ours and not context.origin.startswith(_EXTENSIONS)


INITIAL_URL = "about:blank"
"""The address of the empty document in which every frame begins (HTML). Nothing announces it; an iframe whose source
is a `javascript:` address keeps it."""

NO_URL = frozenset({"", ":"})
"""The URL in `Page.getFrameTree` of a frame before its first document in a process; the second is Chromium 150's."""

NO_ORIGIN = "://"
"""`Page.Frame.securityOrigin` of a document without an origin (`data:`, `about:blank`, in a sandbox)."""

PRINT_PREVIEW_URL = "chrome://print/"
"""The URL of the target that shows the print preview of `window.print()` in a browser with windows."""

CLOSE_PRINT_PREVIEW = "chrome.send('dialogClose')"
"""A script of the print preview that closes it. `Target.closeTarget` succeeds there, and closes nothing."""

ANSWERED_WHILE_BLOCKED = frozenset(
    {
        "Page.getNavigationHistory",
        "Page.navigate",
        "Page.reload",
        "Page.stopLoading",
        "Page.bringToFront",
        "Page.close",
        "Page.handleJavaScriptDialog",
        "Fetch.enable",
        "Inspector.enable",
        "Network.getCookies",
        "Storage.getCookies",
    }
)
"""Commands that a page session answers while a dialog stops the page; every other one hangs."""

ANSWERED_WHILE_BLOCKED_PREFIXES = ("Target.", "Browser.")

INPUT_PREFIX = "Input."
"""While a tab shows a dialog of any frame, these commands succeed and have no effect."""

REVIVES_CRASHED = frozenset({"Page.navigate", "Page.reload"})
"""Commands that give a crashed page a new renderer; every other one hangs."""

TERMINATED = "Execution was terminated"
"""-32000. `Runtime.terminateExecution` stopped the script."""

INTERNAL_ERROR = -32603
"""The error code, instead of `TERMINATED`, for a stopped script whose promise was awaited."""

DRAW_TAB = page.StartScreencast(format="jpeg", quality=1, max_width=1, max_height=1, every_nth_frame=1000)
"""Keeps a tab behind others drawn, and the tab in front in front, until `Page.stopScreencast`.

Without it `Page.captureScreenshot` of a tab that has been hidden for some seconds hangs (156: 12 of 24; with it 0 of
120). The page gets no event."""
