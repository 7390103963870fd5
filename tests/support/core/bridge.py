"""The bridge under test: what a page's script sends, and the browser's events around it."""

from __future__ import annotations

import base64
import json
from typing import Any

from msgspec.structs import replace

from cdp_typed.protocol import dom, fetch, network, page
from supervisor.core.bridge.bridge import ALWAYS
from supervisor.core.state.bridge import Bridge
from supervisor.core.vocabulary import bridge_protocol, command_tags, inputs
from supervisor.core.vocabulary.effects import Effect, Send
from supervisor.core.vocabulary.values import BridgeMode, PendingDialog
from tests.support.core.play import OOPIF, PAGE, TOP, Core, closed, on, opening, with_oopif
from tests.support.secrets import CANARY

SECRET = CANARY


def bridge(mode: BridgeMode = "auto", *, bypasses_csp: bool = False) -> Bridge:
    """A bridge with a script; armed with the mode `always`."""
    return Bridge(mode=mode, script="script", secret=SECRET, is_armed=mode == "always", bypasses_csp=bypasses_csp)


def bridged(core: Core, mode: BridgeMode = "always", *, bypasses_csp: bool = False) -> Core:
    """The same core, with a bridge."""
    reason = ALWAYS if mode == "always" else ""
    return core.having(bridge=replace(bridge(mode, bypasses_csp=bypasses_csp), reason=reason))


def armed(core: Core) -> tuple[Core, list[Effect]]:
    """Arm the bridge by two dialogs that another client answers, and return the effects."""
    bridged(core, "auto").play(opening("one"), closed(False), opening("two"))
    return core, core.play(closed(False))


def ready() -> Core:
    """A page with an iframe, armed, that has told how the iframe is embedded."""
    core, _ = armed(with_oopif())
    return core.after(*owned(OOPIF, "src", "/"))


def asked(core: Core) -> list[PendingDialog]:
    """The open dialogs of the bridge."""
    return [dialog for dialog in core.seen.pending_dialogs if dialog.bridged]


def paused(
    url: str, request_id: str = "r-1", *, session: str = PAGE, frame_id: str = TOP, body: str = "", **changes: Any
) -> inputs.EventReceived:
    """Any request that the browser holds."""
    request = network.Request(
        url=url,
        url_fragment=changes.get("fragment"),
        method=changes.get("method", "POST"),
        headers={},
        post_data=body,
        initial_priority="High",
        referrer_policy="no-referrer",
    )
    event = fetch.RequestPaused(
        request_id=fetch.RequestId(request_id),
        request=request,
        frame_id=page.FrameId(frame_id),
        resource_type=changes.get("type", "XHR"),
    )
    return on(session, event)


def asking(
    message: str = "hello",
    kind: str = "alert",
    default: str = "",
    request_id: str = "r-1",
    *,
    session: str = PAGE,
    frame_id: str = TOP,
    sandboxed: bool = False,
) -> inputs.EventReceived:
    """A request of our own script."""
    own = bridge_protocol.session_keys(SECRET, session)
    units = len(message.encode("utf-16-le")) // 2
    body = f"{own.nonce} {kind} {int(sandboxed)} {units}\n{message}{default}"
    return paused(f"http://a.test{own.path}", request_id, session=session, frame_id=frame_id, body=body)


def login_wanted(
    request_id: str = "r-1",
    realm: str = "members",
    *,
    session: str = PAGE,
    frame_id: str = TOP,
    type: network.ResourceType = "Document",
) -> inputs.EventReceived:
    """A server asks for a name and a password."""
    event = fetch.AuthRequired(
        request_id=fetch.RequestId(request_id),
        request=network.Request(
            url="http://a.test/", method="GET", headers={}, initial_priority="High", referrer_policy="no-referrer"
        ),
        frame_id=page.FrameId(frame_id),
        resource_type=type,
        auth_challenge=fetch.AuthChallenge(origin="http://a.test", scheme="basic", realm=realm, source="Server"),
    )
    return on(session, event)


def owned(session: str, *attributes: str) -> tuple[inputs.CommandSucceeded, inputs.CommandSucceeded]:
    """The page around a frame tells how that is embedded."""
    tag = command_tags.BridgeOwner(session)
    node = dom.Node(
        node_id=dom.NodeId(0),
        backend_node_id=dom.BackendNodeId(1),
        node_type=1,
        node_name="IFRAME",
        local_name="iframe",
        node_value="",
        attributes=attributes,
    )
    return (
        inputs.CommandSucceeded(tag, dom.GetFrameOwnerResult(backend_node_id=dom.BackendNodeId(1))),
        inputs.CommandSucceeded(tag, dom.DescribeNodeResult(node=node)),
    )


def replied(sends: list[Send]) -> list[tuple[str | None, str, list[Any]]]:
    """Session, request and content of the replies to the bridge's script, without the proof that it was ours."""
    replies: list[tuple[str | None, str, list[Any]]] = []
    for send in sends:
        if isinstance(send.command, fetch.FulfillRequest) and isinstance(send.command.body, str):
            proof, *said = json.loads(base64.b64decode(send.command.body))
            assert proof == bridge_protocol.session_keys(SECRET, send.session_id or "").proof
            replies.append((send.session_id, send.command.request_id, said))
    return replies


def commands(sends: list[Send], *kinds: type) -> list[tuple[str | None, str]]:
    """Session and method of the commands of these kinds."""
    return [(send.session_id, send.command.METHOD) for send in sends if isinstance(send.command, kinds)]
