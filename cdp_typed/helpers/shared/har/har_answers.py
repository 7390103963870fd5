"""`HarAnswer`: the recorded answers of a HAR file, and which of them a request gets."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from cdp_typed.protocol import fetch

OF_THE_WIRE = frozenset({"connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"})
"""Headers about the transfer of a body. A HAR file holds the body as it was before that."""


class HarAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a request of a HAR file."""

    method: str
    url: str
    """Without the fragment."""
    sent_text: str | None = None
    """A request with another body gets another answer."""
    status: int
    """0: the request failed."""
    headers: tuple[fetch.HeaderEntry, ...] = ()
    body_base64: str = ""

    def command(self, request_id: fetch.RequestId) -> fetch.FulfillRequest | fetch.FailRequest:
        """Return the command that gives a held request this answer (`Fetch.fulfillRequest`, `Fetch.failRequest`)."""
        if self.status <= 0:
            return fetch.FailRequest(request_id=request_id, error_reason="Failed")
        return fetch.FulfillRequest(
            request_id=request_id,
            response_code=self.status,
            response_headers=self.headers,
            body=self.body_base64,
        )


def answer_for(answers: Iterable[HarAnswer], method: str, url: str, sent_text: str | None) -> HarAnswer | None:
    """Return the first answer to a request with this method, address and body."""
    return next(
        (
            answer
            for answer in answers
            if (answer.method, answer.url) == (method, url)
            and (answer.sent_text is None or answer.sent_text == (sent_text or ""))
        ),
        None,
    )
