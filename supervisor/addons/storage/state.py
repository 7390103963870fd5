"""The tool `browser_state`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.saved_state.checkpoint import restore, take
from supervisor.saved_state.checkpoint_values import Checkpoint
from supervisor.saved_state.state_files import StateFiles
from supervisor.saved_state.storage_documents import place_of
from supervisor.saved_state.storage_state import has_place
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, name_in
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.raw_commands.bounds import bounds_of

from .jar import address_of


class StateArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_state`."""

    action: Literal["list", "save", "load"] = "list"
    name: str | None = None
    """Of the state. NAME.json is Playwright's storageState, not encrypted."""


class SavedStates(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The states that exist, or what was saved or loaded."""

    names: list[str] = []
    cookies: int = 0
    origins: list[PageText] = []
    """Origins whose localStorage was saved or loaded."""
    databases: list[PageText] = []
    """Origins whose IndexedDB was saved or loaded."""
    left_out: list[PageText] = []
    """One sentence for each part that was not saved or loaded."""


@tool(toolset="browser-storage", destructive=True, works_during_dialog=True)
async def browser_state(context: ToolContext, arguments: StateArguments) -> SavedStates:
    """Save the cookies, localStorage and IndexedDB of the open pages (a login) under a name, or load them."""
    files = StateFiles()
    if arguments.action == "list":
        return SavedStates(names=files.names())
    if arguments.name is None:
        raise InvalidArgument("name", f"{arguments.action} needs a name")
    rules = (*(await bounds_of(context.supervisor, None)).url_rules, context.policy.url_rules)
    if arguments.action == "save":
        state = _permitted(await take(context.supervisor), rules)
        with name_in("name"):
            left_out = files.save(arguments.name, state)
    else:
        with name_in("name"):
            wanted = _permitted(files.load(arguments.name), rules)
        for cookie in wanted.cookies:
            context.supervisor.redaction.hide(cookie.value)
        state, left_out = await restore(context.supervisor, wanted), wanted.missing
    kept = [area for area in state.local_storage if area.items and has_place(area)]
    return SavedStates(
        cookies=len(state.cookies),
        origins=[place_of(area.key) for area in kept],
        databases=[place_of(each.key) for each in state.indexed_db if has_place(each)],
        left_out=[*state.missing, *left_out],
    )


def _permitted(state: Checkpoint, rules: tuple[UrlRules, ...]) -> Checkpoint:
    """The state without cookies and storage of sites that a URL rule refuses."""

    def is_allowed(url: str) -> bool:
        return not any(each.why_not(url) for each in rules)

    kept = replace(
        state,
        cookies=tuple(cookie for cookie in state.cookies if is_allowed(address_of(cookie))),
        local_storage=tuple(area for area in state.local_storage if is_allowed(area.key.partition("^")[0])),
        indexed_db=tuple(each for each in state.indexed_db if is_allowed(each.key.partition("^")[0])),
    )
    cookies = len(state.cookies) - len(kept.cookies)
    areas = len(state.local_storage) + len(state.indexed_db) - len(kept.local_storage) - len(kept.indexed_db)
    refused = f"{cookies} cookies and {areas} areas of storage of sites that a URL rule refuses"
    return replace(kept, missing=(*kept.missing, refused)) if cookies + areas else kept
