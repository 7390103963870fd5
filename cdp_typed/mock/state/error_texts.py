"""The error texts of Chrome that the mock sends, all in one table."""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct

SEEN_ON: Final = "Chromium 156.0.8078.79"
"""The browser on which every text below was read from the wire."""

_NAMES_ITSELF: Final = "cdp_typed.mock"


class Refusal(Struct, frozen=True):
    """An error of the protocol."""

    code: int
    message: str
    data: str | None = None


class Text(Enum):
    """Chrome's errors without variable parts."""

    NOT_AN_OBJECT = Refusal(-32600, "Message must be an object")
    NO_INTEGER_ID = Refusal(-32600, "Message must have integer 'id' property")
    NO_METHOD = Refusal(-32600, "Message must have string 'method' property")
    SESSION_NOT_STRING = Refusal(-32600, "Message may have string 'sessionId' property")
    FOREIGN_PROPERTY = Refusal(-32600, "Message has property other than 'id', 'method', 'sessionId', 'params'")
    PARAMS_NOT_OBJECT = Refusal(-32600, "Message may have object 'params' property")
    PARAMS_NOT_MAP = Refusal(-32602, "Invalid parameters", "Failed to deserialize params - CBOR: map start expected")
    NO_SESSION = Refusal(-32001, "Session with given id not found.")
    NO_SUCH_SESSION_PARAM = Refusal(-32602, "No session with given id")
    NO_SESSION_OF_TARGET = Refusal(-32602, "No session for given target id")
    SEVERAL_SESSIONS = Refusal(-32000, "Multiple sessions attached, specify id.")
    NO_SESSION_PARAM = Refusal(-32602, "Session id must be specified")
    NO_TARGET = Refusal(-32602, "No target with given id found")
    DEFAULT_CONTEXT = Refusal(-32000, "Cannot dispose default browser context.")
    NOT_ALLOWED = Refusal(-32000, "Not allowed")
    TOP_LEVEL_ONLY = Refusal(-32000, "Command can only be executed on top-level targets")
    NO_DIALOG = Refusal(-32602, "No dialog is showing")
    INVALID_URL = Refusal(-32000, "Cannot navigate to invalid URL")
    NO_FRAME_TO_NAVIGATE = Refusal(-32000, "No frame with given id found")
    PAGES_NOT_WORKERS = Refusal(-32000, "Operation is only supported for pages, not workers")
    NOT_CLOSABLE = Refusal(-32602, "Specified target doesn't support closing")
    NO_ENTRY = Refusal(-32602, "No entry with passed id")
    NO_FRAME = Refusal(-32602, "No frame for given id found")
    NO_DEFAULT_CONTEXT = Refusal(-32000, "Cannot find default execution context")
    NO_CONTEXT = Refusal(-32000, "Cannot find context with specified id")
    BAD_UNIQUE_CONTEXT = Refusal(-32602, "invalid uniqueContextId")
    NO_UNIQUE_CONTEXT = Refusal(-32602, "uniqueContextId not found")
    NO_OBJECT = Refusal(-32602, "Either objectId or executionContextId or uniqueContextId must be specified")
    INVALID_OBJECT = Refusal(-32000, "Invalid remote object id")
    NO_SUCH_OBJECT = Refusal(-32000, "Could not find object with given id")
    NO_FUNCTION = Refusal(-32000, "Given expression does not evaluate to a function")
    NO_SCRIPT = Refusal(-32000, "Script not found")
    TWO_PLACES = Refusal(-32602, "ObjectId, executionContextId and uniqueContextId must mutually exclude each other")
    TWO_CONTEXTS_TO_BIND = Refusal(-32602, "executionContextName is mutually exclusive with executionContextId")
    RELOAD_DISCARDED = Refusal(-32602, "Reload was discarded because the page already navigated")
    WHEEL_WITHOUT_DELTA = Refusal(-32602, "'deltaX' and 'deltaY' are expected for mouseWheel event")
    NO_HISTORY_BY_MOUSE = Refusal(
        -32000,
        "cdp_typed.mock does not go through the history by buttons of the mouse: use Page.navigateToHistoryEntry",
    )
    TWO_CONTEXTS = Refusal(-32602, "contextId and uniqueContextId are mutually exclusive")
    NAVIGATED = Refusal(-32000, "Inspected target navigated or closed")
    TERMINATED = Refusal(-32000, "Execution was terminated")
    CRASHED = Refusal(-32000, "Target crashed")
    NO_FILTER_TO_ATTACH = Refusal(-32602, "Target filter should be empty when disabling auto-attach")
    NO_FILTER_TO_DISCOVER = Refusal(-32602, "Filter should not be present with `discover` is off")
    FLATTEN_ONLY = Refusal(-32602, "Only flatten protocol is supported with browser level auto-attach")
    TAB_AND_PAGE = Refusal(
        -32602,
        'Filter should not simultaneously allow "tab" and "page", page targets are attached via tab targets',
    )
    CSS_DISABLED = Refusal(-32000, "CSS agent was not enabled")
    CSS_NEEDS_DOM = Refusal(-32000, "DOM agent needs to be enabled first.")
    DEBUGGER_DISABLED = Refusal(-32000, "Debugger agent is not enabled")
    FETCH_DISABLED = Refusal(-32000, "Fetch domain is not enabled")
    PROFILER_DISABLED = Refusal(-32000, "Profiler is not enabled")
    NO_INTERCEPTION = Refusal(-32602, "Invalid InterceptionId.")
    NO_PATTERNS = Refusal(-32602, "Can't specify empty patterns with handleAuth set")
    NO_AUTH_RESPONSE = Refusal(-32602, "authChallengeResponse required.")
    NO_AUTH_WANTED = Refusal(-32602, "authChallengeResponse not expected.")
    BAD_STATUS = Refusal(-32602, "Invalid http status code or phrase")
    NOT_HELD_FOR_THIS = Refusal(-32000, "Invalid state for continueInterceptedRequest")
    NO_BODY_YET = Refusal(-32000, "Can only get response body on HeadersReceived pattern matched requests.")
    NO_BODY_OF_REDIRECT = Refusal(-32000, "Can only get response body on requests captured after headers received.")
    NO_RESOURCE = Refusal(-32000, "No resource with given identifier found")
    NO_DOWNLOAD_PATH = Refusal(-32602, "downloadPath not provided")
    NO_DOWNLOAD = Refusal(-32602, "No download item found for the given GUID")
    NO_BACKEND_NODE = Refusal(-32000, "No node found for given backend id")
    FRAME_NOT_FOUND = Refusal(-32000, "Frame with the given id was not found.")
    FRAME_OF_OTHER_TARGET = Refusal(-32000, "Frame with the given id does not belong to the target.")
    NO_NODE = Refusal(-32000, "Could not find node with given id")
    NO_NODE_NAMED = Refusal(-32000, "Either nodeId, backendNodeId or objectId must be specified")
    NO_FILE_INPUT = Refusal(-32000, "Node is not a file input element")
    NO_NODE_OF_OBJECT = Refusal(-32000, "Object id doesn't reference a Node")
    NO_CONTEXT_TO_BIND = Refusal(-32602, "Cannot find execution context with given executionContextId")
    NO_CALL_FRAME = Refusal(-32000, "Invalid call frame id")
    NOT_PAUSED = Refusal(-32000, "Can only perform operation while paused.")
    NO_COOKIE_PLACE = Refusal(-32602, "At least one of the url or domain needs to be specified")
    COOKIE_URL = Refusal(-32602, "URL must have scheme http or https")
    COOKIE_PORT = Refusal(-32602, "Invalid source port")
    OTHER_COOKIE_PORT = Refusal(-32602, "Source port does not match the url's specified port")
    INSECURE_SOURCE = Refusal(-32602, "Secure attribute cannot be set for a cookie with an insecure source scheme")
    COOKIE_UNSOUND = Refusal(-32602, "Sanitizing cookie failed")
    COOKIE_FIELDS = Refusal(-32602, "Invalid cookie fields")
    NO_COOKIE_TO_DELETE = Refusal(-32602, "At least one of the url and domain needs to be specified")
    COOKIE_URL_TO_DELETE = Refusal(-32602, "An http or https url URL must be specified")
    HIDDEN_TAB = Refusal(-32602, "Hidden target cannot be created for tab")
    HIDDEN_WINDOW = Refusal(-32602, "Hidden target cannot be created in a new window")
    HIDDEN_IN_FRONT = Refusal(-32602, "Hidden target can be created only in background")
    PLACE_OF_NO_WINDOW = Refusal(-32602, "Target position can only be set for new windows")
    STATE_OF_NO_WINDOW = Refusal(-32602, "Target window state can only be set for new windows")
    CONTEXT_OF_BROWSER_ONLY = Refusal(-32602, "browserContextId is only allowed for Browser target")
    # Not Chrome's errors, but the mock's, for what Chrome does and the mock does not model.
    MOCK_FLAT_ONLY = Refusal(-32000, "cdp_typed.mock models flat sessions only: pass flatten=true")
    MOCK_NUMBERS_ONLY = Refusal(
        -32000, "cdp_typed.mock knows numbers as unserializableValue, and no BigInt or other expression"
    )
    MOCK_NO_SCRIPT_URL = Refusal(
        -32000, "cdp_typed.mock runs no javascript: address: send its script with Runtime.evaluate"
    )
    MOCK_NO_BROWSER_PAGES = Refusal(
        -32000, "cdp_typed.mock has no pages of the browser's own: navigate to http:, https:, data: or about:blank"
    )
    MOCK_SIDE_EFFECTS = Refusal(
        -32000, "cdp_typed.mock does not know which scripts have side effects: leave throwOnSideEffect out"
    )
    MOCK_NO_PREVIEWS = Refusal(-32000, "cdp_typed.mock makes no previews of objects: leave generatePreview out")
    MOCK_NO_HIDDEN_TARGETS = Refusal(-32000, "cdp_typed.mock models no hidden targets: leave hidden out")
    MOCK_NO_CERTIFICATES = Refusal(
        -32000, "cdp_typed.mock has no certificates, which the Security domain tells of a page over https"
    )
    MOCK_NO_MOUSE_EVENTS = Refusal(
        -32000, "cdp_typed.mock sends no events of the mouse to scripts: a script of this page listens to them"
    )
    MOCK_NO_PARTITIONS = Refusal(-32000, "cdp_typed.mock models no partitioned cookies: leave partitionKey out")


def is_of_the_mock(refusal: Refusal) -> bool:
    """Return whether the mock refuses this because it does not model it, so that Chrome may accept it."""
    return any(_NAMES_ITSELF in text for text in (refusal.message, refusal.data or ""))


def not_found(method: str) -> Refusal:
    """Return the error for a method that does not exist, or not on this kind of target."""
    return Refusal(-32601, f"'{method}' wasn't found")


def unknown_context(context: str, *, disposing: bool = False) -> Refusal:
    """Return the error for an unknown browser context; disposing of one has another text."""
    return Refusal(-32000, f"Failed to find {'' if disposing else 'browser '}context with id {context}")


def no_storage_context(context: str) -> Refusal:
    """Return the error for an unknown browser context in the Storage domain."""
    return Refusal(-32602, f"Failed to find browser context for id {context}")


def missing_field(path: str) -> Refusal:
    """Return the error for a required parameter that is absent."""
    return wrong_type(path, "BINDINGS: mandatory field missing")


def wrong_type(path: str, expected: str) -> Refusal:
    """Return the error for a parameter of a wrong type; `expected` is Chrome's text for the right one."""
    # Chrome appends an offset in the binary form to which it translates each message.
    return Refusal(-32602, "Invalid parameters", f"Failed to deserialize params.{path} - {expected}")


def none_of(path: str, values: str) -> Refusal:
    """Return the error for a value outside its enum.

    Chrome refuses most of these too, each command with its own text.
    """
    return Refusal(-32602, "Invalid parameters", f"cdp_typed.mock: params.{path} - none of {values}")


def bad_json(position: int, expected: str) -> Refusal:
    """Return the error for a text that is not JSON, with what the parser expected."""
    return Refusal(-32700, f"JSON: {expected} at position {position}")
