"""Runtime, Target and Fetch, as they should read: written by hand from the protocol's text."""

from __future__ import annotations

import pytest

from tests.support.schemas import definition

EXPECTED = {
    ("_types/runtime.py", "RemoteObject"): '''\
class RemoteObject(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Mirror object referencing original JavaScript object.

    CDP: `Runtime.RemoteObject`.
    """

    type: Open[RemoteObjectType]
    """Object type."""
    subtype: Open[RemoteObjectSubtype] | None = None
    """Object subtype hint. Specified for `object` type values only.
    NOTE: If you change anything here, make sure to also update
    `subtype` in `ObjectPreview` and `PropertyPreview` below.
    """
    class_name: str | None = field(default=None, name="className")
    """Object class (constructor) name. Specified for `object` type values only."""
    value: Any = None
    """Remote object value in case of primitive values or JSON values (if it was requested)."""
    unserializable_value: UnserializableValue | None = field(default=None, name="unserializableValue")
    """Primitive value which can not be JSON-stringified does not have `value`, but gets this
    property.
    """
    description: str | None = None
    """String representation of the object."""
    deep_serialized_value: DeepSerializedValue | None = field(default=None, name="deepSerializedValue")
    """Deep serialized value. Experimental."""
    object_id: RemoteObjectId | None = field(default=None, name="objectId")
    """Unique object identifier (for non-primitive values)."""
    preview: ObjectPreview | None = None
    """Preview containing abbreviated property values. Specified for `object` type values only. Experimental."""
    custom_preview: CustomPreview | None = field(default=None, name="customPreview")
    """Experimental."""
''',
    ("_types/runtime.py", "RemoteObjectType"): '''\
RemoteObjectType: TypeAlias = Literal[
    "object",
    "function",
    "undefined",
    "string",
    "number",
    "boolean",
    "symbol",
    "bigint",
]
"""The values of `RemoteObject.type`."""
''',
    ("_types/runtime.py", "UnserializableValue"): '''\
UnserializableValue = NewType("UnserializableValue", str)
"""Primitive value which cannot be JSON-stringified. Includes values `-0`, `NaN`, `Infinity`,
`-Infinity`, and bigint literals.

CDP: `Runtime.UnserializableValue`.
"""
''',
    ("ids.py", "Timestamp"): '''\
Timestamp: TypeAlias = float
"""Number of milliseconds since epoch.

CDP: `Runtime.Timestamp`.
"""
''',
    ("ids.py", "ExecutionContextId"): '''\
ExecutionContextId = NewType("ExecutionContextId", int)
"""Id of an execution context.

CDP: `Runtime.ExecutionContextId`.
"""
''',
    ("_events/runtime.py", "ExecutionContextsCleared"): '''\
class ExecutionContextsCleared(Event, frozen=True, kw_only=True):
    """Issued when all executionContexts were cleared in browser

    CDP: `Runtime.executionContextsCleared`.
    """

    METHOD: ClassVar[str] = "Runtime.executionContextsCleared"
''',
    ("_events/runtime.py", "ConsoleAPICalled"): '''\
class ConsoleAPICalled(Event, frozen=True, kw_only=True):
    """Issued when console API was called.

    CDP: `Runtime.consoleAPICalled`.
    """

    METHOD: ClassVar[str] = "Runtime.consoleAPICalled"

    type: Open[ConsoleAPICalledType]
    """Type of the call."""
    args: tuple[RemoteObject, ...]
    """Call arguments."""
    execution_context_id: ExecutionContextId = field(name="executionContextId")
    """Identifier of the context where the call was made."""
    timestamp: Timestamp
    """Call timestamp."""
    stack_trace: StackTrace | None = field(default=None, name="stackTrace")
    """Stack trace captured when the call was made. The async stack chain is automatically reported for
    the following call types: `assert`, `error`, `trace`, `warning`. For other types the async call
    chain can be retrieved using `Debugger.getStackTrace` and `stackTrace.parentId` field.
    """
    context: str | None = None
    """Console context descriptor for calls on non-default console context (not console.*):
    'anonymous#unique-logger-id' for call on unnamed context, 'name#unique-logger-id' for call
    on named context.

    Experimental.
    """
''',
    ("_commands/runtime.py", "EvaluateResult"): '''\
class EvaluateResult(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """The result of `Evaluate`. CDP: `Runtime.evaluate`."""

    result: RemoteObject
    """Evaluation result."""
    exception_details: ExceptionDetails | None = field(default=None, name="exceptionDetails")
    """Exception details."""
''',
    ("_commands/target.py", "SetAutoAttach"): '''\
class SetAutoAttach(Command[None], frozen=True, kw_only=True, omit_defaults=True):
    """Controls whether to automatically attach to new targets which are considered
    to be directly related to this one (for example, iframes or workers).
    When turned on, attaches to all existing related targets as well. When turned off,
    automatically detaches from all currently attached targets.
    This also clears all targets added by `autoAttachRelated` from the list of targets to watch
    for creation of related targets.
    You might want to call this recursively for auto-attached targets to attach
    to all available targets.

    CDP: `Target.setAutoAttach`.
    """

    METHOD: ClassVar[str] = "Target.setAutoAttach"
    RESULT: ClassVar[None] = None

    auto_attach: bool = field(name="autoAttach")
    """Whether to auto-attach to related targets."""
    wait_for_debugger_on_start: bool = field(name="waitForDebuggerOnStart")
    """Whether to pause new targets when attaching to them. Use `Runtime.runIfWaitingForDebugger`
    to run paused targets.
    """
    flatten: bool | UnsetType | None = None
    """Enables "flat" access to the session via specifying sessionId attribute in the commands.
    We plan to make this the default, deprecate non-flattened mode,
    and eventually retire it. See crbug.com/991325.

    Experimental.
    """
    filter: TargetFilter | UnsetType | None = None
    """Only targets matching filter will be attached. Experimental."""
''',
    ("_commands/runtime.py", "SetAsyncCallStackDepth"): '''\
class SetAsyncCallStackDepth(Command[None], frozen=True, kw_only=True, omit_defaults=True):
    """Enables or disables async call stacks tracking.

    CDP: `Runtime.setAsyncCallStackDepth`. Redirects to `Debugger.setAsyncCallStackDepth`.
    """

    METHOD: ClassVar[str] = "Runtime.setAsyncCallStackDepth"
    RESULT: ClassVar[None] = None

    max_depth: int = field(name="maxDepth")
    """Maximum depth of async call stacks. Setting to `0` will effectively disable collecting async
    call stacks (default).
    """
''',
    ("_types/target.py", "FilterEntry"): '''\
class FilterEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A filter used by target query/discovery/auto-attach operations.

    CDP: `Target.FilterEntry`. Experimental.
    """

    exclude: bool | UnsetType | None = None
    """If set, causes exclusion of matching targets from the list."""
    type: str | UnsetType | None = None
    """If not present, matches any type."""
''',
    ("_types/target.py", "TargetFilter"): '''\
TargetFilter: TypeAlias = Sequence[FilterEntry]
"""The entries in TargetFilter are matched sequentially against targets and
the first entry that matches determines if the target is included or not,
depending on the value of `exclude` field in the entry.
If filter is not specified, the one assumed is
[{type: "browser", exclude: true}, {type: "tab", exclude: true}, {}]
(i.e. include everything but `browser` and `tab`).

CDP: `Target.TargetFilter`. Experimental.
"""
''',
    ("_events/target.py", "AttachedToTarget"): '''\
class AttachedToTarget(Event, frozen=True, kw_only=True):
    """Issued when attached to target because of auto-attach or `attachToTarget` command.

    CDP: `Target.attachedToTarget`. Experimental.
    """

    METHOD: ClassVar[str] = "Target.attachedToTarget"

    session_id: SessionID = field(name="sessionId")
    """Identifier assigned to the session used to send/receive messages."""
    target_info: TargetInfo = field(name="targetInfo")
    waiting_for_debugger: bool = field(name="waitingForDebugger")
''',
    ("_types/fetch.py", "RequestPattern"): '''\
class RequestPattern(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """CDP: `Fetch.RequestPattern`."""

    url_pattern: str | UnsetType | None = field(default=None, name="urlPattern")
    """Wildcards (`'*'` -> zero or more, `'?'` -> exactly one) are allowed. Escape character is
    backslash. Omitting is equivalent to `"*"`.
    """
    resource_type: Open[_ids.ResourceType] | UnsetType | None = field(default=None, name="resourceType")
    """If set, only requests for matching resource types will be intercepted."""
    request_stage: Open[RequestStage] | UnsetType | None = field(default=None, name="requestStage")
    """Stage at which to begin intercepting requests. Default is Request."""
''',
    ("_events/fetch.py", "RequestPaused"): '''\
class RequestPaused(Event, frozen=True, kw_only=True):
    """Issued when the domain is enabled and the request URL matches the
    specified filter. The request is paused until the client responds
    with one of continueRequest, failRequest or fulfillRequest.
    The stage of the request can be determined by presence of responseErrorReason
    and responseStatusCode -- the request is at the response stage if either
    of these fields is present and in the request stage otherwise.
    Redirect responses and subsequent requests are reported similarly to regular
    responses and requests. Redirect responses may be distinguished by the value
    of `responseStatusCode` (which is one of 301, 302, 303, 307, 308) along with
    presence of the `location` header. Requests resulting from a redirect will
    have `redirectedRequestId` field set.

    CDP: `Fetch.requestPaused`.
    """

    METHOD: ClassVar[str] = "Fetch.requestPaused"

    request_id: RequestId = field(name="requestId")
    """Each request the page makes will have a unique id."""
    request: _network.Request
    """The details of the request."""
    frame_id: _ids.FrameId = field(name="frameId")
    """The id of the frame that initiated the request."""
    resource_type: Open[_ids.ResourceType] = field(name="resourceType")
    """How the requested resource will be used."""
    response_error_reason: Open[_ids.ErrorReason] | None = field(default=None, name="responseErrorReason")
    """Response error if intercepted at response stage."""
    response_status_code: int | None = field(default=None, name="responseStatusCode")
    """Response code if intercepted at response stage."""
    response_status_text: str | None = field(default=None, name="responseStatusText")
    """Response status text if intercepted at response stage."""
    response_headers: tuple[HeaderEntry, ...] | None = field(default=None, name="responseHeaders")
    """Response headers if intercepted at the response stage."""
    network_id: _ids.RequestId | None = field(default=None, name="networkId")
    """If the intercepted request had a corresponding Network.requestWillBeSent event fired for it,
    then this networkId will be the same as the requestId present in the requestWillBeSent event.
    """
    redirected_request_id: RequestId | None = field(default=None, name="redirectedRequestId")
    """If the request is due to a redirect response from the server, the id of the request that
    has caused the redirect.

    Experimental.
    """
''',
    ("_commands/fetch.py", "FulfillRequest"): '''\
class FulfillRequest(Command[None], frozen=True, kw_only=True, omit_defaults=True):
    """Provides response to the request.

    CDP: `Fetch.fulfillRequest`.
    """

    METHOD: ClassVar[str] = "Fetch.fulfillRequest"
    RESULT: ClassVar[None] = None

    request_id: RequestId = field(name="requestId")
    """An id the client received in requestPaused event."""
    response_code: int = field(name="responseCode")
    """An HTTP response code."""
    response_headers: Sequence[HeaderEntry] | UnsetType | None = field(default=None, name="responseHeaders")
    """Response headers."""
    binary_response_headers: Base64 | UnsetType | None = field(default=None, name="binaryResponseHeaders")
    """Alternative way of specifying response headers as a \\\\0-separated
    series of name: value pairs. Prefer the above method unless you
    need to represent some non-UTF8 values that can't be transmitted
    over the protocol as text. (Encoded as a base64 string when passed over JSON)
    """
    body: Base64 | UnsetType | None = None
    """A response body. If absent, original response body will be used if
    the request is intercepted at the response stage and empty body
    will be used if the request is intercepted at the request stage. (Encoded as a base64 string when passed over JSON)
    """
    response_phrase: str | UnsetType | None = field(default=None, name="responsePhrase")
    """A textual representation of responseCode.
    If absent, a standard phrase matching responseCode is used.
    """
''',
}


@pytest.mark.parametrize(("place", "expected"), EXPECTED.items(), ids=[name for _, name in EXPECTED])
def test_a_definition_reads_as_expected(files: dict[str, str], place: tuple[str, str], expected: str) -> None:
    path, name = place

    assert definition(files[path], name) == expected


def test_a_field_never_hides_a_module(files: dict[str, str]) -> None:
    """Modules are imported under an underscore: `network: ...` in a class body would hide `network.Request`."""
    assert "from cdp_typed.protocol._types import network as _network\n" in files["_events/fetch.py"]
