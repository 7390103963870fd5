"""Page, as it should read: written by hand from the protocol's text, compared with what is emitted."""

from __future__ import annotations

import pytest

from tests.support.schemas import definition

COMMANDS = {
    "Navigate": '''\
class Navigate(Command[NavigateResult], frozen=True, kw_only=True, omit_defaults=True):
    """Navigates current page to the given URL.

    CDP: `Page.navigate`.
    """

    METHOD: ClassVar[str] = "Page.navigate"
    RESULT: ClassVar[ResultClass[NavigateResult]] = NavigateResult

    url: str
    """URL to navigate the page to."""
    referrer: str | UnsetType | None = None
    """Referrer URL."""
    transition_type: Open[TransitionType] | UnsetType | None = field(default=None, name="transitionType")
    """Intended transition type."""
    frame_id: FrameId | UnsetType | None = field(default=None, name="frameId")
    """Frame id to navigate, if not specified navigates the top frame."""
    referrer_policy: Open[ReferrerPolicy] | UnsetType | None = field(default=None, name="referrerPolicy")
    """Referrer-policy used for the navigation. Experimental."""
''',
    "NavigateResult": '''\
class NavigateResult(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """The result of `Navigate`. CDP: `Page.navigate`."""

    frame_id: FrameId = field(name="frameId")
    """Frame id that has navigated (or failed to navigate)"""
    loader_id: _ids.LoaderId | None = field(default=None, name="loaderId")
    """Loader identifier. This is omitted in case of same-document navigation,
    as the previously committed loaderId would not change.
    """
    error_text: str | None = field(default=None, name="errorText")
    """User friendly error message, present if and only if navigation has failed."""
    is_download: bool | None = field(default=None, name="isDownload")
    """Whether the navigation resulted in a download. Experimental."""
''',
    "HandleJavaScriptDialog": '''\
class HandleJavaScriptDialog(Command[None], frozen=True, kw_only=True, omit_defaults=True):
    """Accepts or dismisses a JavaScript initiated dialog (alert, confirm, prompt, or onbeforeunload).

    CDP: `Page.handleJavaScriptDialog`.
    """

    METHOD: ClassVar[str] = "Page.handleJavaScriptDialog"
    RESULT: ClassVar[None] = None

    accept: bool
    """Whether to accept or dismiss the dialog."""
    prompt_text: str | UnsetType | None = field(default=None, name="promptText")
    """The text to enter into the dialog prompt before accepting. Used only if this is a prompt
    dialog.
    """
''',
    "CaptureScreenshotResult": '''\
class CaptureScreenshotResult(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """The result of `CaptureScreenshot`. CDP: `Page.captureScreenshot`."""

    data: Base64
    """Base64-encoded image data. (Encoded as a base64 string when passed over JSON)"""
''',
    "CaptureScreenshotFormat": '''\
CaptureScreenshotFormat: TypeAlias = Literal["jpeg", "png", "webp"]
"""The values of `CaptureScreenshot.format`."""
''',
    "AddScriptToEvaluateOnLoad": '''\
@deprecated(
    "Page.addScriptToEvaluateOnLoad is deprecated in the protocol. Deprecated, please use addScriptToEvaluateOnNewDocument instead."
)
class AddScriptToEvaluateOnLoad(
    Command[AddScriptToEvaluateOnLoadResult], frozen=True, kw_only=True, omit_defaults=True
):
    """Deprecated, please use addScriptToEvaluateOnNewDocument instead.

    CDP: `Page.addScriptToEvaluateOnLoad`. Experimental. Deprecated.
    """

    METHOD: ClassVar[str] = "Page.addScriptToEvaluateOnLoad"
    RESULT: ClassVar[ResultClass[AddScriptToEvaluateOnLoadResult]] = AddScriptToEvaluateOnLoadResult

    script_source: str = field(name="scriptSource")
''',  # noqa: E501  the formatter cannot break a string, and the text is upstream's
    "DeleteCookie": '''\
@deprecated("Page.deleteCookie is deprecated in the protocol.")
class DeleteCookie(Command[None], frozen=True, kw_only=True, omit_defaults=True):
    """Deletes browser cookie with given name, domain and path.

    CDP: `Page.deleteCookie`. Redirects to `Network`, which has no command of this name. Experimental. Deprecated.
    """

    METHOD: ClassVar[str] = "Page.deleteCookie"
    RESULT: ClassVar[None] = None

    cookie_name: str = field(name="cookieName")
    """Name of the cookie to remove."""
    url: str
    """URL to match cooke domain and path."""
''',
}
EVENTS = {
    "JavascriptDialogOpening": '''\
class JavascriptDialogOpening(Event, frozen=True, kw_only=True):
    """Fired when a JavaScript initiated dialog (alert, confirm, prompt, or onbeforeunload) is about to
    open.

    CDP: `Page.javascriptDialogOpening`.
    """

    METHOD: ClassVar[str] = "Page.javascriptDialogOpening"

    url: str
    """Frame url."""
    frame_id: FrameId = field(name="frameId")
    """Frame id. Experimental."""
    message: str
    """Message that will be displayed by the dialog."""
    type: Open[DialogType]
    """Dialog type."""
    has_browser_handler: bool = field(name="hasBrowserHandler")
    """True iff browser is capable showing or acting on the given dialog. When browser has no
    dialog handler for given target, calling alert while Page domain is engaged will stall
    the page execution. Execution can be resumed via calling Page.handleJavaScriptDialog.
    """
    default_prompt: str | None = field(default=None, name="defaultPrompt")
    """Default dialog prompt."""
''',
    "FrameResized": '''\
class FrameResized(Event, frozen=True, kw_only=True):
    """CDP: `Page.frameResized`. Experimental."""

    METHOD: ClassVar[str] = "Page.frameResized"
''',
    "FrameDetachedReason": '''\
FrameDetachedReason: TypeAlias = Literal["remove", "swap"]
"""The values of `FrameDetached.reason`."""
''',
}
TYPES = {
    "DialogType": '''\
DialogType: TypeAlias = Literal["alert", "confirm", "prompt", "beforeunload"]
"""Javascript dialog type.

CDP: `Page.DialogType`.
"""
''',
    "FrameTree": '''\
class FrameTree(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Information about the Frame hierarchy.

    CDP: `Page.FrameTree`.
    """

    frame: Frame
    """Frame information for this tree item."""
    child_frames: tuple[FrameTree, ...] | None = field(default=None, name="childFrames")
    """Child frames."""
''',
    "Viewport": '''\
class Viewport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Viewport for capturing screenshot.

    CDP: `Page.Viewport`.
    """

    x: float
    """X offset in device independent pixels (dip)."""
    y: float
    """Y offset in device independent pixels (dip)."""
    width: float
    """Rectangle width in device independent pixels (dip)."""
    height: float
    """Rectangle height in device independent pixels (dip)."""
    scale: float
    """Page scale factor."""
''',
}


@pytest.mark.parametrize(("name", "expected"), COMMANDS.items(), ids=COMMANDS.keys())
def test_a_command_or_result_reads_as_expected(files: dict[str, str], name: str, expected: str) -> None:
    assert definition(files["_commands/page.py"], name) == expected


@pytest.mark.parametrize(("name", "expected"), EVENTS.items(), ids=EVENTS.keys())
def test_an_event_reads_as_expected(files: dict[str, str], name: str, expected: str) -> None:
    assert definition(files["_events/page.py"], name) == expected


@pytest.mark.parametrize(("name", "expected"), TYPES.items(), ids=TYPES.keys())
def test_a_type_reads_as_expected(files: dict[str, str], name: str, expected: str) -> None:
    assert definition(files["_types/page.py"], name) == expected


def test_an_id_that_others_need_lives_in_ids(files: dict[str, str]) -> None:
    assert definition(files["ids.py"], "FrameId") == (
        'FrameId = NewType("FrameId", str)\n"""Unique frame identifier.\n\nCDP: `Page.FrameId`.\n"""\n'
    )
