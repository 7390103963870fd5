"""The watch over the secret of the tests: whatever shows it fails, even in a test that passes otherwise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.secrets import CANARY, SPILLS, heard
from tests.support.wheels import ROOT

LEAKING = """\
import logging, subprocess, sys, warnings

import pytest

from cdp_typed.addresses import InsecureEndpointWarning
from cdp_typed.errors import ConnectionLost, SessionDetached
from tests.support.secrets import CANARY, heard

@pytest.fixture
def at_the_end():
    yield
    print(CANARY)

def test_stdout(): print(f"connected to ws://h/?token={CANARY}")
def test_stderr(): print(CANARY, file=sys.stderr)
def test_log(): logging.getLogger("cdp_typed").warning("connected to ws://h/?token=%s", CANARY)
def test_teardown(at_the_end): pass
def test_host(): print(f"http://{CANARY.lower()}.example")
def test_expected_error():
    with pytest.raises(ConnectionLost): raise ConnectionLost(f"wss://h/?token={CANARY}")
def test_expected_warning():
    with pytest.warns(InsecureEndpointWarning): warnings.warn(CANARY, InsecureEndpointWarning)
def test_capsys(capsys):
    print(CANARY)
    assert capsys.readouterr().out
def test_program(): subprocess.run([sys.executable, "-c", f"print('{CANARY}')"], capture_output=True, check=True)
def test_pipe(): heard(f"listening with {CANARY}")

def test_innocent(capsys):
    token = CANARY
    with pytest.raises(SessionDetached): raise SessionDetached("s")
    print("token", len(token))
"""


@pytest.mark.thorough
def test_whatever_shows_the_secret_fails(tmp_path: Path) -> None:
    """In a run of its own, whose report keeps the secret for itself."""
    (tmp_path / "test_leaking.py").write_text(LEAKING, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.support.secrets", "-p", "no:cacheprovider", "--show-capture=no",
         f"--rootdir={tmp_path}", "-rA", "-q", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip

    told = dict(re.findall(r"^\S+::test_(\w+): the secret of the tests was shown in: (.+)$", done.stdout, re.MULTILINE))
    assert told == {
        "stdout": "Captured stdout call",
        "stderr": "Captured stderr call",
        "log": "Captured log call",
        "teardown": "Captured stdout teardown",
        "host": "Captured stdout call",
        "expected_error": "the error ConnectionLost",
        "expected_warning": "the warning InsecureEndpointWarning",
        "capsys": "what was read from capsys",
        "program": "what a program said",
        "pipe": "what a program said",
    }, done.stdout
    assert re.findall(r"^PASSED \S+::(\w+)", done.stdout, re.MULTILINE) == ["test_teardown", "test_innocent"]


def test_what_is_read_by_hand_is_looked_at_and_given_on() -> None:
    assert (heard("nothing"), SPILLS.take()) == ("nothing", [])
    assert (heard(CANARY), SPILLS.take()) == (CANARY, ["what a program said"])
