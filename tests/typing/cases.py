"""What a type checker must say about code that users write, as data."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

__all__ = ["REFUSED", "REVEALED", "Refused", "Revealed"]

_IMPORTS = """\
from typing_extensions import reveal_type

from cdp_typed import Session, connect
from cdp_typed.protocol import dom, page, runtime, target

"""


@dataclass(frozen=True)
class Revealed:
    """Inside `async def example(session: Session)`, both checkers find these types, in this order, and no fault."""

    name: str
    body: str
    types: tuple[str, ...]
    pyright_types: tuple[str, ...] | None = None
    """Where pyright spells them differently."""

    @property
    def source(self) -> str:
        return _inside_a_coroutine(self.body)


@dataclass(frozen=True)
class Refused:
    """Inside the same function, both checkers find exactly one fault, with these codes."""

    name: str
    body: str
    mypy: str
    pyright: str

    @property
    def source(self) -> str:
        return _inside_a_coroutine(self.body)


def _inside_a_coroutine(body: str) -> str:
    return f"{_IMPORTS}\nasync def example(session: Session) -> None:\n{indent(dedent(body).strip(), '    ')}\n"


REVEALED = (
    Revealed(
        "the_result_of_a_command",
        'reveal_type(await session.send(page.Navigate(url="x")))',
        ("NavigateResult",),
    ),
    Revealed(
        "through_the_whole_chain",
        """
        async with connect("http://127.0.0.1:9222") as browser, browser.new_page() as tab:
            reveal_type(await tab.send(page.Navigate(url="x")))
        """,
        ("NavigateResult",),
    ),
    Revealed(
        "a_command_without_a_result",
        "reveal_type(await session.send(page.Enable()))",
        ("None",),
    ),
    Revealed(
        "the_fields_of_a_result",
        """
        result = await session.send(page.Navigate(url="x"))
        reveal_type(result.frame_id)
        reveal_type(result.error_text)
        """,
        ("FrameId", "str | None"),
    ),
    Revealed(
        "a_stream_of_two_events",
        """
        async with session.events(page.JavascriptDialogOpening, page.JavascriptDialogClosed) as dialogs:
            async for event in dialogs:
                reveal_type(event)
        """,
        ("JavascriptDialogOpening | JavascriptDialogClosed",),
    ),
    Revealed(
        "an_enum_from_the_browser_is_open",
        """
        async with session.events(page.JavascriptDialogOpening) as dialogs:
            async for event in dialogs:
                reveal_type(event.type)
        """,
        ("str",),  # mypy merges the literals into it
        ("str | Literal['alert', 'confirm', 'prompt', 'beforeunload']",),
    ),
    Revealed(
        "an_id_is_a_type_of_its_own",
        'reveal_type(page.FrameId("x"))',
        ("FrameId",),
    ),
)

REFUSED = (
    Refused(
        "a_typo_in_an_enum",
        'await session.send(page.CaptureScreenshot(format="pngg"))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_wrong_id_type",
        "await session.send(target.AttachToTarget(target_id=dom.NodeId(7)))",
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "an_id_of_another_kind_with_the_same_base",
        'await session.send(runtime.ReleaseObject(object_id=page.FrameId("x")))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_plain_string_for_an_id",
        'await session.send(target.CloseTarget(target_id="x"))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused("a_missing_required_parameter", "await session.send(page.Navigate())", "call-arg", "reportCallIssue"),
    Refused(
        "an_unknown_parameter",
        'await session.send(page.Navigate(url="x", refferer="y"))',
        "call-arg",
        "reportCallIssue",
    ),
    Refused("a_parameter_by_position", 'await session.send(page.Navigate("x"))', "call-arg", "reportCallIssue"),
    Refused(
        "null_for_a_parameter_that_is_not_nullable",
        'await session.send(page.Navigate(url="x", referrer=None))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_typo_in_a_field_of_the_result",
        """
        result = await session.send(page.Navigate(url="x"))
        print(result.loaderId)
        """,
        "attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_change_to_a_command",
        """
        command = page.Navigate(url="x")
        command.url = "y"
        """,
        "misc",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "an_event_sent_as_a_command",
        "await session.send(runtime.ExecutionContextsCleared())",
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_command_awaited_as_an_event",
        """
        async with session.expect(page.Navigate, timeout=1):
            pass
        """,
        "type-var",
        "reportArgumentType",
    ),
    Refused(
        "a_forgotten_await",
        'session.send(page.Navigate(url="x"))',
        "unused-coroutine",
        "reportUnusedCoroutine",
    ),
)
