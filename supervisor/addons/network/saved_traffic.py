"""Files of requests: the body of a response, and all kept requests as a HAR file that a route replays."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed._base import UnlistedValue
from cdp_typed.errors import CommandError
from cdp_typed.helpers.shared.har.har_document import HarDocument
from cdp_typed.protocol import network, page
from cdp_typed.redaction.texts import REDACTED, is_plain_header
from supervisor.core.observers.failed_requests import MAX_BODIES_BYTES
from supervisor.core.state.observed import SeenRequest
from supervisor.driver.driver import Driver
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.redaction import TrafficRedaction
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import name_in
from supervisor.tools.page.page_frames import parent_of, top_of_session
from supervisor.tools.page.refs import frame_named
from supervisor.tools.raw_commands.checks import check_command

_PAGE = "page"
_CODE = ("Script", "Stylesheet")
_NOT_KEPT = f"the browser does not have the body: it keeps the newest {MAX_BODIES_BYTES // 10**6} MB of a page"


class BodiesLeftOut(Struct, frozen=True):
    """Responses without their body, for one reason."""

    why: str
    ids: list[int]


def network_files() -> NamedFiles:
    """Return the folder of the files."""
    return NamedFiles("network")


def write(name: str, data: bytes) -> str:
    """Write a file (mode 0600); returns its path. Raises `InvalidArgument` for a name that is none, and `OSError`."""
    with name_in("save"):
        return str(network_files().write(name, data))


async def body_of(context: ToolContext, seen: SeenRequest) -> tuple[bytes | None, str]:
    """Return the body of a response (`Network.getResponseBody`), or the reason why it is missing.

    Raises `PolicyRefused`, and `BlockedByDialog` where a dialog stops the page.
    """

    async def kept_body(driver: Driver) -> bytes | None:
        return driver.bodies.get(seen)

    if seen.is_redirect or seen.response is None:
        return None, "a redirect has no body" if seen.is_redirect else "no response has come"
    supervisor, tree = context.supervisor, context.supervisor.snapshot().frame_tree
    command, kept = network.GetResponseBody(request_id=seen.request_id), await supervisor.with_driver(kept_body)
    if kept is not None:
        await check_command(supervisor, context.policy, command)
        return kept, ""
    frame = frame_named(tree, seen.frame_id)
    if frame is None:
        return None, "its frame is not in the current page"
    while frame is not None:
        session_frame = top_of_session(frame, tree)
        await check_command(supervisor, context.policy, command, session_frame.frame_id)
        try:
            body = await supervisor.send(command, session_frame.frame_id)
        except CommandError:
            frame = parent_of(session_frame, tree)  # measured: the session above has the document of an iframe
        else:
            return base64.b64decode(body.body) if body.base64_encoded else body.body.encode(), ""
    return None, _NOT_KEPT if seen.ended_at is not None else "the response has not ended, or the page does not read it"


def without_secrets(body: bytes, seen: SeenRequest, redaction: TrafficRedaction) -> bytes:
    """Return a body for a file. In code only known secrets are replaced, because what has the shape of a credential may
    be an expression there. Data that is not text stays unchanged."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return body
    return (redaction.known(text) if seen.type in _CODE else redaction.text(text)).encode()


async def har_of(
    context: ToolContext, kept: Mapping[int, SeenRequest], redaction: TrafficRedaction
) -> tuple[bytes, list[BodiesLeftOut]]:
    """Return a HAR file of requests with their bodies, and the bodies that are missing.

    It has no cookies (Chromium keeps them out of these headers), no values of headers of requests that may be
    credentials, no text of a request that has one, and no credentials in addresses and in texts of responses.
    Raises what `body_of` raises.
    """
    document, missing = HarDocument(_PAGE), dict[str, list[int]]()
    tops = {tab.target_id for tab in context.supervisor.snapshot().pages}
    before: dict[tuple[str, str], SeenRequest] = {}
    for number, seen in kept.items():
        key = seen.session_id, seen.request_id
        earlier = before.get(key)
        is_page = seen.type == "Document" and seen.frame_id in tops
        redirect = earlier.response if earlier is not None and earlier.is_redirect else None
        document.add(_sent(seen, redirect, redaction, is_page=is_page))
        before[key] = seen
        if seen.response is not None and not seen.is_redirect:
            document.add(_received(seen, seen.response))
            body, why = await body_of(context, seen)
            if body is not None:
                body = await asyncio.to_thread(without_secrets, body, seen, redaction)
            size = max(1, int(seen.size or 0)) if body is None else len(body)
            document.add(_arrived(seen, size))
            if body is None:
                missing.setdefault(why, []).append(number)
            else:
                text = base64.b64encode(body).decode()
                document.add_body(_id(seen), network.GetResponseBodyResult(body=text, base64_encoded=True))
        if seen.ended_at is not None and not seen.is_redirect:
            document.add(_ended(seen, seen.ended_at))
    har = await asyncio.to_thread(_written, document, redaction)
    return har, [BodiesLeftOut(why, ids) for why, ids in missing.items()]


def _written(document: HarDocument, redaction: TrafficRedaction) -> bytes:
    """Return the file. The bodies, which are in base64, have no secrets any more."""
    har = document.document()
    bodies = [entry["response"]["content"].pop("text", None) for entry in har["log"]["entries"]]
    har = redaction.value(har)
    for entry, body in zip(har["log"]["entries"], bodies, strict=True):
        if body is not None:
            entry["response"]["content"]["text"] = body
    return json.dumps(har, indent=1).encode()


def _id(seen: SeenRequest) -> str:
    return f"{seen.session_id}.{seen.request_id}"


def _began(seen: SeenRequest) -> float:
    """Return the time of the request on the browser's clock, on which the parts of its timing are; else on ours."""
    timing = seen.response.timing if seen.response is not None else None
    return timing.request_time if timing is not None else seen.started_at


def _sent(
    seen: SeenRequest, redirect: network.Response | None, redaction: TrafficRedaction, *, is_page: bool
) -> network.RequestWillBeSent:
    text = seen.request.post_data
    headers = {name: str(value) if is_plain_header(name) else REDACTED for name, value in seen.request.headers.items()}
    kept = text if text is None or redaction.text(text) == text else None
    return network.RequestWillBeSent(
        request_id=network.RequestId(_id(seen)),
        loader_id=network.LoaderId(_id(seen) if is_page else ""),
        document_url="",
        request=replace(seen.request, headers=headers, post_data=kept),
        timestamp=_began(seen),
        wall_time=seen.started_at,
        initiator=seen.initiator,
        redirect_has_extra_info=False,
        redirect_response=redirect,
        type=UnlistedValue(seen.type),
        frame_id=page.FrameId(_PAGE) if is_page else None,
    )


def _received(seen: SeenRequest, response: network.Response) -> network.ResponseReceived:
    return network.ResponseReceived(
        request_id=network.RequestId(_id(seen)),
        loader_id=network.LoaderId(""),
        timestamp=_began(seen),
        type=UnlistedValue(seen.type),
        response=response,
        has_extra_info=False,
    )


def _arrived(seen: SeenRequest, size: int) -> network.DataReceived:
    return network.DataReceived(
        request_id=network.RequestId(_id(seen)), timestamp=_began(seen), data_length=size, encoded_data_length=size
    )


def _ended(seen: SeenRequest, ended_at: float) -> network.LoadingFinished | network.LoadingFailed:
    request_id, timestamp = network.RequestId(_id(seen)), _began(seen) + ended_at - seen.started_at
    if seen.error:
        return network.LoadingFailed(
            request_id=request_id, timestamp=timestamp, type=UnlistedValue(seen.type), error_text=seen.error
        )
    return network.LoadingFinished(request_id=request_id, timestamp=timestamp, encoded_data_length=seen.size or 0)
