"""The events and log entries at the end of a request."""

from __future__ import annotations

from cdp_typed.mock.network.network_events import (
    add_log_entry,
    emit_data_received,
    emit_loading_failed,
    emit_loading_finished,
    emit_response_received,
    store_response_body,
)
from cdp_typed.mock.network.security_policy import LogEntry, cors_violation
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import HttpResponse, phrase
from cdp_typed.mock.state.network import NetworkRequest
from cdp_typed.mock.state.step import Step


def report_end(
    step: Step, request: NetworkRequest, frame: FrameNode, response: HttpResponse, *, blocked: bool
) -> HttpResponse:
    """Emit the events of the request's end; return the response as the script may read it."""
    violation = None
    if request.type in ("XHR", "Fetch") and not response.error:
        violation = cors_violation(frame, request.http, response, request.type, request.original_url)
    if violation is not None:
        _add_log_entry(step, request, violation.entry, url=frame.url)
        response = HttpResponse(error="net::ERR_FAILED")
    if response.error:
        emit_loading_failed(
            step, request, response.error, cors=None if violation is None else violation.status, blocked=blocked
        )
        if request.type != "Document":
            text = f"Failed to load resource: {response.error}"
            entry = LogEntry("network", text, "" if violation is None else "cors")
            _add_log_entry(step, request, entry, url=request.http.url, request_id=request.id)
        return response
    emit_response_received(step, request, response)
    store_response_body(step, request, response)
    if request.type != "Document":
        _log_error_status(step, request, response)
        if response.body:
            emit_data_received(step, request.target, request.id, response.body)
        emit_loading_finished(step, request.target, request.id, response.body)
    return response


def _add_log_entry(step: Step, request: NetworkRequest, entry: LogEntry, *, url: str, request_id: str = "") -> None:
    """Log an entry with the script position of a synchronous request, or with a URL for others."""
    if request.type == "XHR":
        add_log_entry(step, request.target, entry, request_id=request_id, column=request.column)
    else:
        add_log_entry(step, request.target, entry, url=url, request_id=request_id)


def _log_error_status(step: Step, request: NetworkRequest, response: HttpResponse) -> None:
    if response.status >= 400:
        text = f"Failed to load resource: the server responded with a status of {response.status} ({phrase(response)})"
        add_log_entry(step, request.target, LogEntry("network", text), url=request.http.url, request_id=request.id)
