"""The tool `browser_dialog`."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict, replace

from supervisor.core.vocabulary.values import Blocker, ClosedBy, DialogAction, SupervisorSnapshot
from supervisor.tools.actions.input_effects import ActionResult, Watch
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText

from .showing import with_changes


class DialogArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_dialog`: the dialog and its answer."""

    action: DialogAction
    """`accept` is OK or Leave; `dismiss` is Cancel or Stay."""
    prompt_text: TypedText | None = None
    """For a prompt. Default: the page's own."""
    dialog_id: str | None = None
    """d-1; needed when several are open."""
    snapshot: bool = False
    """Show changes."""


class DialogAnswered(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The answer as the browser confirmed it."""

    dialog_id: str
    accepted: bool
    closed_by: ClosedBy
    user_input: PageText = ""
    """The text that the page got."""
    prompt_text_ignored: bool = False
    """The dialog takes no text."""


@tool(toolset="browser", works_during_dialog=True, leaves_pages=True, destructive=True)
async def browser_dialog(context: ToolContext, arguments: DialogArguments) -> DialogAnswered:
    """Answer an open JavaScript dialog. Until then no other tool works on its page."""
    now = context.supervisor.snapshot()
    dialogs, preview = now.pending_dialogs, _print_preview(now, arguments)
    if preview is not None:
        watch = Watch(context.supervisor, preview.target_id)
        await context.supervisor.cancel_print(preview.id)
        effects = await watch.end()
        return DialogAnswered(**asdict(effects), dialog_id=preview.id, accepted=False, closed_by="agent")
    pages = {dialog.target_id for dialog in dialogs if arguments.dialog_id in (None, dialog.id)}
    watch = Watch(context.supervisor, pages.pop() if len(pages) == 1 else None)
    receipt = await context.supervisor.respond_to_dialog(arguments.action, arguments.prompt_text, arguments.dialog_id)
    effects = await watch.end()
    if effects.opened_dialog:
        effects = replace(effects, hint=answer_it(context, "this one is answered"))
    elif arguments.snapshot:
        effects = await with_changes(context.supervisor, effects)
    return DialogAnswered(
        **asdict(effects),
        dialog_id=receipt.dialog_id,
        accepted=receipt.accepted,
        closed_by=receipt.closed_by,
        user_input=receipt.user_input,
        prompt_text_ignored=receipt.prompt_text_ignored,
    )


def _print_preview(now: SupervisorSnapshot, arguments: DialogArguments) -> Blocker | None:
    """Return the print preview that is to be dismissed."""
    previews = [blocker for blocker in now.blockers if blocker.kind == "print"]
    if arguments.action == "accept" or (arguments.dialog_id is None and now.pending_dialogs):
        return None
    return next((preview for preview in previews if arguments.dialog_id in (None, preview.id)), None)


def answer_it(context: ToolContext, warning: str) -> str:
    """Return what to do after a call that succeeded and opened a dialog."""
    answer = f"answer it with {browser_dialog.name}; " if browser_dialog.name in context.available else ""
    return f"A dialog opened: {answer}{warning}."
