"""Known differences in scripts, messages, input and leaving, in the words of `docs/mock.md`."""

from __future__ import annotations

from typing import Final

from tests.honesty.comparison.difference import Difference

__all__ = ["MORE_DIFFERENCES"]

_REFUSED_SCRIPTS: Final = (
    "calls_of_what_is_no_function",
    "members_of_nothing",
    "text_that_is_no_script",
    "texts_that_are_no_functions",
    "variables_between_calls",
    "what_a_function_is_called_on",
)

MORE_DIFFERENCES: Final = (
    Difference(
        words="JavaScript beyond the subset is refused by a `MockError`, also where Chromium has another error: "
        "text that is no script, a call of what is no function, a property that is not there.",
        scenarios=_REFUSED_SCRIPTS,
        refused=r"Runtime\.(evaluate|callFunctionOn)$",
    ),
    Difference(
        words="The mock refuses a value outside its enumeration and lists the allowed ones. Chromium has another "
        "text for each command, or ignores the value.",
        scenarios=(
            "mouse_events_of_a_pen",
            "mouse_events_of_no_button",
            "mouse_events_of_no_kind",
            "values_of_no_enumeration",
        ),
        refused=r"Input\.dispatchMouseEvent$|Page\.setDownloadBehavior$|Network\.setCookie$|Fetch\.enable$",
    ),
    Difference(
        words="`throwOnSideEffect` and `generatePreview` of Runtime, and `hidden` of `Target.createTarget`, are "
        "refused. `serializationOptions` is ignored, as by older browsers.",
        scenarios=("values_without_side_effects", "side_effects_that_are_refused", "created_as_a_tab_or_hidden"),
        refused=r"Runtime\.evaluate$|Target\.createTarget$",
    ),
    Difference(
        words="The mouse's buttons for back and forward are refused; in Chromium they go through the history.",
        scenarios=("mouse_presses_of_every_button",),
        refused=r"Input\.dispatchMouseEvent$",
        pattern=r"",
    ),
    Difference(
        words="A function is described as `() => { ... }`, and not by its text, which the mock does not keep.",
        scenarios=("console_values_of_every_kind", "objects_that_are_returned"),
        pattern=r'^Runtime\.consoleAPICalled .*"className": "Function"',
        outcome=r"call 7, Runtime\.evaluate$",
    ),
    Difference(
        words="An error of the engine comes without its column.",
        scenarios=("members_of_nothing",),
        outcome=r"call (5|6|8|9|10), Runtime\.evaluate$",
    ),
    Difference(
        words="The expression of `Runtime.callFunctionOn` that is a name is no function; Chromium says that the "
        "name is not defined.",
        scenarios=("texts_that_are_no_functions",),
        outcome=r"call 13, Runtime\.callFunctionOn$",
    ),
    Difference(
        words="Of two properties of one name in a message the last one counts; Chromium refuses the message.",
        scenarios=("properties_that_come_twice",),
        pattern=r"^envelope ",
    ),
    Difference(
        words="When a page reloads without its cache, its iframes load as usual.",
        scenarios=("reloaded_with_an_iframe",),
        pattern=r"^Page\.frameStartedNavigating .*page/2",
    ),
    Difference(
        words="A navigation that takes the place of one that is held tells the end of the first one's loading.",
        scenarios=("navigated_while_a_page_loads",),
        pattern=r"^Page\.frameStoppedLoading ",
    ),
    Difference(
        words="When a script leaves a page that asks, the navigation begins before the question; in Chromium after it.",
        scenarios=("leaving_by_a_script_a_page_that_stays",),
        pattern=r"^Page\.frame(StartedNavigating|StartedLoading|StoppedLoading) ",
    ),
    Difference(
        words="While a page asks whether it may be left, its target has its own address; in Chromium the next one's.",
        scenarios=("a_page_whose_client_leaves_as_it_asks", "calls_for_a_page_that_asks"),
        pattern=r"^Target\.attachedToTarget ",
        outcome=r"Target\.getTargetInfo$",
    ),
    Difference(
        words="A link that the mouse has clicked has begun to navigate before its scheduled navigation is cleared.",
        scenarios=("a_link_that_is_clicked",),
        pattern=r"^Page\.frameClearedScheduledNavigation ",
    ),
    Difference(
        words="`window.open` of a name that a window has tells of a window; Chromium tells of a new one only.",
        scenarios=("a_popup_with_a_name",),
        pattern=r"^Page\.windowOpen ",
    ),
    Difference(
        words="A popup is at its address at once; in Chromium it is empty until that has loaded.",
        scenarios=("a_popup_of_a_page",),
        pattern=r"^Target\.attachedToTarget ",
    ),
    Difference(
        words="A tab that is made for another program's address (`mailto:`) is empty at once; in Chromium it may still "
        "have that address.",
        scenarios=("tabs_without_a_page",),
        pattern=r'^Target\.attachedToTarget .*"targetId": "page#3"',
    ),
)
