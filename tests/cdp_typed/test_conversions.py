"""Values become types in any number of threads, also the first of their type."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any

import pytest
from msgspec import Meta

from cdp_typed.conversions import convert, decode

IN_FOUR_THREADS = """
import sys, threading
from msgspec import defstruct
from cdp_typed.conversions import convert, decode
from cdp_typed.schema import load_schema

sys.setswitchinterval(1e-6)

def together(work):
    barrier, ended = threading.Barrier(4), []
    def one():
        barrier.wait()
        work()
        ended.append(1)
    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert len(ended) == 4

together(load_schema)
for read in (lambda kind: decode(b'{"part": {"part": {}}}', kind), lambda kind: convert({"part": {"part": {}}}, kind)):
    for _ in range(25):
        kind = int
        for number in range(20):
            fields = [(name, kind | None, None) for name in ("part", "a", "b", "c", "d")]
            kind = defstruct(f"Part{number}", fields)
        together(lambda: read(kind))
"""


def test_the_first_values_of_a_type_are_read_by_several_threads() -> None:
    ended = subprocess.run([sys.executable, "-c", IN_FOUR_THREADS], capture_output=True, text=True, timeout=120)

    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("kind", "value"),
    [(list[int], [1]), (int | str, "a"), (Annotated[int, Meta(extra={"no": ["hash"]})], 1), (Any, {})],
)
def test_whatever_msgspec_takes_for_a_type_is_one_and_nothing_else(kind: Any, value: Any) -> None:
    assert convert(value, kind) == value
    with pytest.raises(TypeError):
        decode(b"1", 1)
