"""`python -m website ZENSICAL`: builds the documentation site into `site/`, and checks it.

Exit codes: 0 built; 1 something is wrong with the site; 2 a page cannot be written.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cdp_typed import __version__
from codegen.load import load
from website.checks import complaints
from website.navigation import navigation
from website.protocol import protocol_pages
from website.reference import reference_pages
from website.repository import REPOSITORY, ROOT, BrokenLink, hand_written_pages

HERE = Path(__file__).parent
WORK = ROOT / "build" / "website"
SITE = ROOT / "site"


def main(arguments: list[str]) -> int:
    """Build the site with the program that is named; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m website ZENSICAL", file=sys.stderr)
        return 2
    try:
        write_sources(WORK)
    except BrokenLink as error:
        print(f"website: {error}", file=sys.stderr)
        return 2
    built = subprocess.run([Path(arguments[0]).absolute(), "build", "--strict", "--clean"], cwd=WORK, check=False)
    if built.returncode:
        return 1
    found = complaints(WORK / "site")
    for complaint in found:
        print(f"website: {complaint}", file=sys.stderr)
    if found:
        return 1
    publish(WORK / "site", SITE, __version__)
    print(f"{SITE / __version__}: {len([*(SITE / __version__).rglob('*.html')])} pages; to read it:", end=" ")
    print(f"python -m http.server -b 127.0.0.1 -d {SITE}")
    return 0


def write_sources(work: Path) -> None:
    """Write the pages and the configuration of the builder. Raises `BrokenLink`."""
    pages = hand_written_pages() | reference_pages() | protocol_pages()
    shutil.rmtree(work, ignore_errors=True)
    for name, text in pages.items():
        (work / "pages" / name).parent.mkdir(parents=True, exist_ok=True)
        (work / "pages" / name).write_text(text, encoding="utf-8")
    if (ROOT / "docs" / "pictures").is_dir():
        shutil.copytree(ROOT / "docs" / "pictures", work / "pages" / "pictures")
    shutil.copytree(HERE / "overrides", work / "overrides")
    shutil.copy(HERE / "style.css", work / "pages" / "style.css")
    configuration = (HERE / "zensical.toml").read_text(encoding="utf-8")
    for empty, value in (("nav = []", navigation(pages)), ('repo_url = ""', json.dumps(REPOSITORY))):
        configuration = configuration.replace(empty, f"{empty.partition('=')[0]}= {value}")
    (work / "zensical.toml").write_text(configuration, encoding="utf-8")


def publish(built: Path, site: Path, version: str) -> None:
    """Put what was built beside the versions that are there, and list all of them for the switch."""
    shutil.rmtree(site / version, ignore_errors=True)
    shutil.copytree(built, site / version)
    versions = sorted((path.parent.name for path in site.glob("*/index.html")), key=_order, reverse=True)
    listed = [{"version": name, "title": name, "aliases": list[str]()} for name in versions]
    (site / "versions.json").write_text(json.dumps(listed) + "\n", encoding="utf-8")
    _lead(site, f"{versions[0]}/", f"The documentation of cdp-typed {versions[0]}")
    for domain in load()[1].domains:
        folder = site / version / "protocol" / domain.domain
        if folder.parent.is_dir() and not folder.exists():  # where the case of names counts
            _lead(folder, f"../{domain.domain.lower()}/", f"{domain.domain} of the protocol")


def _lead(folder: Path, to: str, title: str) -> None:
    """Write a page that leads to another one."""
    folder.mkdir(exist_ok=True)
    (folder / "index.html").write_text(
        f'<!doctype html><title>cdp-typed</title><meta http-equiv="refresh" content="0; url={to}">'
        f'<a href="{to}">{title}</a>\n',
        encoding="utf-8",
    )


def _order(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
