"""`read_answers`: the answers of a HAR file, and of the files beside it that hold bodies."""

from __future__ import annotations

from pathlib import Path

from .har_answers import HarAnswer, answers_in


def read_answers(path: Path) -> tuple[HarAnswer, ...]:
    """Return the recorded answers. Raises `OSError` if a file cannot be read, and what `answers_in` raises."""

    def attached(name: str) -> bytes:
        if Path(name).name != name:
            raise ValueError("a body of the HAR file lies outside its folder")
        return (path.parent / name).read_bytes()

    return answers_in(path.read_bytes(), attached)
