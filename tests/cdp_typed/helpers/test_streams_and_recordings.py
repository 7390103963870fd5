"""Streams, traces and heap snapshots of a real Chromium."""

from __future__ import annotations

import json
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from cdp_typed import CommandError, Session, connect_sync
from cdp_typed.helpers import blocking, heap_snapshot, js, read_stream, stream_chunks, trace_file
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page
from cdp_typed.protocol import tracing as tracing_domain
from tests.cdp_typed.helpers.conftest import Helpers


async def _pdf(tab: Session) -> str:
    printed = await tab.send(page.PrintToPDF(transfer_mode="ReturnAsStream"))
    assert printed.stream is not None
    return printed.stream


async def test_a_stream_is_closed_when_it_is_read_to_its_end_or_left_early(tab: Session) -> None:
    await js(tab, "() => { document.body.textContent = Array.from({length: 9999}, (_, i) => i).join(' ') }")
    to_the_end, left_early = await _pdf(tab), await _pdf(tab)

    data = await read_stream(tab, to_the_end)
    async with aclosing(stream_chunks(tab, left_early, size=10)) as pieces:
        assert await anext(pieces) == b"%PDF-1.4\n%"

    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")
    for handle in (to_the_end, left_early):
        with pytest.raises(CommandError, match="Invalid stream handle"):
            await read_stream(tab, handle)


async def test_a_stream_comes_in_pieces_or_goes_to_a_file(page_helpers: Helpers, tmp_path: Path) -> None:
    target = tmp_path / "page.pdf"
    size = await page_helpers.call("read_stream", await _pdf(page_helpers.tab), to=target)
    assert (target.read_bytes()[:5], target.stat().st_size) == (b"%PDF-", size)

    pieces = [piece async for piece in stream_chunks(page_helpers.tab, await _pdf(page_helpers.tab), size=100)]
    assert len(pieces) > 1
    assert {len(piece) for piece in pieces[:-1]} == {100}
    assert b"".join(pieces).rstrip().endswith(b"%%EOF")


async def test_a_file_that_is_not_complete_is_removed(tab: Session, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Invalid stream handle"):
        await read_stream(tab, "none", to=tmp_path / "page.pdf")
    assert not (tmp_path / "page.pdf").exists()
    handle = await _pdf(tab)
    with pytest.raises(FileNotFoundError):
        await read_stream(tab, handle, to=tmp_path / "no" / "page.pdf")


async def test_a_trace_has_the_categories_that_are_asked_for(tab: Session, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    async with trace_file(tab, path, categories=["blink.user_timing", "-v8"]):
        await js(tab, "() => { performance.mark('f\u00fcr cdp-typed') }")

    assert "f\u00fcr cdp-typed" in {event["name"] for event in json.loads(path.read_bytes())["traceEvents"]}


async def test_a_trace_ends_with_an_error_of_its_block_too(tab: Session, tmp_path: Path) -> None:
    with suppress(ZeroDivisionError):
        async with trace_file(tab, tmp_path / "trace.json"):
            raise ZeroDivisionError
    async with trace_file(tab, tmp_path / "trace.json"):  # which the browser refuses while another one runs
        pass


async def test_a_page_that_crashes_at_the_end_of_a_trace_takes_nothing_from_it(tab: Session, tmp_path: Path) -> None:
    async with trace_file(tab, tmp_path / "trace.json") as trace:
        await js(tab, "() => { performance.mark('before the crash') }")
        _ = tab.send_nowait(page.Crash())

    assert "before the crash" in {event["name"] for event in json.loads(trace.path.read_bytes())["traceEvents"]}


async def _end_tracing(tab: Session) -> None:
    async with tab.expect(tracing_domain.TracingComplete, timeout=20):
        await tab.send(tracing_domain.End())


async def test_another_end_of_the_trace_is_told(tab: Session, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Tracing is not started"):
        async with trace_file(tab, tmp_path / "trace.json"):
            await _end_tracing(tab)


async def test_a_heap_snapshot_is_whole(page_helpers: Helpers, tab: Session) -> None:
    await js(tab, "() => { window.kept = new (class KeptByTheTest {})() }")

    snapshot = json.loads(await page_helpers.call("heap_snapshot"))

    assert "KeptByTheTest" in snapshot["strings"]
    assert snapshot["snapshot"]["node_count"] > 1000
    assert b"KeptByTheTest" in await heap_snapshot(tab)


def test_without_async(no_leaks: None, chromium: LaunchedBrowser, tmp_path: Path) -> None:
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab:
        with blocking.trace_file(tab, tmp_path / "trace.json.gz") as trace:
            blocking.js(tab, "1 + 1")
        printed = tab.send(page.PrintToPDF(transfer_mode="ReturnAsStream"))
        assert printed.stream is not None

        assert blocking.read_stream(tab, printed.stream).startswith(b"%PDF-")
    assert (tmp_path / "trace.json.gz").stat().st_size == trace.size > 0
