"""Ways from one task of a browser to another one, by raw commands: data, to be played by tests.

The attacker knows every id of the other task, which makes a way as strong as it can be. `$target`, `$context` and the
other names of `Other` stand for these; any other `$name` is a field that an earlier step of the way got, wherever it
stood in the result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from cdp_typed.wire.json_text import is_array, is_object

Params = Mapping[str, Any]

MARK = "document.title = 'touched'; document.body.textContent = 'touched'; document.cookie = 'touched=1'"
"""A script that leaves a trace in the page in which it runs."""


@dataclass(frozen=True)
class Other:
    """The other task, and what there is of the attacker that a way needs."""

    target: str
    """The id of its page, and of the page's top frame."""
    context: str
    """Its browser context."""
    url: str
    origin: str
    storage_key: str
    node: int
    """The backend id of a node with its text."""
    window: int
    redirect: str
    """An address that the attacker may load, which leads to `url`."""
    own_target: str
    own_frame: str
    file: str
    """A file with the secret, on the browser's machine."""
    folder: str


@dataclass(frozen=True)
class Way:
    """Commands, each with its parameters; `named` are further arguments of the tool."""

    name: str
    steps: tuple[tuple[str, Params], ...]
    named: Params = field(default_factory=dict[str, Any])


def play(way: Way, other: Other, send: Callable[[str, Params, Params], dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The answers to the commands of a way. `send` gets a method, its parameters and further arguments of the tool."""
    known: dict[str, Any] = {name.name: getattr(other, name.name) for name in fields(other)}
    for method, params in way.steps:
        answer = send(method, _filled(params, known), _filled(way.named, known))
        known.update(_leaves(answer.get("result")))
        yield answer


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("$"):
        return known.get(value[1:], "unknown")
    if is_object(value):
        filled = {key: _filled(each, known) for key, each in value.items()}
        if is_object(filled.get("message")):
            filled["message"] = json.dumps(filled["message"])
        return filled
    return [_filled(each, known) for each in value] if is_array(value) else value


def _leaves(value: Any) -> Iterator[tuple[str, Any]]:
    if is_object(value):
        for key, each in value.items():
            if isinstance(each, str | int):
                yield key, each
            yield from _leaves(each)
    elif is_array(value):
        for each in value:
            yield from _leaves(each)


def _way(name: str, *steps: tuple[str, Params], **named: Any) -> Way:
    return Way(name, steps, named)


def _one(method: str, note: str = "", **params: Any) -> Way:
    return Way(f"{method} {note}".strip(), ((method, params),))


def _message(method: str, **params: Any) -> Params:
    return {"id": 1, "method": method, "params": params}


_SCRIPT = _message("Runtime.evaluate", expression=MARK)
_ATTACH = ("Target.attachToTarget", {"targetId": "$target", "flatten": False})
_TO_SESSION = ("Target.sendMessageToTarget", {"sessionId": "$sessionId", "message": _SCRIPT})
_COOKIE = {"name": "touched", "value": "1"}
_NESTED = _message("Target.sendMessageToTarget", targetId="$target", message=json.dumps(_SCRIPT))
_CHOSEN = "document.body.append(Object.assign(document.createElement('input'), {type: 'file'}))"

SESSIONS = (
    _way("a session of the other page", _ATTACH, _TO_SESSION),
    _way(
        "a session that closes it",
        _ATTACH,
        ("Target.sendMessageToTarget", {"sessionId": "$sessionId", "message": _message("Page.close")}),
    ),
    _way("a flat session", ("Target.attachToTarget", {"targetId": "$target", "flatten": True}), _TO_SESSION),
    _way(
        "a message to the other page",
        _ATTACH,
        ("Target.sendMessageToTarget", {"targetId": "$target", "message": _SCRIPT}),
    ),
    _way(
        "a message in a message",
        ("Target.attachToTarget", {"targetId": "$own_target", "flatten": False}),
        ("Target.sendMessageToTarget", {"sessionId": "$sessionId", "message": _NESTED}),
    ),
    _way(
        "a session of the browser",
        ("Target.attachToBrowserTarget", {}),
        (
            "Target.sendMessageToTarget",
            {"sessionId": "$sessionId", "message": _message("Target.closeTarget", targetId="$target")},
        ),
    ),
    _way(
        "a page that sends commands",
        ("Target.exposeDevToolsProtocol", {"targetId": "$own_target", "bindingName": "cdp"}),
        ("Runtime.evaluate", {"expression": "cdp.send(JSON.stringify({id: 1, method: 'Target.getTargets'}))"}),
    ),
    _one("Target.exposeDevToolsProtocol", targetId="$target", bindingName="cdp", inheritPermissions=True),
    _one("Target.autoAttachRelated", targetId="$target", waitForDebuggerOnStart=True),
    _one("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=False),
    _one("Target.setDiscoverTargets", discover=True),
    _one("Target.detachFromTarget", targetId="$target"),
    _one("Target.setRemoteLocations", locations=[{"host": "127.0.0.1", "port": 1}]),
    _one("Target.getDevToolsTarget", targetId="$target"),
    _one("Target.openDevTools", targetId="$target"),
    _way("the tool's target", ("Runtime.evaluate", {"expression": MARK}), target_id="$target"),
    _way("the tool's frame", ("Runtime.evaluate", {"expression": MARK}), frame_id="$target"),
)

TARGETS = (
    _one("Target.getTargets"),
    _one("Target.getTargets", "with a filter", filter=[{}]),
    _one("Target.getTargetInfo", targetId="$target"),
    _one("Target.closeTarget", targetId="$target"),
    _one("Target.activateTarget", targetId="$target"),
    _one("Target.activateTarget", "in front of the other page", targetId="$own_target"),
    _one("Page.bringToFront"),
    _one("Target.createTarget", "in the other context", url="about:blank", browserContextId="$context"),
    _one("Target.createTarget", "outside of the own context", url="about:blank"),
    _one("Target.disposeBrowserContext", browserContextId="$context"),
    _one("Target.getBrowserContexts"),
    _one("Target.createBrowserContext", originsWithUniversalNetworkAccess=["$origin"]),
)

COOKIES = (
    _one("Storage.getCookies", "of no context"),
    _one("Storage.setCookies", "of no context", cookies=[{**_COOKIE, "url": "$url"}]),
    _one("Storage.clearCookies", "of no context"),
    _one("Storage.getCookies", browserContextId="$context"),
    _one("Storage.setCookies", browserContextId="$context", cookies=[{**_COOKIE, "url": "$url"}]),
    _one("Storage.clearCookies", browserContextId="$context"),
    _one("Network.getAllCookies"),
    _one("Network.getCookies", urls=["$url"]),
    _one("Network.setCookie", **_COOKIE, url="$url"),
    _one("Network.setCookie", "for a domain", **_COOKIE, domain="127.0.0.1"),
    _one("Network.setCookies", cookies=[{**_COOKIE, "url": "$url"}]),
    _one("Network.deleteCookies", name="secret", url="$url"),
    _one("Network.clearBrowserCookies"),
    _one("Page.deleteCookie", cookieName="secret", url="$url"),
)

STORAGE = (
    _one("Storage.clearDataForOrigin", origin="$origin", storageTypes="all"),
    _one("Storage.clearDataForStorageKey", storageKey="$storage_key", storageTypes="all"),
    _one("Storage.getUsageAndQuota", origin="$origin"),
    _one("Storage.overrideQuotaForOrigin", origin="$origin", quotaSize=0),
    _one("Storage.getStorageKeyForFrame", frameId="$target"),
    _one("Storage.getStorageKey", frameId="$target"),
    _one("Storage.deleteStorageBucket", bucket={"storageKey": "$storage_key", "name": "secret"}),
    _one("Storage.runBounceTrackingMitigations"),
    _one("DOMStorage.getDOMStorageItems", storageId={"storageKey": "$storage_key", "isLocalStorage": True}),
    _one(
        "DOMStorage.setDOMStorageItem",
        key="touched",
        value="1",
        storageId={"securityOrigin": "$origin", "isLocalStorage": True},
    ),
    _one("DOMStorage.clear", storageId={"storageKey": "$storage_key", "isLocalStorage": True}),
    _one("IndexedDB.requestDatabaseNames", storageKey="$storage_key"),
    _one("IndexedDB.deleteDatabase", securityOrigin="$origin", databaseName="secret"),
    _one("CacheStorage.requestCacheNames", storageKey="$storage_key"),
    _one("FileSystem.getDirectory", bucketFileSystemLocator={"storageKey": "$storage_key", "pathComponents": []}),
    _way("a service worker", ("ServiceWorker.enable", {}), ("ServiceWorker.unregister", {"scopeURL": "$url"})),
    _way("all service workers", ("ServiceWorker.enable", {}), ("ServiceWorker.stopAllWorkers", {})),
    _one("BackgroundService.clearEvents", service="backgroundFetch"),
    _one("Network.clearBrowserCache"),
)

FRAMES = (
    _one("Page.navigate", frameId="$target", url="about:blank"),
    _one("Page.setDocumentContent", frameId="$target", html="touched"),
    _way(
        "a world in the other frame",
        ("Page.createIsolatedWorld", {"frameId": "$target"}),
        ("Runtime.evaluate", {"contextId": "$executionContextId", "expression": MARK}),
    ),
    _one("Page.getResourceContent", frameId="$target", url="$url"),
    _one("Page.searchInResource", frameId="$target", url="$url", query="s"),
    _one("Page.getPermissionsPolicyState", frameId="$target"),
    _one("Accessibility.getFullAXTree", frameId="$target"),
    _one("CSS.createStyleSheet", frameId="$target"),
    _one("DOM.getFrameOwner", frameId="$target"),
    _one("Network.getSecurityIsolationStatus", frameId="$target"),
    _way(
        "a tool of the page",
        ("WebMCP.enable", {}),
        ("WebMCP.invokeTool", {"frameId": "$target", "toolName": "secret", "input": {}}),
    ),
    _one("DOM.getOuterHTML", backendNodeId="$node"),
    _one("DOM.describeNode", backendNodeId="$node", depth=2),
    _way(
        "an object of the other page",
        ("DOM.resolveNode", {"backendNodeId": "$node"}),
        ("Runtime.callFunctionOn", {"objectId": "$objectId", "functionDeclaration": f"function() {{ {MARK} }}"}),
    ),
    _one("Accessibility.getPartialAXTree", backendNodeId="$node"),
    _way("an object of the heap", ("HeapProfiler.getObjectByHeapObjectId", {"objectId": "1"})),
)

READING = (
    _way(
        "a world that reads every origin",
        ("Page.createIsolatedWorld", {"frameId": "$own_frame", "grantUniveralAccess": True}),
        (
            "Runtime.callFunctionOn",
            {
                "executionContextId": "$executionContextId",
                "functionDeclaration": "async url => (await fetch(url)).text()",
                "arguments": [{"value": "$url"}],
                "awaitPromise": True,
            },
        ),
    ),
    _way(
        "the other page, loaded",
        (
            "Network.loadNetworkResource",
            {"frameId": "$own_frame", "url": "$url", "options": {"disableCache": False, "includeCredentials": True}},
        ),
        ("IO.read", {"handle": "$stream"}),
    ),
    _way(
        "a redirect to the other page",
        (
            "Network.loadNetworkResource",
            {
                "frameId": "$own_frame",
                "url": "$redirect",
                "options": {"disableCache": False, "includeCredentials": True},
            },
        ),
        ("IO.read", {"handle": "$stream"}),
    ),
    _one("IO.read", "of a guessed stream", handle="1"),
    _one("IO.close", handle="1"),
    _way(
        "a picture of the screen",
        ("Page.startScreenRecording", {"captureArea": "screen"}),
        ("Page.stopScreenRecording", {}),
    ),
    _way(
        "a file of the machine",
        ("Runtime.evaluate", {"expression": _CHOSEN}),
        ("Runtime.evaluate", {"expression": "document.querySelector('input')"}),
        ("DOM.setFileInputFiles", {"files": ["$file"], "objectId": "$objectId"}),
        ("Runtime.evaluate", {"expression": "document.querySelector('input').files[0].text()", "awaitPromise": True}),
    ),
)

BROWSER = (
    _one("Browser.setDownloadBehavior", "of the other context", behavior="deny", browserContextId="$context"),
    _one("Browser.setDownloadBehavior", "of the browser", behavior="allow", downloadPath="$folder"),
    _one("Browser.grantPermissions", browserContextId="$context", permissions=["geolocation"]),
    _one("Browser.grantPermissions", "of the browser", permissions=["geolocation"]),
    _one("Browser.resetPermissions", browserContextId="$context"),
    _one("Browser.setPermission", permission={"name": "geolocation"}, setting="granted", browserContextId="$context"),
    _one("Browser.getWindowForTarget", targetId="$target"),
    _one("Browser.getWindowBounds", windowId="$window"),
    _one("Browser.setWindowBounds", windowId="$window", bounds={"windowState": "minimized"}),
    _one("Browser.setContentsSize", windowId="$window", width=10, height=10),
    _one("Browser.cancelDownload", guid="1", browserContextId="$context"),
    _one("Browser.getBrowserCommandLine"),
    _one("Browser.getHistograms"),
    _one("Browser.executeBrowserCommand", commandId="openTabSearch"),
    _one("Browser.setGlobalPrivacyControl", gpc=True),
    _one("Browser.crashGpuProcess"),
    _one("Browser.close"),
    _one("Browser.crash"),
    _one("SystemInfo.getProcessInfo"),
    _one("SystemInfo.getInfo"),
    _one("Tethering.bind", port=1),
    _way("a trace", ("Tracing.start", {"transferMode": "ReturnAsStream"}), ("Tracing.end", {})),
    _one("Memory.getBrowserSamplingProfile"),
    _one("Memory.simulatePressureNotification", level="critical"),
    _one("Extensions.getExtensions"),
    _one("Extensions.loadUnpacked", path="$folder"),
    _one("PWA.install", manifestId="$url", installUrlOrBundleUrl="$url"),
    _one("Cast.startTabMirroring", sinkName="screen"),
    _one("BluetoothEmulation.enable", state="powered-off", leSupported=False),
    _one("Emulation.removeScreen", screenId="1"),
    _one("Target.notYetThere", targetId="$target"),
    _one("Page.notYetThere"),
)

WAYS: tuple[Way, ...] = (*SESSIONS, *TARGETS, *COOKIES, *STORAGE, *FRAMES, *READING, *BROWSER)
"""Every way. One that harms the browser as a whole (`Browser.close`) is for where it must not work."""
