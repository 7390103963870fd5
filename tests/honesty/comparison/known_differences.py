"""Every known difference between the mock and Chromium, in the words of `docs/mock.md`."""

from __future__ import annotations

import re
from typing import Final

from tests.honesty.comparison.difference import Difference
from tests.honesty.comparison.more_differences import MORE_DIFFERENCES

_WITH_RESOURCES: Final = (
    "a_document_at_with_image",
    "a_document_at_with_script",
    "a_document_at_with_style",
    "cookies_that_are_sent_and_kept_back",
)
_RECEIVING: Final = (
    "documents_in_their_addresses",
    "responses_for_another_origin",
    "a_document_at_second",
    "a_page_that_has_moved",
    "a_redirect_that_a_client_holds",
    "a_response_that_no_script_reads",
    "cookies_that_a_response_may_not_set",
    "iframes_of_iframes_with_their_requests",
    "iframes_with_their_requests",
    "navigations_of_clients_and_scripts",
    "navigations_with_a_referrer",
    "redirected_requests_of_scripts",
    "requests_held_with_their_headers",
    "requests_of_scripts",
    "requests_that_a_client_answers",
    "requests_without_a_cache",
    "responses_that_a_client_replaces",
)

DIFFERENCES: Final = (
    Difference(
        words="The column of an uncaught exception is that of `throw`; in Chromium it is that of `new Error`.",
        field=r"Runtime\.exceptionThrown columnNumber",
    ),
    Difference(
        words="While a new window opens, Chromium reports a varying number of intermediate URLs and titles; the mock "
        "always reports the same ones.",
        scenarios=(
            "a_popup",
            "a_popup_as_a_target",
            "a_popup_closed_by_a_client",
            "a_popup_closed_by_its_opener",
            "a_popup_moved_by_its_opener",
            "a_popup_of_a_certain_size",
            "a_popup_of_a_page",
            "a_popup_of_a_popup",
            "a_popup_that_closes_itself",
            "a_popup_with_a_name",
            "a_popup_without_an_opener",
            "a_popup_without_its_opener_left",
            "a_popups_dialog_opened_by_its_opener",
            "a_popups_opener_with_a_dialog",
            "a_popups_own_dialog",
            "discovered_as_it_changes",
        ),
        pattern=r"^Target\.targetInfoChanged ",
    ),
    Difference(
        words="After a crash, the mock does not announce the execution context of the new renderer's initial empty "
        "document.",
        scenarios=("a_page_that_crashes",),
        pattern=r'^Runtime\.executionContextCreated .*"origin": "://"',
    ),
    Difference(
        words="If a page navigates while a dialog blocks one of its scripts, the script ends with the dialog, and its "
        "call gets a reply. In Chromium that reply may come too late: the call then fails or gets no reply.",
        scenarios=(
            "navigated_while_open",
            "page_enabled_nowhere",
            "reloaded_while_open",
            "root_and_oopif_at_once",
            "root_navigated_while_an_oopifs_is_open",
            "root_reloaded_while_an_oopifs_is_open",
        ),
        outcome=r"call 5, Runtime\.evaluate$|call 6, Runtime\.evaluate$",
    ),
    Difference(
        words="The Network domain does not model connections. Its responses have no address, protocol, time and size. "
        "The number of packets in a response varies in Chromium.",
        scenarios=(*_WITH_RESOURCES, *_RECEIVING),
        pattern=r"^Network\.dataReceived ",
        field=r"Network\.\w+ (timing|encodedDataLength|remote\w+|protocol|connection\w+|response\w*Time|"
        r"alternateProtocolUsage|wallTime)",
    ),
    Difference(
        words="The initiator of a script's navigation has no call stack; that of a request has one call frame.",
        field=r"Network\.requestWillBeSent stack",
    ),
    Difference(
        words="The mock loads all subresources before `Page.domContentEventFired`, and does not change the priority of "
        "images; Chromium does, when it sees that they are visible.",
        scenarios=_WITH_RESOURCES,
        pattern=r"^(Page\.domContentEventFired|Network\.resourceChangedPriority) ",
    ),
    Difference(
        words="The debugger does not list scripts: it sends no `Debugger.scriptParsed`, and a pause has a single call "
        "frame, with no function name and only the global scope.",
        scenarios=("a_pause_ended_by_a_navigation", "paused_by_a_debugger_statement"),
        pattern=r"^Debugger\.(scriptParsed|paused) ",
    ),
    *MORE_DIFFERENCES,
)

BLURRED: Final = frozenset(
    {
        "timestamp",
        "loaderId",
        "uniqueId",
        "executionContextUniqueId",
        "browserContextId",
        "objectId",
        "scriptId",
        "exceptionId",
        "stackTrace",
        "requestId",
        "redirectedRequestId",
        "networkId",
        "networkRequestId",
        "headersText",
        "requestTime",
        "guid",
        "backendNodeId",
        "callFrameId",
        "debuggerId",
    }
)
"""Fields of which only the presence is compared: times, call stacks, and ids that are not told apart."""

OF_THE_SERVER: Final = frozenset({"Cache-Control", "Content-Length", "Date", "Server"})
"""Headers of the test's server in all its responses, which the mock's pages do not have."""

FIRST_LINES: Final = frozenset({"description"})
"""Texts of which the first line is compared: below it is the call stack."""

OFFSET: Final = re.compile(r" at position \d+$")
"""The end of Chromium's errors for parameters: an offset in a binary form that the mock does not have."""

REFUSAL: Final = re.compile(r"MockError|cdp_typed\.mock")
"""What stands in every refusal that is the mock's own."""
