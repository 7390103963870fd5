"""What keys do: pure values."""

from __future__ import annotations

import pytest

from supervisor import PendingDialog
from supervisor.watch.input_state import BACKSPACE, DOWN, ENTER, ESCAPE, UP, Answer, Quit, View, Wish, look, press
from supervisor.watch.keys import Keys


def dialog(number: int, kind: str = "confirm", default: str = "") -> PendingDialog:
    return PendingDialog(
        id=f"d-{number}",
        type=kind,
        message="sure?",
        default_prompt=default,
        url="http://shop.test/",
        frame_id="F",
        target_id="F",
        session_id="S",
        opened_at=1.0,
    )


ONE, TWO, ASKS = dialog(1), dialog(2), dialog(3, "prompt", "nob\u00f6dy")


def after(keys: list[str], *dialogs: PendingDialog) -> tuple[View, Wish]:
    view, wish = View(), None
    for key in keys:
        view, wish = press(view, key, dialogs)
    return view, wish


@pytest.mark.parametrize(
    ("keys", "dialogs", "wish"),
    [
        (["a"], (ONE,), Answer(dialog_id="d-1", action="accept")),
        (["d"], (ONE,), Answer(dialog_id="d-1", action="dismiss")),
        (["a"], (), None),
        (["d"], (), None),
        (["j"], (), None),
        (["x"], (ONE,), None),
        (["j", "a"], (ONE, TWO), Answer(dialog_id="d-2", action="accept")),
        ([DOWN, DOWN, "a"], (ONE, TWO), Answer(dialog_id="d-1", action="accept")),
        ([UP, "a"], (ONE, TWO), Answer(dialog_id="d-2", action="accept")),
        (["k", "k", "d"], (ONE, TWO), Answer(dialog_id="d-1", action="dismiss")),
        (["q"], (), Quit()),
        (["a", ENTER], (ASKS,), Answer(dialog_id="d-3", action="accept", text="nob\u00f6dy")),
        (["a", BACKSPACE, "q", UP, ENTER], (ASKS,), Answer(dialog_id="d-3", action="accept", text="nob\u00f6dq")),
        (["a", "q", ESCAPE, "d"], (ASKS,), Answer(dialog_id="d-3", action="dismiss")),
        (["a", ESCAPE], (ASKS,), None),
    ],
)
def test_what_keys_come_to(keys: list[str], dialogs: tuple[PendingDialog, ...], wish: Wish) -> None:
    assert after(keys, *dialogs)[1] == wish


def test_typing_ends_with_the_dialog_that_it_was_for() -> None:
    typing, _ = after(["a"], ASKS)

    assert typing.typing == "nob\u00f6dy"
    assert look(typing, (ONE,)) == View(chosen="d-1")
    assert look(typing, ()) == View()
    assert look(typing, (ONE, ASKS)) == typing


@pytest.mark.parametrize(
    ("pieces", "keys"),
    [
        ([b"aQ "], ["a", "Q", " "]),
        ([b"\r\n\x7f\x08"], [ENTER, ENTER, BACKSPACE, BACKSPACE]),
        ([b"\x1b"], [ESCAPE]),
        ([b"\x1b[A\x1bOBx"], [UP, DOWN, "x"]),
        ([b"\x1b[3~\x1b[1;5Cy"], ["y"]),
        ([b"\x1b[12"], []),
        (["\u00e9".encode()[:1], "\u00e9".encode()[1:]], ["\u00e9"]),
        ([b"\xff"], ["\ufffd"]),
        ([b"\x00\x01\t"], []),
    ],
)
def test_bytes_become_keys(pieces: list[bytes], keys: list[str]) -> None:
    decoder = Keys()

    assert [key for piece in pieces for key in decoder.feed(piece)] == keys
