"""The retries of a failed dial, as a table."""

from __future__ import annotations

import pytest

from cdp_typed.endpoint.retry import Retries
from cdp_typed.errors import EndpointError


def _error(status: int | None = None, *, retryable: bool = False, retry_after: float | None = None) -> EndpointError:
    return EndpointError("no", url="ws://h", status=status, retryable=retryable, retry_after=retry_after)


def _retries(*, wait: bool = False, chance: float = 1.0) -> Retries:
    return Retries(deadline=100.0, wait_for_browser=wait, renewable=False, chance=lambda: chance)


@pytest.mark.parametrize(
    ("told", "seconds"), [(0.0, 0.05), (7.0, 7.0), (3600.0, 30.0)], ids=["at_once", "as_told", "capped"]
)
@pytest.mark.parametrize("status", [429, 503])
def test_f04_a_server_is_left_alone_as_told(status: int, told: float, seconds: float) -> None:
    assert _retries().pause(_error(status, retryable=True, retry_after=told), 0) == seconds


@pytest.mark.parametrize(
    "error",
    [_error(404, retry_after=1.0), _error(503, retryable=True), _error(retryable=True), _error()],
    ids=["final", "no_retry_after", "refused", "no_status"],
)
def test_what_nobody_asked_to_try_again_fails_at_once(error: EndpointError) -> None:
    assert _retries().pause(error, 0) is None


def test_f01_pauses_for_a_browser_grow_to_a_limit_and_are_jittered() -> None:
    late, early = _retries(wait=True, chance=1.0), _retries(wait=True, chance=0.0)
    refused = _error(retryable=True)

    assert [late.pause(refused, 0) for _ in range(6)] == [0.05, 0.1, 0.2, 0.4, 0.5, 0.5]
    assert [early.pause(refused, 0) for _ in range(6)] == [0.025, 0.05, 0.1, 0.2, 0.25, 0.25]
    assert late.pause(_error(404), 0) is None


def test_no_try_begins_after_the_deadline() -> None:
    retries = _retries(wait=True)

    assert retries.pause(_error(503, retry_after=2.0), 98.0) is None
    assert retries.pause(_error(retryable=True), 99.96) is None
