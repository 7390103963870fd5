"""Binary fields: base64 text to bytes and back."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_typed import base64_bytes, base64_text
from cdp_typed._base import Base64
from cdp_typed.protocol import fetch, page, registry


@pytest.mark.parametrize("text", ["A", "A===", "AA=A", "*AAA", "ä", "AA==\n", "AA"])
def test_what_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not base64"):
        base64_bytes(text)


@given(st.binary())
def test_bytes_survive_the_wire(data: bytes) -> None:
    assert base64_bytes(base64_text(data)) == data


def test_fields_take_and_give_them() -> None:
    shot = page.CaptureScreenshotResult(data="iVBORw0KGgo=")
    answer = fetch.FulfillRequest(request_id=fetch.RequestId("1"), response_code=200, body=base64_text(b"\x00\xff"))

    assert base64_bytes(shot.data) == b"\x89PNG\r\n\x1a\n"
    assert answer.body == "AP8="
    assert get_type_hints(page.CaptureScreenshotResult)["data"] is Base64
    assert {"Page.captureScreenshot.data", "Fetch.fulfillRequest.body"} <= registry.BINARY
