"""The account chooser of a federated login (FedCM): an account is chosen, or the chooser dismissed."""

from __future__ import annotations

from cdp_typed.protocol import fed_cm
from supervisor.core.state.observed import BlockerEntry
from supervisor.core.vocabulary.errors import UnknownBlocker
from supervisor.driver.driver import Driver
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

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
