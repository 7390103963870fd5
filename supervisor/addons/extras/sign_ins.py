"""How a page signs somebody in: by an account of a federated login (FedCM), or by a passkey, without a person."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.helpers.shared.emulation import PLATFORM
from cdp_typed.protocol import fed_cm, web_authn
from supervisor.aio import AsyncSupervisor
from supervisor.core.state.observed import BlockerEntry
from supervisor.core.vocabulary.errors import UnknownBlocker
from supervisor.driver.driver import Driver
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

_ADDED: WeakKeyDictionary[AsyncSupervisor, dict[str, web_authn.AuthenticatorId]] = WeakKeyDictionary()
"""The authenticators by session id. They end with the session."""

_KIND = "account_chooser"
_ENDS_WITHIN_S = 5.0


async def choose_account(context: ToolContext, email: str) -> str:
    """Choose the account with this e-mail address (`FedCm.selectAccount`), and return it once the chooser has closed.

    Raises `UnknownBlocker` when the current page shows no chooser, `InvalidArgument` for another account,
    `PolicyRefused`, and what `send` raises.
    """
    chooser = await _chooser(context)
    found = [index for index, account in enumerate(chooser.accounts) if account.email == email]
    if len(found) != 1:
        raise InvalidArgument("text", "expected the e-mail address of one account in blockers")
    await _end(context, chooser, fed_cm.SelectAccount(dialog_id=chooser.dialog_id, account_index=found[0]))
    return email


async def dismiss_accounts(context: ToolContext) -> None:
    """Close the chooser without an account (`FedCm.dismissDialog`). Raises what `choose_account` raises."""
    chooser = await _chooser(context)
    await _end(context, chooser, fed_cm.DismissDialog(dialog_id=chooser.dialog_id))


async def _chooser(context: ToolContext) -> BlockerEntry:
    page_id = top_frame(context.supervisor).frame_id
    entries = await context.supervisor.with_driver(_entries)
    shown = [entry for entry in entries if (entry.info.kind, entry.info.target_id) == (_KIND, page_id)]
    if not shown:
        raise UnknownBlocker(_KIND, tuple(entry.info.id for entry in entries))
    return shown[-1]


async def _entries(driver: Driver) -> tuple[BlockerEntry, ...]:
    return driver.state.world.blockers.entries


async def _end(
    context: ToolContext, chooser: BlockerEntry, command: fed_cm.SelectAccount | fed_cm.DismissDialog
) -> None:
    await check_command(context.supervisor, context.policy, command)
    await context.supervisor.send(command)
    await context.supervisor.wait_for(
        lambda now: all(blocker.id != chooser.info.id for blocker in now.blockers), timeout_s=_ENDS_WITHIN_S
    )


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
