"""The tools that see and touch the page, made of the functions that do so."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from supervisor.tools.actions.drag import DragArguments, drag, settled_drag
from supervisor.tools.actions.form import click_or_choose
from supervisor.tools.actions.input_effects import ActionResult
from supervisor.tools.actions.keyboard import PressArguments, press
from supervisor.tools.actions.mouse import ClickArguments, HoverArguments, hover
from supervisor.tools.actions.pixels import MouseArguments, use_mouse
from supervisor.tools.actions.scroll import ScrollArguments, Scrolled, scroll
from supervisor.tools.actions.text_fields import select_text
from supervisor.tools.framework.tool import CATALOGUE, Catalogue, ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.images import Images, ImagesArguments, images
from supervisor.tools.page.locators import with_refs
from supervisor.tools.page.screenshots import Describe, QuestionArguments, Vision, VisionArguments, take

from .acting import with_effects


class MouseUsed(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The mouse, the finger or the key did it."""

    held_keys: tuple[str, ...] = ()
    """The keys that are held now, until `key_up`. They modify clicks and keys of all tools in this page."""
    value: PageText | None = None
    """After `type`: the value of the field with the focus; left out for a password."""


class DragDone(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The element was dragged and let go."""

    lies: str = ""
    """Where it is now, such as `after e7`, if it is beside `to_ref` or in it."""


@tool(toolset="browser", destructive=True)
async def browser_click(context: ToolContext, arguments: ClickArguments) -> ActionResult:
    """Click an element, in any frame. A ref is e7, button "Save", a text, label=Mail or css=#id."""
    arguments = await with_refs(context.supervisor, arguments)
    choose = click_or_choose if arguments.select is None else select_text
    work = choose(context.supervisor, arguments)
    return (await with_effects(context, "click", work, ref=arguments.ref, shows_page=arguments.snapshot))[1]


@tool(toolset="browser", destructive=True)
async def browser_hover(context: ToolContext, arguments: HoverArguments) -> ActionResult:
    """Move the mouse over an element."""
    arguments = await with_refs(context.supervisor, arguments)
    work = hover(context.supervisor, arguments)
    return (await with_effects(context, "movement", work, ref=arguments.ref, shows_page=arguments.snapshot))[1]


@tool(toolset="browser", destructive=True)
async def browser_drag(context: ToolContext, arguments: DragArguments) -> DragDone:
    """Drag an element to another one, or by a distance."""
    arguments = await with_refs(context.supervisor, arguments)
    work = drag(context.supervisor, arguments)
    dragged, effects = await with_effects(
        context, "drag", work, ref=arguments.ref, shows_page=arguments.snapshot, settled=settled_drag
    )
    return DragDone(lies="" if dragged is None else dragged.lies, **asdict(effects))


@tool(toolset="browser", destructive=True)
async def browser_press(context: ToolContext, arguments: PressArguments) -> ActionResult:
    """Press a key, or several."""
    arguments = await with_refs(context.supervisor, arguments)
    work = press(context.supervisor, arguments)
    return (await with_effects(context, "key", work, ref=arguments.ref, shows_page=arguments.snapshot))[1]


@tool(toolset="browser")
async def browser_scroll(context: ToolContext, arguments: ScrollArguments) -> Scrolled:
    """Scroll the page, or the box around an element."""
    arguments = await with_refs(context.supervisor, arguments)
    work = scroll(context.supervisor, arguments)
    scrolled, effects = await with_effects(context, "scrolling", work, ref=arguments.ref, shows_page=arguments.snapshot)
    return replace(scrolled or Scrolled(), **asdict(effects))


@tool(toolset="browser-pixels", destructive=True)
async def browser_mouse(context: ToolContext, arguments: MouseArguments) -> MouseUsed:
    """Use the mouse, a finger or held keys, at a point or on an element."""
    arguments = await with_refs(context.supervisor, arguments)
    work = use_mouse(context.supervisor, arguments)
    shows, ref = arguments.snapshot, arguments.ref
    used, effects = await with_effects(context, arguments.action, work, ref=ref, shows_page=shows)
    done = asdict(used) if used is not None else {}
    return MouseUsed(**done, **asdict(effects))


@tool(toolset="browser", reads_only=True, idempotent=True, works_during_dialog=True)
async def browser_get_images(context: ToolContext, arguments: ImagesArguments) -> Images:
    """List the images of the page and its frames."""
    return await images(context.supervisor, arguments)


@tool(toolset="browser", reads_only=True, idempotent=True)
async def browser_vision(context: ToolContext, arguments: VisionArguments) -> Vision:
    """Take a picture of the page or an element."""
    return await take(context.supervisor, await with_refs(context.supervisor, arguments))


def describing(describe: Describe, catalogue: Catalogue = CATALOGUE) -> Catalogue:
    """The same tools, with pictures described in words by your callable: `Toolbox(catalogue=describing(...))`."""

    async def look(context: ToolContext, arguments: QuestionArguments) -> Vision:
        return await take(context.supervisor, await with_refs(context.supervisor, arguments), describe)

    described = Catalogue()
    for known in catalogue:
        described.register(
            replace(known, handler=look, arguments=QuestionArguments) if known.name == browser_vision.name else known
        )
    return described
