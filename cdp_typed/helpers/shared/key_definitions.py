"""The keys of a keyboard, as `Input.dispatchKeyEvent` wants them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from cdp_typed.protocol.input import DispatchKeyEvent

MODIFIERS: Mapping[str, int] = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
"""Name -> its bit."""

_MODIFIER_NUMBERS: Mapping[str, int] = {"Shift": 16, "Control": 17, "Alt": 18, "Meta": 91}

_OTHER_NAMES: Mapping[str, str] = {
    "Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Option": "Alt", "Esc": "Escape", "Return": "Enter",
    "Del": "Delete", "Space": " ", "Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight",
}  # fmt: skip

_CODES: Mapping[str, int] = {
    "Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Insert": 45, "Delete": 46,
    **{f"F{number}": 111 + number for number in range(1, 13)},
}  # fmt: skip
"""Keys with their own name, and Windows' numbers for them."""

_TEXTS: Mapping[str, str] = {"Enter": "\r"}
"""The text that each of these keys types."""

_SIGNS: Mapping[str, tuple[str, str, int]] = {
    sign: (code, other, number)
    for code, number, plain, shifted in (
        ("Minus", 189, "-", "_"), ("Equal", 187, "=", "+"), ("BracketLeft", 219, "[", "{"),
        ("BracketRight", 221, "]", "}"), ("Backslash", 220, "\\", "|"), ("Semicolon", 186, ";", ":"),
        ("Quote", 222, "'", '"'), ("Backquote", 192, "`", "~"), ("Comma", 188, ",", "<"), ("Period", 190, ".", ">"),
        ("Slash", 191, "/", "?"), *((f"Digit{n}", 48 + n, str(n), ")!@#$%^&*("[n]) for n in range(10)),
    )
    for sign, other in ((plain, plain), (shifted, plain))
}  # fmt: skip
"""Sign -> where it is on a US keyboard, what that key types without Shift, and Windows' number for it."""


class Key(Struct, frozen=True, kw_only=True):
    """One key, with the modifiers that are held meanwhile."""

    key: str
    """As `KeyboardEvent.key` has it."""
    code: str
    """As `KeyboardEvent.code` has it; empty for a character that is on no US keyboard."""
    number: int
    modifiers: int = 0
    text: str = ""
    """The text that the key types."""

    def events(self) -> Iterator[DispatchKeyEvent]:
        """Down and up again."""
        for kind in ("keyDown" if self.text else "rawKeyDown", "keyUp"):
            yield DispatchKeyEvent(
                type=kind,
                key=self.key,
                code=self.code,
                windows_virtual_key_code=self.number,
                modifiers=self.modifiers,
                text=self.text if self.text and kind == "keyDown" else None,
            )


def parse_key(keys: str) -> Key:
    """Return a key, with modifiers before it: `Enter`, `a`, `Control+a`, `Shift+Tab`, `Control++`.

    Raises `ValueError` for a name that no key has.
    """
    names, name = (
        keys[:-1].rpartition("+")[0],
        keys[-1:] if len(keys) < 2 or keys[-2] == "+" else keys.rpartition("+")[2],
    )
    held = 0
    for modifier in filter(None, names.split("+")):
        bit = MODIFIERS.get(_OTHER_NAMES.get(modifier, modifier))
        if bit is None:
            raise _unknown(keys)
        held |= bit
    return _key(keys, _OTHER_NAMES.get(name, name), held)


def typed_keys(text: str) -> Iterator[Key]:
    """Yield the keys that type a text, one for each character; a line end is Enter."""
    for character in text.replace("\r\n", "\n"):
        yield parse_key("Enter" if character in "\r\n" else "Tab" if character == "\t" else character)


def known_keys() -> tuple[str, ...]:
    """Return the names of all keys that are not a character."""
    return (*_CODES, *MODIFIERS)


def _unknown(asked: str) -> ValueError:
    return ValueError(f"there is no key {asked!r}; a key is one character or one of {', '.join(known_keys())}")


def _key(asked: str, name: str, held: int) -> Key:
    if name in _CODES:
        text = "" if held & ~MODIFIERS["Shift"] else _TEXTS.get(name, "")
        return Key(key=name, code=name, number=_CODES[name], modifiers=held, text=text)
    if name in MODIFIERS:
        number = _MODIFIER_NUMBERS[name]
        return Key(key=name, code=f"{name}Left", number=number, modifiers=held | MODIFIERS[name])
    if len(name) != 1:
        raise _unknown(asked)
    text = "" if held & ~MODIFIERS["Shift"] else name
    if name in _SIGNS:
        code, plain, number = _SIGNS[name]
        shift = MODIFIERS["Shift"] if name != plain else 0
        return Key(key=name, code=code, number=number, modifiers=held | shift, text=text)
    if name == " ":
        return Key(key=" ", code="Space", number=32, modifiers=held, text=text)
    if name.isascii() and name.isalpha():
        is_upper = name.isupper() or bool(held & MODIFIERS["Shift"])
        shown = name.upper() if is_upper else name
        shift = MODIFIERS["Shift"] if is_upper else 0
        return Key(
            key=shown,
            code=f"Key{name.upper()}",
            number=ord(name.upper()),
            modifiers=held | shift,
            text=shown if text else "",
        )
    return Key(key=name, code="", number=0, modifiers=held, text=text)
