"""The members of the protocol that hold credentials, bodies or typed text, by their path in the schema.

`Network.setCookie.value` is a parameter of a command, `Network.getResponseBody().body` a part of its result,
`Network.dataReceived!.data` a parameter of an event, `Network.Request.postData` a property of a type. A test walks the
schema, and fails for a member that is neither here nor known to hold nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from cdp_typed._base import Event
from cdp_typed.protocol.registry import COMMANDS, DOMAINS
from cdp_typed.schema import Property, load_schema

from .texts import is_secret_name

SECRET_ARGUMENTS = "/* secrets */ "
"""A function that begins with this comment gets secrets: each argument that is a text is hidden wherever it comes
again."""

Rule: TypeAlias = Literal["all", "credential", "arguments", "headers", "header", "key", "attributes", "strings"]
"""`all`: every text in it. `credential`: the same, and wherever the text comes again. `arguments`: see
`SECRET_ARGUMENTS`. `headers`: the values of those that are no plain headers. `header`: the value beside a `name`.
`key`: a pressed key that writes a character. `attributes`: of an element that takes a secret, the value. `strings`: the
texts of a snapshot, likewise."""


class Member(NamedTuple):
    """A member of an object: its rule, if it has one, the path of the type of its value or of each item, and the texts
    of an enumeration, which are words of the protocol also where a secret is the same word."""

    rule: Rule | None
    of: str | None
    listed: frozenset[str] = frozenset()


NO_MEMBER = Member(None, None)


_CREDENTIALS = """
Fetch.AuthChallengeResponse.password Network.AuthChallengeResponse.password Network.Cookie.value
Network.CookieParam.value Network.setCookie.value Storage.PrivateVerificationToken.token WebAuthn.Credential.privateKey
"""
_HEADERS = """
Network.LoadNetworkResourcePageResult.headers Network.Request.headers Network.Response.headers
Network.Response.headersText Network.Response.requestHeaders Network.Response.requestHeadersText
Network.SignedExchangeHeader.responseHeaders Network.WebSocketRequest.headers Network.WebSocketResponse.headers
Network.WebSocketResponse.headersText Network.WebSocketResponse.requestHeaders
Network.WebSocketResponse.requestHeadersText Network.requestWillBeSentExtraInfo!.headers
Network.responseReceivedEarlyHints!.headers Network.responseReceivedExtraInfo!.headers
Network.responseReceivedExtraInfo!.headersText Network.setExtraHTTPHeaders.headers
"""
_ALL = """
Audits.CookieIssueDetails.rawCookieLine Audits.getEncodedResponse().body Autofill.AddressField.value
Autofill.CreditCard.cvc Autofill.CreditCard.expiryMonth Autofill.CreditCard.expiryYear Autofill.CreditCard.name
Autofill.CreditCard.number Autofill.FilledField.value BackgroundService.EventMetadata.value
BluetoothEmulation.ManufacturerData.data BluetoothEmulation.characteristicOperationReceived!.data
BluetoothEmulation.descriptorOperationReceived!.data BluetoothEmulation.simulateCharacteristicOperationResponse.data
BluetoothEmulation.simulateDescriptorOperationResponse.data CacheStorage.CachedResponse.body
CrashReportContext.CrashReportContextEntry.value DOM.Node.nodeValue DOM.attributeModified!.value
DOM.characterDataModified!.characterData DOM.setAttributeValue.value DOM.setAttributesAsText.text
DOM.setNodeValue.value DOMSnapshot.DOMNode.inputValue DOMSnapshot.DOMNode.textValue DOMSnapshot.NameValue.value
DOMStorage.domStorageItemAdded!.newValue DOMStorage.domStorageItemUpdated!.newValue
DOMStorage.domStorageItemUpdated!.oldValue DOMStorage.getDOMStorageItems().entries DOMStorage.setDOMStorageItem.value
Debugger.SearchMatch.lineContent DigitalCredentials.setVirtualWalletBehavior.response
Extensions.getStorageItems().data Extensions.setStorageItems.values Fetch.AuthChallengeResponse.username
Fetch.continueRequest.postData Fetch.continueResponse.binaryResponseHeaders Fetch.fulfillRequest.binaryResponseHeaders
Fetch.fulfillRequest.body Fetch.getResponseBody().body HeapProfiler.addHeapSnapshotChunk!.chunk IO.read().data
IndexedDB.DataEntry.key IndexedDB.DataEntry.primaryKey IndexedDB.DataEntry.value Input.DragDataItem.data
Input.imeSetComposition.text Network.AuthChallengeResponse.username Network.BlockedSetCookieWithReason.cookieLine
Network.DeviceBoundSessionFailedRequest.responseErrorBody Network.DirectUDPMessage.data
Network.ExemptedSetCookieWithReason.cookieLine Network.PostDataEntry.bytes Network.ReportingApiReport.body
Network.Request.postData Network.WebSocketFrame.payloadData Network.dataReceived!.data
Network.directTCPSocketChunkReceived!.data Network.directTCPSocketChunkSent!.data
Network.eventSourceMessageReceived!.data Network.getRequestPostData().postData Network.getResponseBody().body
Network.streamResourceContent().bufferedData Page.captureSnapshot().data Page.getAnnotatedPageContent().content
Page.getResourceContent().content Page.handleJavaScriptDialog.promptText Page.javascriptDialogClosed!.userInput
Runtime.CallArgument.value Runtime.bindingCalled!.payload ServiceWorker.deliverPushMessage.data
SmartCardEmulation.controlRequested!.data SmartCardEmulation.reportDataResult.data
SmartCardEmulation.setAttribRequested!.data SmartCardEmulation.transmitRequested!.data
Target.receivedMessageFromTarget!.message Target.sendMessageToTarget.message WebAuthn.Credential.largeBlob
WebAuthn.Credential.userHandle
"""
_KEYS = " ".join(
    f"Input.dispatchKeyEvent.{name}"
    for name in (
        "code",
        "key",
        "keyIdentifier",
        "nativeVirtualKeyCode",
        "text",
        "unmodifiedText",
        "windowsVirtualKeyCode",
    )
)

SECRET: Mapping[str, Rule] = {
    **dict.fromkeys(_ALL.split(), "all"),
    **dict.fromkeys(_CREDENTIALS.split(), "credential"),
    **dict.fromkeys(_HEADERS.split(), "headers"),
    "Input.insertText.text": "all",
    "Runtime.callFunctionOn.arguments": "arguments",
    **dict.fromkeys(["CacheStorage.Header.value", "Fetch.HeaderEntry.value"], "header"),
    **dict.fromkeys(_KEYS.split(), "key"),
    **dict.fromkeys(["DOM.Node.attributes", "DOM.getAttributes().attributes"], "attributes"),
    "DOMSnapshot.captureSnapshot().strings": "strings",
}
"""The rule of each member."""


@lru_cache(maxsize=1024)
def members_of(path: str) -> Mapping[str, Member]:
    """The members of an object: of a type (`Network.Request`), of the parameters of a command (`Network.setCookie`) or
    an event (`Network.dataReceived!`), of a result (`Network.getCookies()`). Empty for what is not in the schema."""
    return {
        item.name: Member(SECRET.get(f"{path}.{item.name}"), _type_of(item), _listed(item))
        for item in _properties(path)
    }


@cache
def listed_in(cls: type[Any]) -> Mapping[str, Member]:
    """The members of a class that is not of the protocol whose values are of an enumeration."""
    if not issubclass(cls, Struct):
        return {}
    fields = msgspec.structs.fields(cls)
    return {field.encode_name: Member(None, None, frozenset(_literals(field.type))) for field in fields}


def _literals(kind: Any) -> Iterator[str]:
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif get_origin(kind) in (Union, UnionType):
        for one in get_args(kind):
            yield from _literals(one)


def _properties(path: str) -> tuple[Property, ...]:
    schema = load_schema()
    if path.endswith("()"):
        command = schema.commands.get(path[:-2])
        return command.returns if command else ()
    if path.endswith("!"):
        event = schema.events.get(path[:-1])
        return event.parameters if event else ()
    if path in schema.commands:
        return schema.commands[path].parameters
    return (schema.types[path].properties or ()) if path in schema.types else ()


def _type_of(item: Property) -> str | None:
    """The type that has members: of the value, or of its items."""
    ref = item.ref or (item.items.ref if item.items else None)
    definition = load_schema().types.get(ref or "")
    if definition is not None and definition.items is not None:
        ref = definition.items.ref
    return ref if ref in load_schema().types else None


def _listed(item: Property) -> frozenset[str]:
    definition = load_schema().types.get(item.ref or "")
    return frozenset(item.enum or (definition.enum if definition else None) or ())


_SECRET_TYPES = ("password", "hidden")
_SECRET_PURPOSES = ("one-time-code", "current-password", "new-password")


def is_secret_field(attributes: Mapping[str, str]) -> bool:
    """Whether a form field with these attributes takes a secret: a password, a payment card, a code."""
    purposes = attributes.get("autocomplete", "").lower().split()
    return (
        attributes.get("type", "").lower() in _SECRET_TYPES
        or "text-security" in attributes.get("style", "")
        or any(is_secret_name(attributes.get(name, "")) for name in ("name", "id"))
        or any(purpose in _SECRET_PURPOSES or purpose.startswith("cc-") for purpose in purposes)
    )


_DOMAINS = {module: domain for domain, module in DOMAINS.items()}


@cache
def path_of(cls: type[Any]) -> str | None:
    """As `members_of` takes it; None for a class that is not of the protocol. Of a subclass, the path of its base."""
    method: str | None = getattr(cls, "METHOD", None)
    if method is not None:
        return f"{method}!" if issubclass(cls, Event) else method
    package, _, module = cls.__module__.rpartition(".")
    domain = _DOMAINS.get(module)
    if domain is None or not package.startswith("cdp_typed.protocol."):
        return None
    if package.endswith("._types"):
        return f"{domain}.{cls.__name__}"
    results = {f"{name}Result": method for method, name in COMMANDS.items() if method.startswith(f"{domain}.")}
    return f"{results[cls.__name__]}()" if cls.__name__ in results else None
