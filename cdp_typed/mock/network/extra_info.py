"""The `ExtraInfo` events of the Network domain: the headers and cookies that go over the wire."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from cdp_typed.mock.js.navigation_api import USER_AGENT
from cdp_typed.mock.network.network_events import is_same_site
from cdp_typed.mock.network.page_cookies import associated_cookies, blocked_cookies, cookie_header
from cdp_typed.mock.network.request_headers import DESTINATIONS, referrer_of
from cdp_typed.mock.site import origin_of, site_of
from cdp_typed.mock.state.http import HttpResponse, phrase
from cdp_typed.mock.state.network import NetworkRequest
from cdp_typed.mock.state.step import Step, origin_url_of
from cdp_typed.mock.urls import is_local, is_trustworthy

_CREDENTIALED: Final = ("Document", "Image", "Script", "Stylesheet", "Media")


def emit_exchange(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    """Emit what was sent for a request, and what came back before any client changed it."""
    if not step.enabled(request.target, "Network"):
        return
    step.emit_if_enabled(request.target, "Network.requestWillBeSentExtraInfo", _sent(step, request))
    step.emit_if_enabled(request.target, "Network.responseReceivedExtraInfo", _received(step, request, response))


def _sent(step: Step, request: NetworkRequest) -> dict[str, Any]:
    document = request.initiator.document
    around: dict[str, Any] = {}
    if document:
        around["clientSecurityState"] = {
            "initiatorIsSecureContext": is_trustworthy(document),
            "initiatorIPAddressSpace": _address_space(document),
            "localNetworkAccessRequestPolicy": _local_policy(
                request, document, top=step.state.frames[request.frame].parent is None
            ),
        }
    associated = [
        {"cookie": cookie.described(), "blockedReasons": reasons, "exemptionReason": "None"}
        for cookie, reasons in associated_cookies(step, request)
    ]
    return {
        "requestId": request.id,
        "associatedCookies": associated,
        "headers": _sent_headers(step, request),
        "connectTiming": {"requestTime": step.now},
        **around,
        "siteHasCookieInOtherPartition": False,
    }


def _received(step: Step, request: NetworkRequest, response: HttpResponse) -> dict[str, Any]:
    lines = [f"HTTP/1.1 {response.status} {phrase(response)}", *(f"{name}: {text}" for name, text in response.headers)]
    top = site_of(_top_url(step, request))
    key = {"cookiePartitionKey": {"topLevelSite": top, "hasCrossSiteAncestor": not _is_first_party(step, request)}}
    return {
        "requestId": request.id,
        "blockedCookies": blocked_cookies(step, request, response),
        "headers": dict(response.headers),
        "resourceIPAddressSpace": _address_space(request.http.url),
        "statusCode": response.status,
        "headersText": "\r\n".join([*lines, "", ""]),
        **(key if top else {}),
        "cookiePartitionKeyOpaque": not top,
        "exemptedCookies": [],
    }


def _sent_headers(step: Step, request: NetworkRequest) -> dict[str, str]:
    url, cause = request.http.url, request.initiator
    disabled = any(session.cache_disabled for session in step.enabled(request.target, "Network"))
    cache = "no-cache" if disabled else request.cache
    added = {
        "User-Agent": USER_AGENT,
        "Accept-Encoding": "gzip, deflate, br, zstd" if is_trustworthy(url) else "gzip, deflate",
        "Accept-Language": "en-US,en;q=0.9",
        "Connection": "keep-alive",
        "Host": urlsplit(url).netloc,
        "Referer": referrer_of(cause.referrer, url, cause.policy),
        "Cookie": cookie_header(step, request),
        "Cache-Control": cache,
        "Pragma": cache if cache == "no-cache" else "",
        "Content-Length": "" if request.http.body is None else str(len(request.http.body.encode())),
    }
    if request.type == "Media":
        added["Accept-Encoding"] = "identity"
    fetched = _fetch_metadata(step, request) if is_trustworthy(url) else {}
    return {name: text for name, text in {**added, **fetched}.items() if text} | dict(request.http.headers)


def _fetch_metadata(step: Step, request: NetworkRequest) -> dict[str, str]:
    frame, kind = step.state.frames[request.frame], request.type
    is_document = kind == "Document"
    destination = ("document" if frame.parent is None else "iframe") if is_document else DESTINATIONS.get(kind, "empty")
    mode = "navigate" if is_document else "cors" if kind in ("XHR", "Fetch", "Font") else "no-cors"
    site = _relation(request)
    metadata = {"Sec-Fetch-Dest": destination, "Sec-Fetch-Mode": mode, "Sec-Fetch-Site": site}
    if is_document and (request.initiator.typed or request.initiator.gesture):
        metadata["Sec-Fetch-User"] = "?1"
    if site != "none" and kind in _CREDENTIALED and not _is_first_party(step, request):
        metadata |= _storage_access(step, request)
    return metadata


def _relation(request: NetworkRequest) -> str:
    document = request.initiator.document
    if not document and request.type == "Document":
        return "none"
    if origin_of(document) == origin_of(request.http.url) != "://" and _stays(request, document):
        return "same-origin"
    return "same-site" if site_of(document) == site_of(request.http.url) else "cross-site"


def _stays(request: NetworkRequest, document: str) -> bool:
    return not request.original_url or origin_of(request.original_url) == origin_of(document)


def _storage_access(step: Step, request: NetworkRequest) -> dict[str, str]:
    """Return what a request from within another site says: whether it might get its cookies by asking."""
    if site_of(_top_url(step, request)) != site_of(request.http.url):
        return {"Sec-Fetch-Storage-Access": "none"}
    return {"Sec-Fetch-Storage-Access": "inactive", "Origin": origin_of(request.initiator.document)}


def _top_url(step: Step, request: NetworkRequest) -> str:
    frame = step.state.frames[request.frame]
    if request.type == "Document" and frame.parent is None:
        return request.http.url
    return origin_url_of(step.state.frames.get(frame.page, frame))


def _is_first_party(step: Step, request: NetworkRequest) -> bool:
    return is_same_site(step, request, step.state.frames[request.frame])


def _address_space(url: str) -> str:
    return "Loopback" if is_local(urlsplit(url).hostname) else "Public"


def _local_policy(request: NetworkRequest, document: str, *, top: bool) -> str:
    if request.type == "Document" and top:
        return "Allow"
    return "PermissionBlock" if is_trustworthy(document) else "BlockFromInsecureToMorePrivate"
