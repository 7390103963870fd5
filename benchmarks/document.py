"""Typed decode of a whole document, next to `json.loads`: time, and memory of the result."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable

from benchmarks.table import medians, render
from cdp_typed.protocol import dom
from cdp_typed.wire.router import Reply, Router

NODES, ROUNDS, CALLS = 9_000, 25, 2


def document() -> bytes:
    """Return the reply to DOM.getDocument of a page of everyday shape: nested elements with attributes, and text.

    The fields are in the order in which Chromium writes them.
    """
    numbers = iter(range(1, NODES))

    def node(depth: int, parent: int) -> dict[str, object]:
        number = next(numbers)
        base: dict[str, object] = {"nodeId": number, "parentId": parent, "backendNodeId": number + 3}
        if depth == 0:
            text = f"Item {number} of the list, with a few words to read"
            return {**base, "nodeType": 3, "nodeName": "#text", "localName": "", "nodeValue": text}
        children: list[dict[str, object]] = []
        for _ in range(6 if depth > 1 else 1):
            try:
                children.append(node(depth - 1, number))
            except StopIteration:
                break
        attributes = ["class", f"row row-{number % 7} wide", "id", f"n{number}", "data-key", str(number * 31)]
        element = {"nodeType": 1, "nodeName": "DIV", "localName": "div", "nodeValue": ""}
        return {**base, **element, "childNodeCount": len(children), "children": children, "attributes": attributes}

    root = node(7, NODES)
    assert next(numbers, None) is None
    page = {"nodeId": NODES, "backendNodeId": 1, "nodeType": 9, "nodeName": "#document", "localName": ""}
    about = {"documentURL": "https://shop.example/", "baseURL": "https://shop.example/", "xmlVersion": ""}
    whole = {**page, "nodeValue": "", "childNodeCount": 1, "children": [root], **about}
    return json.dumps({"id": 1, "result": {"root": whole}}, separators=(",", ":")).encode()


def typed(message: bytes) -> Callable[[], object]:
    """Decode with cdp_typed from bytes to a typed result: envelope, its call, the value."""

    def work() -> object:
        router = Router()
        router.send(dom.GetDocument(depth=-1), None)
        (reply,) = router.receive(message)
        assert isinstance(reply, Reply)
        assert isinstance(reply.value, dom.GetDocumentResult)
        return reply.value

    return work


def held(work: Callable[[], object]) -> int:
    """Return the bytes of memory that the result of `work` holds."""
    work()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    outcome = work()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert outcome is not None
    return size


def report() -> str:
    """Return the table."""
    message = document()
    decode, loads = typed(message), lambda: json.loads(message)
    # Medians, because the collection of garbage belongs to the time of `json.loads`, and does not fall into each round.
    typed_s, loads_s = medians([decode, loads], rounds=ROUNDS, calls=CALLS, clock=time.process_time)
    typed_bytes, loads_bytes = held(decode), held(loads)
    rows = [
        ["json.loads", f"{loads_s * 1e3:.1f} ms", "1.00x", f"{loads_bytes / 2**20:.2f} MiB", "1.00x", ""],
        [
            "cdp_typed",
            f"{typed_s * 1e3:.1f} ms",
            f"{typed_s / loads_s:.2f}x",
            f"{typed_bytes / 2**20:.2f} MiB",
            f"{typed_bytes / loads_bytes:.2f}x",
            "0.35x the CPU, less memory",
        ],
    ]
    title = f"DOM.getDocument of {NODES:,} nodes, {len(message) / 2**20:.1f} MiB (smaller is better)"
    return render(title, ["", "CPU", "ratio", "memory of the outcome", "ratio", "goal, at most"], rows)
