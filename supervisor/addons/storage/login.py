"""The tool `browser_login`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from cdp_typed.protocol import runtime
from cdp_typed.redaction import protect
from cdp_typed.redaction.fields import SECRET_ARGUMENTS
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, FrameTree
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, PolicyRefused, name_in
from supervisor.tools.page.page_frames import check_no_dialog, nodes_in, parent_of, world_of
from supervisor.tools.page.refs import Node, all_frames, refs_of

FILL_S = 10.0
"""Seconds that the page has to take the values."""

_FILL = """function({origin, user}, password) {
    if (globalThis.origin !== origin) return 'elsewhere';
    // An element with a name takes the place of a member of its form and of the document.
    const member = (kind, name) => node => Object.getOwnPropertyDescriptor(kind.prototype, name).get.call(node);
    const rootIn = member(Element, 'shadowRoot'), base = member(Node, 'baseURI');
    const below = root => Array.from((root === document ? Document : DocumentFragment).prototype
        .querySelectorAll.call(root, '*')).flatMap(node => [node, ...(rootIn(node) ? below(rootIn(node)) : [])]);
    const all = below(document), inputs = all.filter(node => node instanceof HTMLInputElement);
    const isUsable = field => !field.disabled && !field.readOnly && field.getClientRects().length > 0
        && getComputedStyle(field).visibility === 'visible' && !/one-time-code|new-password/.test(field.autocomplete);
    const fields = inputs.filter(isUsable), secrets = fields.filter(field => field.type === 'password');
    if (secrets.length > 1) return 'several';
    const isName = field => ['text', 'email', 'tel'].includes(field.type);
    const isNamed = field => field.type === 'email' || /username|email/.test(field.autocomplete)
        || /user|login|mail|account/i.test(`${field.name} ${field.id}`);
    const [secret] = secrets;
    const before = fields.filter((field, index) =>
        !secret || (index < fields.indexOf(secret) && field.form === secret.form));
    const names = before.filter(isName).reverse();
    const name = names.find(isNamed) ?? (secret ? names[0] : undefined);
    const found = [[name, user], [secret, password]].filter(([field, value]) => field && value);
    if (!found.length) return 'nothing';
    const leads = address => { const {protocol, origin: other} = new URL(address, base(document));
        return protocol !== 'javascript:' && other !== origin };
    const buttons = all.filter(node => node instanceof HTMLInputElement || node instanceof HTMLButtonElement);
    const isSent = form => leads(Element.prototype.getAttribute.call(form, 'action') || location.href)
        || buttons.some(node => node.form === form && node.hasAttribute('formaction') && leads(node.formAction));
    if (found.some(([field]) => field.form && isSent(field.form))) return 'sent';
    for (const [field, value] of found) {
        field.focus();
        field.value = value;
        field.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
        field.dispatchEvent(new Event('change', {bubbles: true}));
    }
    globalThis.filled = found.map(([field]) => field);
    return found.every(([field, value]) => field.value === value)
        ? [name && user ? 'user' : '', secret ? 'password' : ''].filter(Boolean).join() : 'refused';
}"""
"""A function that fills the login form of a document in one step, so that no other document can come between.

`globalThis.origin` is the security origin, `null` in a sandbox; `location.origin` would be that of the address."""

_REFUSED = {
    "nothing": "the page shows no field for a user name or a password",
    "several": "the page shows several password fields",
    "sent": "the form sends what is in it to another origin",
    "refused": "the page changed the values",
}


class LoginArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_login`."""

    name: str | None = None
    """Of the login; none lists the names."""


class LoggedIn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields that were filled, or the logins that exist."""

    filled: list[str] = []
    """`user` and `password`. The form is not submitted."""
    refs: list[str] = []
    """The refs of these fields."""
    names: list[str] = []


@tool(toolset="browser-storage", destructive=True)
async def browser_login(context: ToolContext, arguments: LoginArguments) -> LoggedIn:
    """Fill the login form with a saved user name and password, which you never see. Submit it yourself."""
    await check_no_dialog(context.supervisor)
    files, supervisor = LoginFiles(), context.supervisor
    if arguments.name is None:
        return LoggedIn(names=files.names())
    with name_in("name"):
        login = files.load(arguments.name)
    if login is None:
        raise InvalidArgument("name", "no login has this name")
    protect(login.password)
    outcome = "elsewhere"
    for frame in _frames_of(supervisor.snapshot().frame_tree, login.origin):
        outcome = await _fill(supervisor, frame, login)
        if outcome not in ("elsewhere", *_REFUSED):
            nodes = await nodes_in(supervisor, frame, "window.filled")
            refs = [refs_of(supervisor).name(Node(frame.frame_id, frame.loader_id, node)) for node in nodes]
            return LoggedIn(filled=outcome.split(","), refs=refs)
        if outcome in _REFUSED and outcome != "nothing":
            break  # no other frame is tried after a form that is not safe
    if outcome == "elsewhere":
        raise PolicyRefused("the login", "it belongs to another origin than that of the page")
    raise InvalidArgument("name", _REFUSED[outcome])


def _frames_of(tree: FrameTree, origin: str) -> Iterator[FrameInfo]:
    """The frames of an origin whose ancestors are of the same origin, the top frame first."""
    for frame in all_frames(tree):
        above: FrameInfo | None = frame
        while above is not None and above.origin == origin:
            above = parent_of(above, tree)
        if above is None:
            yield frame


async def _fill(supervisor: AsyncSupervisor, frame: FrameInfo, login: Login) -> str:
    """Fill the form in the frame's document, outside of flight recordings."""
    command = runtime.CallFunctionOn(
        function_declaration=SECRET_ARGUMENTS + _FILL,
        execution_context_id=await world_of(supervisor, frame.frame_id),
        arguments=[
            runtime.CallArgument(value={"origin": login.origin, "user": login.user}),
            runtime.CallArgument(value=login.password),
        ],
        return_by_value=True,
    )
    session_id = frame.session_id
    sent = await supervisor.with_driver(lambda driver: driver.send_unrecorded(command, session_id, FILL_S))
    return "refused" if sent.exception_details is not None else str(sent.result.value)
