"""Common tasks on a page, as functions: `await js(tab, "document.title")`.

Each is a few lines over the protocol, and its docstring names the commands behind it. The same functions for the
blocking client are in `cdp_typed.helpers.blocking`. A helper is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_typed._lazy import lazy_one_by_one
from cdp_typed.helpers.shared.client_form import for_its_client

if TYPE_CHECKING:
    from cdp_typed.helpers.awaited_requests import wait_for_request, wait_for_response
    from cdp_typed.helpers.captures import pdf, screenshot, video
    from cdp_typed.helpers.contexts import BrowserContext, new_context
    from cdp_typed.helpers.cookie_access import cookies, set_cookies
    from cdp_typed.helpers.device_emulation import VirtualAuthenticator, emulate, virtual_authenticator
    from cdp_typed.helpers.evaluation import ElementState, js, wait_for
    from cdp_typed.helpers.exposed_functions import expose
    from cdp_typed.helpers.har_files import har, replay_har
    from cdp_typed.helpers.io_streams import read_stream, stream_chunks
    from cdp_typed.helpers.network_activity import network_idle, network_idle_after
    from cdp_typed.helpers.page_navigation import go_back, go_forward, goto
    from cdp_typed.helpers.profiling import code_coverage, cpu_profile, heap_snapshot, trace_file, web_vitals
    from cdp_typed.helpers.request_interception import RequestHandler, intercept, response_body
    from cdp_typed.helpers.shared.devices import devices
    from cdp_typed.helpers.shared.emulation import Emulation, Geolocation
    from cdp_typed.helpers.shared.navigation_events import NavigationKind, NavigationResult, Until
    from cdp_typed.helpers.shared.paper import PaperFormat
    from cdp_typed.helpers.shared.paused_request import PausedRequest, RequestAnswer
    from cdp_typed.helpers.shared.performance.trace_file import TraceFile
    from cdp_typed.helpers.shared.performance.vitals import TraceSummary, Vitals
    from cdp_typed.helpers.shared.request_match import Awaited, ResponsePart
    from cdp_typed.helpers.shared.video.video import Video, VideoLibrariesMissing, VideoNotWritten
    from cdp_typed.helpers.user_input import click, press, read_clipboard, type_text, write_clipboard

_HOMES = {
    "Awaited": "cdp_typed.helpers.shared.request_match",
    "BrowserContext": "cdp_typed.helpers.contexts",
    "ElementState": "cdp_typed.helpers.evaluation",
    "Emulation": "cdp_typed.helpers.shared.emulation",
    "Geolocation": "cdp_typed.helpers.shared.emulation",
    "NavigationResult": "cdp_typed.helpers.shared.navigation_events",
    "NavigationKind": "cdp_typed.helpers.shared.navigation_events",
    "PaperFormat": "cdp_typed.helpers.shared.paper",
    "PausedRequest": "cdp_typed.helpers.shared.paused_request",
    "RequestAnswer": "cdp_typed.helpers.shared.paused_request",
    "RequestHandler": "cdp_typed.helpers.request_interception",
    "ResponsePart": "cdp_typed.helpers.shared.request_match",
    "TraceFile": "cdp_typed.helpers.shared.performance.trace_file",
    "TraceSummary": "cdp_typed.helpers.shared.performance.vitals",
    "Until": "cdp_typed.helpers.shared.navigation_events",
    "Video": "cdp_typed.helpers.shared.video.video",
    "VideoLibrariesMissing": "cdp_typed.helpers.shared.video.video",
    "VideoNotWritten": "cdp_typed.helpers.shared.video.video",
    "VirtualAuthenticator": "cdp_typed.helpers.device_emulation",
    "Vitals": "cdp_typed.helpers.shared.performance.vitals",
    "code_coverage": "cdp_typed.helpers.profiling",
    "cpu_profile": "cdp_typed.helpers.profiling",
    "click": "cdp_typed.helpers.user_input",
    "cookies": "cdp_typed.helpers.cookie_access",
    "devices": "cdp_typed.helpers.shared.devices",
    "emulate": "cdp_typed.helpers.device_emulation",
    "expose": "cdp_typed.helpers.exposed_functions",
    "go_back": "cdp_typed.helpers.page_navigation",
    "go_forward": "cdp_typed.helpers.page_navigation",
    "goto": "cdp_typed.helpers.page_navigation",
    "har": "cdp_typed.helpers.har_files",
    "heap_snapshot": "cdp_typed.helpers.profiling",
    "intercept": "cdp_typed.helpers.request_interception",
    "js": "cdp_typed.helpers.evaluation",
    "network_idle": "cdp_typed.helpers.network_activity",
    "network_idle_after": "cdp_typed.helpers.network_activity",
    "new_context": "cdp_typed.helpers.contexts",
    "pdf": "cdp_typed.helpers.captures",
    "press": "cdp_typed.helpers.user_input",
    "read_clipboard": "cdp_typed.helpers.user_input",
    "read_stream": "cdp_typed.helpers.io_streams",
    "replay_har": "cdp_typed.helpers.har_files",
    "response_body": "cdp_typed.helpers.request_interception",
    "screenshot": "cdp_typed.helpers.captures",
    "set_cookies": "cdp_typed.helpers.cookie_access",
    "stream_chunks": "cdp_typed.helpers.io_streams",
    "trace_file": "cdp_typed.helpers.profiling",
    "type_text": "cdp_typed.helpers.user_input",
    "video": "cdp_typed.helpers.captures",
    "virtual_authenticator": "cdp_typed.helpers.device_emulation",
    "wait_for": "cdp_typed.helpers.evaluation",
    "wait_for_request": "cdp_typed.helpers.awaited_requests",
    "wait_for_response": "cdp_typed.helpers.awaited_requests",
    "web_vitals": "cdp_typed.helpers.profiling",
    "write_clipboard": "cdp_typed.helpers.user_input",
}

__all__ = [
    "Awaited",
    "BrowserContext",
    "ElementState",
    "Emulation",
    "Geolocation",
    "NavigationKind",
    "NavigationResult",
    "PaperFormat",
    "PausedRequest",
    "RequestAnswer",
    "RequestHandler",
    "ResponsePart",
    "TraceFile",
    "TraceSummary",
    "Until",
    "Video",
    "VideoLibrariesMissing",
    "VideoNotWritten",
    "VirtualAuthenticator",
    "Vitals",
    "click",
    "code_coverage",
    "cookies",
    "cpu_profile",
    "devices",
    "emulate",
    "expose",
    "go_back",
    "go_forward",
    "goto",
    "har",
    "heap_snapshot",
    "intercept",
    "js",
    "network_idle",
    "network_idle_after",
    "new_context",
    "pdf",
    "press",
    "read_clipboard",
    "read_stream",
    "replay_har",
    "response_body",
    "screenshot",
    "set_cookies",
    "stream_chunks",
    "trace_file",
    "type_text",
    "video",
    "virtual_authenticator",
    "wait_for",
    "wait_for_request",
    "wait_for_response",
    "web_vitals",
    "write_clipboard",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_one_by_one(globals(), _HOMES, for_its_client)
