"""A virtual authenticator: passkeys that pages create and use without a person."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.helpers.shared.emulation import PLATFORM
from cdp_typed.protocol import web_authn
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

_ADDED: WeakKeyDictionary[AsyncSupervisor, dict[str, web_authn.AuthenticatorId]] = WeakKeyDictionary()
"""The authenticators by session id. They end with the session."""


class Passkey(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A passkey in the virtual authenticator. Its private key is not shown."""

    site: PageText = ""
    """The id of the relying party, which is a host."""
    user: PageText = ""
    uses: int = 0
    """The counter of the signatures."""


async def passkeys(context: ToolContext) -> list[Passkey]:
    """Return the passkeys of the current tab's virtual authenticator, which the first call adds
    (`WebAuthn.addVirtualAuthenticator`).

    Raises `PolicyRefused`, and what `send` raises.
    """
    supervisor, top = context.supervisor, top_frame(context.supervisor)
    added = _ADDED.setdefault(supervisor, {})
    if top.session_id not in added:
        add = web_authn.AddVirtualAuthenticator(options=PLATFORM)
        await check_command(supervisor, context.policy, add, top.frame_id)
        await supervisor.send(web_authn.Enable(), top.frame_id)
        added[top.session_id] = (await supervisor.send(add, top.frame_id)).authenticator_id
    ask = web_authn.GetCredentials(authenticator_id=added[top.session_id])
    credentials = (await supervisor.send(ask, top.frame_id)).credentials
    return [
        Passkey(site=each.rp_id or "", user=each.user_name or "", uses=int(each.sign_count)) for each in credentials
    ]


async def remove_authenticator(context: ToolContext) -> None:
    """Remove the current tab's virtual authenticator with its passkeys (`WebAuthn.disable`)."""
    top = top_frame(context.supervisor)
    if _ADDED.get(context.supervisor, {}).pop(top.session_id, None) is not None:
        await context.supervisor.send(web_authn.Disable(), top.frame_id)
