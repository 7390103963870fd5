"""The pages that are written by hand: their links lead to pages of the site, or to files of the repository."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

ROOT = Path(__file__).parents[1]
REPOSITORY: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
"""The address at which the files of the repository are shown."""
_FROM_THE_ROOT = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


class BrokenLink(ValueError):
    """A page links to a file that the repository does not have."""


def hand_written_pages(root: Path = ROOT) -> dict[str, str]:
    """Return the text of each page by its path in the site. Raises `BrokenLink`."""
    sources = {**_FROM_THE_ROOT, **{f"docs/{path.name}": path.name for path in sorted((root / "docs").glob("*.md"))}}
    return {page: _page(root, source, page, sources) for source, page in sources.items()}


def title_of(text: str) -> str:
    """Return the heading of a page."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert found is not None, text[:80]
    return found[1]


def front_matter(source: str) -> str:
    """Return the head of a page that names the file to edit."""
    return f"---\nsource: {source}\n---\n\n"


def _page(root: Path, source: str, page: str, sources: dict[str, str]) -> str:
    text = (root / source).read_text(encoding="utf-8")
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    rewritten: Iterable[str] = (
        part if part.startswith("```") else _LINK.sub(partial(_target, root, source, page, sources), part)
        for part in parts
    )
    return front_matter(source) + "".join(rewritten)


def _target(root: Path, source: str, page: str, sources: dict[str, str], link: re.Match[str]) -> str:
    path = normpath(str(PurePosixPath(source).parent / link[1]))
    anchor = link[2] or ""
    if path in sources:
        return relpath(sources[path], str(PurePosixPath(page).parent)) + anchor
    if path.startswith("docs/pictures/") and (root / path).is_file():
        return path.removeprefix("docs/")
    if not (root / path).exists():
        raise BrokenLink(f"{source}: {link[0]} leads to {path}, which is not there")
    return f"{REPOSITORY}/blob/main/{path}{anchor}"
