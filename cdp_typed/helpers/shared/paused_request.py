"""`PausedRequest`, which a handler of `intercept` receives, and the commands that it can return."""

from __future__ import annotations

import json as json_module
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from cdp_typed.errors import WrongType
from cdp_typed.protocol import fetch, network
from cdp_typed.redaction.texts import without_credentials
from cdp_typed.url_patterns import matches

Headers: TypeAlias = Mapping[str, str] | Sequence[tuple[str, str]]
"""Names and values; as pairs if a name occurs more than once, as `Set-Cookie` does."""

Stage: TypeAlias = Literal["Request", "Response"]
"""`"Request"`: before anything is sent. `"Response"`: when the headers of the response have arrived."""

RequestAnswer: TypeAlias = (
    fetch.FulfillRequest
    | fetch.ContinueRequest
    | fetch.ContinueResponse
    | fetch.FailRequest
    | fetch.ContinueWithAuth
    | None
)
"""The return value of a handler of `intercept`: the result of a method of `PausedRequest`, or `None`."""
_STATUSES = frozenset(HTTPStatus)


class PausedRequest:
    """A request that waits for the answer of a handler of `intercept`.

    `fulfill`, `change`, `fail` and `authenticate` send nothing: the handler returns what they return, a command of the
    domain Fetch. `None` leaves the answer to the other interceptions of the tab. If all return `None`, the request
    goes on unchanged, and a challenge goes on without credentials.
    """

    def __init__(self, event: fetch.RequestPaused | fetch.AuthRequired) -> None:
        self.event: fetch.RequestPaused | fetch.AuthRequired = event
        """The event as it came."""

    @property
    def url(self) -> str:
        """The address, without the fragment."""
        return self.event.request.url

    @property
    def method(self) -> str:
        """The method: `GET`, `POST`, ..."""
        return self.event.request.method

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the request; cookies are not among them."""
        return {name: str(value) for name, value in self.event.request.headers.items()}

    @property
    def resource_type(self) -> str:
        """The type of the resource: `Document`, `Script`, `Image`, `XHR` (also for `fetch`), ..."""
        return self.event.resource_type

    @property
    def body(self) -> bytes:
        """The body of the request; empty if it sends nothing, or a file."""
        entries = self.event.request.post_data_entries or ()
        return b"".join(b64decode(entry.bytes) for entry in entries if entry.bytes)

    @property
    def status(self) -> int | None:
        """The status of the response; `None` in the stage `"Request"`, and if the request failed."""
        return None if isinstance(self.event, fetch.AuthRequired) else self.event.response_status_code

    @property
    def response_headers(self) -> list[tuple[str, str]]:
        """The headers of the response; empty in the stage `"Request"`."""
        entries = () if isinstance(self.event, fetch.AuthRequired) else self.event.response_headers or ()
        return [(entry.name, entry.value) for entry in entries]

    @property
    def challenge(self) -> fetch.AuthChallenge | None:
        """The request for a user name and a password (with `auth=True`); answer it with `authenticate`."""
        return self.event.auth_challenge if isinstance(self.event, fetch.AuthRequired) else None

    def fulfill(
        self, status: int = 200, *, headers: Headers = (), body: bytes | str = b"", json: Any = UNSET
    ) -> fetch.FulfillRequest:
        """Answer instead of the server (`Fetch.fulfillRequest`), with `body`, or `json` as JSON."""
        given = _entries(headers)
        named = {entry.name.lower() for entry in given}
        if json is not UNSET:
            body = json_module.dumps(json)
        if "content-type" not in named:
            kind = "application/json" if json is not UNSET else "text/html" if isinstance(body, str) else ""
            given += [fetch.HeaderEntry(name="Content-Type", value=f"{kind}; charset=utf-8")] if kind else []
        return fetch.FulfillRequest(
            request_id=self.event.request_id,
            response_code=status,
            response_headers=given,
            body=b64encode(body.encode() if isinstance(body, str) else body).decode(),
            response_phrase=HTTPStatus(status).phrase if status in _STATUSES else "Unknown",
        )

    def change(
        self,
        *,
        url: str | UnsetType = UNSET,
        method: str | UnsetType = UNSET,
        headers: Headers | UnsetType = UNSET,
        body: bytes | str | UnsetType = UNSET,
        status: int | UnsetType = UNSET,
    ) -> fetch.ContinueRequest | fetch.ContinueResponse:
        """Continue with changes (`Fetch.continueRequest`, or `Fetch.continueResponse` in the stage `"Response"`).

        `headers` replace all headers: give `{**request.headers, "X-Mine": "1"}`, or those of the response. A response
        takes `headers` and `status`; for another body see `fulfill`. Raises `ValueError` for an argument that its stage
        does not take.
        """
        entries = UNSET if isinstance(headers, UnsetType) else _entries(headers)
        if self.status is None:
            if status is not UNSET:
                raise ValueError("a request has no status; intercept it at the stage 'Response', or use fulfill")
            data = body.encode() if isinstance(body, str) else body
            return fetch.ContinueRequest(
                request_id=self.event.request_id,
                url=url,
                method=method,
                headers=entries,
                post_data=UNSET if isinstance(data, UnsetType) else b64encode(data).decode(),
            )
        if {url, method, body} != {UNSET}:
            raise ValueError("of a response, status and headers can be changed; for another body use fulfill")
        return fetch.ContinueResponse(
            request_id=self.event.request_id,
            response_code=self.status if isinstance(status, UnsetType) else status,
            response_headers=_entries(self.response_headers) if isinstance(entries, UnsetType) else entries,
        )

    def fail(self, reason: network.ErrorReason = "Failed") -> fetch.FailRequest:
        """Fail the request; for the page this is a network error (`Fetch.failRequest`)."""
        return fetch.FailRequest(request_id=self.event.request_id, error_reason=reason)

    def authenticate(self, username: str, password: str) -> fetch.ContinueWithAuth:
        """Answer a `challenge` (`Fetch.continueWithAuth`). Raises `ValueError` if there is none."""
        if self.challenge is None:
            raise ValueError("no challenge to answer: give intercept auth=True, and look at request.challenge")
        given = fetch.AuthChallengeResponse(response="ProvideCredentials", username=username, password=password)
        return fetch.ContinueWithAuth(request_id=self.event.request_id, auth_challenge_response=given)

    def __repr__(self) -> str:
        return f"<PausedRequest {self.method} {without_credentials(self.url)}>"


def checked_answer(answer: object) -> RequestAnswer:
    """Return the answer of a handler. Raises `WrongType` for anything else."""
    if not isinstance(answer, RequestAnswer):
        raise WrongType(f"a handler of intercept returns request.fulfill(...) or another answer, not {answer!r}")
    return answer


def failing_answer(request: PausedRequest) -> fetch.FailRequest | fetch.ContinueWithAuth:
    """Return the command that ends a request without success.

    A challenge gets no credentials, so the page gets the 401 or 407.
    """
    if request.challenge is None:
        return request.fail()
    return _without_credentials(request, "CancelAuth")


def going_on(request: PausedRequest) -> fetch.ContinueRequest | fetch.ContinueWithAuth:
    """Return the command that continues a request unchanged: a challenge waits for a person's answer."""
    if request.challenge is None:
        return fetch.ContinueRequest(request_id=request.event.request_id)
    return _without_credentials(request, "Default")


def patterns_of(
    pattern: str | fetch.RequestPattern | Sequence[str | fetch.RequestPattern], stage: Stage
) -> list[fetch.RequestPattern]:
    """Return the patterns of `Fetch.enable`; `stage` applies to those that are texts."""
    given = [pattern] if isinstance(pattern, str | fetch.RequestPattern) else pattern
    return [
        fetch.RequestPattern(url_pattern=each, request_stage=stage) if isinstance(each, str) else each for each in given
    ]


def has_pattern(request: PausedRequest, pattern: fetch.RequestPattern) -> bool:
    """Whether `Fetch.enable` with this pattern would have paused the request; a challenge comes at any stage."""
    event, kind = request.event, pattern.resource_type
    return (
        (isinstance(event, fetch.AuthRequired) or (pattern.request_stage or "Request") == _stage(event))
        and (not kind or event.resource_type in ({"XHR", "Fetch"} if kind in {"XHR", "Fetch"} else {kind}))
        and matches(pattern.url_pattern if isinstance(pattern.url_pattern, str) else "*", request.url)
    )


def _stage(event: fetch.RequestPaused) -> Stage:
    at_response = event.response_status_code is not None or event.response_error_reason is not None
    return "Response" if at_response else "Request"


def _without_credentials(request: PausedRequest, response: Literal["Default", "CancelAuth"]) -> fetch.ContinueWithAuth:
    given = fetch.AuthChallengeResponse(response=response)
    return fetch.ContinueWithAuth(request_id=request.event.request_id, auth_challenge_response=given)


def _entries(headers: Headers) -> list[fetch.HeaderEntry]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    return [fetch.HeaderEntry(name=name, value=value) for name, value in pairs]
