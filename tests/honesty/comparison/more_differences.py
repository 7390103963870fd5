"""Known differences in scripts, messages, input and leaving, in the words of `docs/mock.md`."""

from __future__ import annotations

from typing import Final

from tests.honesty.comparison.difference import Difference

_REFUSED_SCRIPTS: Final = (
    "a_document_in_all_worlds",
    "calls_of_what_is_no_function",
    "elements_that_a_script_appends",
    "emulated_media",
    "functions_on_objects_of_the_browser",
    "members_of_nothing",
    "selectors_on_form",
    "selectors_on_links",
    "selectors_on_with-local",
    "text_that_is_no_script",
    "texts_that_are_not_encoded",
    "texts_that_are_no_functions",
    "variables_between_calls",
    "what_a_function_is_called_on",
    "what_is_deleted",
)

MORE_DIFFERENCES: Final = (
    Difference(
        words="JavaScript beyond the subset fails with a `MockError`, even where Chromium reports a different error: "
        "text that is not a script, a call of something that is not a function, a property that does not exist.",
        scenarios=_REFUSED_SCRIPTS,
        refused=r"Runtime\.(evaluate|callFunctionOn)$",
    ),
    Difference(
        words="Every response ends with `Network.loadingFinished`; in Chromium one whose body no script reads does "
        "not.",
        scenarios=("a_response_that_no_script_reads",),
        pattern=r"^Network\.loadingFinished ",
    ),
    Difference(
        words="The mock refuses a value outside its enumeration and lists the allowed ones. Chromium words this error "
        "differently for each command, or ignores the value.",
        scenarios=(
            "mouse_events_of_a_pen",
            "mouse_events_of_no_button",
            "mouse_events_of_no_kind",
            "values_of_no_enumeration",
        ),
        refused=r"Input\.dispatchMouseEvent$|Page\.setDownloadBehavior$|Network\.setCookie$|Fetch\.enable$",
    ),
    Difference(
        words="The mock refuses `throwOnSideEffect` and `generatePreview` of Runtime, and `hidden` of "
        "`Target.createTarget`. Like older browsers, it ignores `serializationOptions`.",
        scenarios=("values_without_side_effects", "side_effects_that_are_refused", "created_as_a_tab_or_hidden"),
        refused=r"Runtime\.evaluate$|Target\.createTarget$",
    ),
    Difference(
        words="The mock refuses the mouse's back and forward buttons; in Chromium they navigate through the history.",
        scenarios=("mouse_presses_of_every_button",),
        refused=r"Input\.dispatchMouseEvent$",
        pattern=r"",
    ),
    Difference(
        words="While a script of a page listens to the mouse, the mock refuses `Input.dispatchMouseEvent` there.",
        scenarios=("listeners_for_input",),
        refused=r"Input\.dispatchMouseEvent$",
    ),
    Difference(
        words="The description of a function is `() => { ... }` instead of its text, which the mock does not keep.",
        scenarios=("console_values_of_every_kind", "objects_that_are_returned"),
        pattern=r'^Runtime\.consoleAPICalled .*"className": "Function"',
        outcome=r"call 7, Runtime\.evaluate$",
    ),
    Difference(
        words="In the reply to `Runtime.evaluate`, an error of the engine has no column.",
        scenarios=("members_of_nothing",),
        outcome=r"call (5|6|8|9|10), Runtime\.evaluate$",
    ),
    Difference(
        words="If the declaration of `Runtime.callFunctionOn` is an undefined name, the mock says that it is not a "
        "function; Chromium says that the name is not defined.",
        scenarios=("texts_that_are_no_functions",),
        outcome=r"call 13, Runtime\.callFunctionOn$",
    ),
    Difference(
        words="If a message contains a property twice, the mock uses the last one; Chromium refuses the message.",
        scenarios=("properties_that_come_twice",),
        pattern=r"^envelope ",
    ),
    Difference(
        words="When a page reloads without its cache, its iframes load normally; in Chromium they bypass the cache, "
        "too.",
        scenarios=("reloaded_with_an_iframe",),
        pattern=r"^Page\.frameStartedNavigating .*page/2",
    ),
    Difference(
        words="If a navigation replaces one that a client holds, the mock reports the end of the first one's loading; "
        "Chromium does not.",
        scenarios=("navigated_while_a_page_loads",),
        pattern=r"^Page\.frameStoppedLoading ",
    ),
    Difference(
        words="When a script leaves a page with a `beforeunload` dialog, the mock starts the navigation before the "
        "dialog opens; Chromium starts it after the dialog.",
        scenarios=("leaving_by_a_script_a_page_that_stays",),
        pattern=r"^Page\.frame(StartedNavigating|StartedLoading|StoppedLoading) ",
    ),
    Difference(
        words="While a `beforeunload` dialog is open, the page's target has the page's URL; in Chromium it already "
        "has the next one.",
        scenarios=("a_page_whose_client_leaves_as_it_asks", "calls_for_a_page_that_asks"),
        pattern=r"^Target\.attachedToTarget ",
        outcome=r"Target\.getTargetInfo$",
    ),
    Difference(
        words="When the mouse clicks a link, the mock clears the scheduled navigation before it starts the "
        "navigation; Chromium clears it afterwards.",
        scenarios=("a_link_that_is_clicked",),
        pattern=r"^Page\.frameClearedScheduledNavigation ",
    ),
    Difference(
        words="When a script navigates an iframe, the mock clears the scheduled navigation before its request; "
        "Chromium clears it afterwards.",
        scenarios=("iframes_with_their_requests",),
        pattern=r"^Page\.frameClearedScheduledNavigation ",
    ),
    Difference(
        words="When a client takes back the size that it has set, the mock announces this once; Chromium announces "
        "each step.",
        scenarios=("a_size_that_is_taken_back",),
        pattern=r"^Page\.frameResized ",
    ),
    Difference(
        words="The mock announces no changes of the DOM, of styles and of the accessibility tree, also to a session "
        "that has enabled these domains.",
        scenarios=("domains_that_tell_of_a_navigation",),
        pattern=r"^(Accessibility|CSS|DOM)\.",
    ),
    Difference(
        words="The script of a worker is loaded without events of the Network domain.",
        scenarios=("a_worker_with_its_request",),
        pattern=r"^Network\.",
    ),
    Difference(
        words="Positions count from the start of a script, also of one in a page, as if it were a single line. A call "
        "stack has one call frame, without the name of its function and `sourceURL`.",
        scenarios=("positions_in_scripts",),
        pattern=r"^Runtime\.exceptionThrown ",
        outcome=r"Runtime\.evaluate$",
    ),
    Difference(
        words="The page that a browser shows for an error has no images; Chromium's has some, and reports their "
        "requests.",
        scenarios=("an_error_page_with_its_requests",),
        pattern=r'^Network\.(requestWillBeSent|responseReceived) .*"url": "data:|'
        r"^Network\.(dataReceived|loadingFinished|requestServedFromCache) ",
    ),
    Difference(
        words="`window.open` with the name of an existing window emits `Page.windowOpen`; Chromium emits it only for "
        "a new window.",
        scenarios=("a_popup_with_a_name",),
        pattern=r"^Page\.windowOpen ",
    ),
    Difference(
        words="A popup has its URL at once; in Chromium it is empty until that URL has loaded.",
        scenarios=("a_popup_of_a_page",),
        pattern=r"^Target\.attachedToTarget ",
    ),
    Difference(
        words="A tab that is created with an external program's URL (`mailto:`) is empty at once; in Chromium it may "
        "still have that URL.",
        scenarios=("tabs_without_a_page",),
        pattern=r'^Target\.attachedToTarget .*"targetId": "page#3"',
    ),
)
