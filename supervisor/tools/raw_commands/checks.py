"""Checks a raw command before it is sent: the policy, and the bounds of its caller."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.printable import visible
from cdp_typed.wire.envelopes import encode_request
from cdp_typed.wire.json_text import is_array, is_object
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.url_rules import is_script, shown
from supervisor.tools.framework.policy import Policy
from supervisor.tools.framework.tool_errors import OutOfReach, PolicyRefused

from .bounds import UNBOUND, Bounds, bounds_of
from .reach import REACH, Reach

_log = logging.getLogger("supervisor.tools.policy")

_NESTED = "Target.sendMessageToTarget"
_HANDS_OVER = "Target.exposeDevToolsProtocol"
"""After it, a page itself can send commands that no policy sees."""
_SCRIPT = "Runtime.evaluate"
_OPENS = "Target.createTarget"
_BLANK = ("about:blank", "")

_ADDRESSES = frozenset(
    {
        "documentURL",
        "embeddedOrigin",
        "installUrlOrBundleUrl",
        "issuerOrigin",
        "origin",
        "requestURL",
        "scopeURL",
        "securityOrigin",
        "storageKey",
        "url",
        "urls",
    }
)
"""Names of parameters with addresses and origins, also inside of other parameters."""
_NAME_NO_ADDRESS = frozenset({Reach.PAGE, Reach.BESIDE, Reach.HOLDING})
_DOMAIN = "domain"

_FILE = re.compile(r"files?$", re.IGNORECASE)
_FOLDER = re.compile(r"(path|paths|directory|folder)$", re.IGNORECASE)
"""Names of parameters with paths. By the name, so that commands which the bindings do not know are asked about, too."""
_NO_FILES = frozenset({"DOM.pushNodeByPathToFrontend", "Network.deleteCookies", "Network.setCookie"})
"""Commands whose `path` is a node's or a cookie's."""


async def check_params(
    supervisor: AsyncSupervisor, method: str, params: dict[str, Any], frame_id: str | None, policy: Policy
) -> None:
    """Raise `PolicyRefused` for a command that the policy, or the scope of the supervisor, does not allow."""
    check(method, params, policy, await bounds_of(supervisor, frame_id))


async def check_command(
    supervisor: AsyncSupervisor, policy: Policy, command: Command[Any], frame_id: str | None = None
) -> None:
    """The same for a typed command, as it would be sent."""
    params: dict[str, Any] = json.loads(encode_request(0, command, None)).get("params") or {}
    await check_params(supervisor, command.METHOD, params, frame_id, policy)


def check(method: str, params: dict[str, Any], policy: Policy, bounds: Bounds = UNBOUND) -> None:
    """Raise `PolicyRefused` for a command that the policy does not allow, also for one inside another, and
    `OutOfReach` for one that does not stay within the bounds."""
    policy.check_method(method)
    if policy.watches and policy.url_rules not in bounds.url_rules:
        bounds = replace(bounds, url_rules=(*bounds.url_rules, policy.url_rules))
    if bounds.hold:
        _check_reach(method, params, policy, bounds)
    elif method == _HANDS_OVER and policy.restricts:
        raise PolicyRefused(method, "the page could then send commands itself")
    else:
        for _, address in _addresses(params):
            policy.check_url(address)
        if method == _NESTED:
            _check_nested(method, params, policy)
    if method not in _NO_FILES:
        _check_files(params, policy, bounds)
    if is_script(str(params.get("url", ""))) and policy.why_not_method(_SCRIPT):
        raise PolicyRefused(method, f"it runs a script, which {_SCRIPT} may not")


def _check_reach(method: str, params: dict[str, Any], policy: Policy, bounds: Bounds) -> None:
    why = bounds.why_not(method, params)
    if why is not None:
        raise _out_of_reach(method, why)
    if not bounds.url_rules or REACH[method] in _NAME_NO_ADDRESS:
        return
    if method == _OPENS and params.get("url") not in _BLANK:  # measured: its request is not held
        raise PolicyRefused(method, "a page has to be opened empty, and navigated then")
    for name, address in _addresses(params):
        if name == _DOMAIN:
            raise PolicyRefused(method, "the domain of a cookie is more than one site; give its url instead")
        policy.check_url(address)
        for rules in bounds.url_rules:
            if refusal := rules.why_not(address):
                raise PolicyRefused(shown(address), refusal)


def _out_of_reach(what: str, why: str) -> OutOfReach:
    _log.info("%s: refused, %s", visible(what), why)
    return OutOfReach(visible(what), why)


def _addresses(value: Any) -> Iterator[tuple[str, str]]:
    """The addresses, the origins and the domains of cookies among parameters, each with the parameter's name."""
    for params in value if is_array(value) else [value]:
        if is_object(params):
            for name, given in params.items():
                if name == _DOMAIN or name in _ADDRESSES:
                    yield from (
                        (name, str(each)) for each in (given if is_array(given) else [given]) if each is not None
                    )
                else:
                    yield from _addresses(given)


def _check_nested(method: str, params: dict[str, Any], policy: Policy) -> None:
    try:
        inner = json.loads(params["message"])
        check(inner["method"], inner.get("params", {}), policy)
    except (KeyError, TypeError, ValueError, AttributeError):
        if policy.restricts:
            raise PolicyRefused(method, "the command inside it cannot be read") from None


def _check_files(params: dict[str, Any], policy: Policy, bounds: Bounds) -> None:
    """Ask about the paths among parameters, also those of objects in them (`Input.dispatchDragEvent` has `data.files`).

    A text in a list of objects is no path: arguments of functions, cookies.
    """
    for name, value in params.items():
        if is_object(value):
            _check_files(value, policy, bounds)
        check = policy.check_file if _FILE.search(name) else policy.check_folder if _FOLDER.search(name) else None
        if check is not None:
            for path in value if is_array(value) else [value]:
                if isinstance(path, str):
                    if bounds.hold and policy.allow_files is None:
                        raise _out_of_reach(path, "the policy names no files that raw commands may use")
                    check(path)
