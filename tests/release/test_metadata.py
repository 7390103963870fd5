"""What an index shows of the project: its links, its README, its version."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest
import readme_renderer.markdown
import yaml

from cdp_typed import __version__
from cdp_typed.wire.json_text import is_object
from tests.support.wheels import ROOT, build_wheel, read_description, read_metadata

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME: str = PROJECT["urls"]["Homepage"]
HOMES = re.compile(r"https?://[^\s\"'`)<>]*cdp-typed/cdp-typed")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("dist"))


class Links(HTMLParser):
    """Collects where the links and pictures of a page lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def test_the_readme_of_an_index_has_only_absolute_links_to_files_that_are_there(wheel: Path) -> None:
    """Rendered as PyPI renders it; what leads into the repository leads to that version of it."""
    html = readme_renderer.markdown.render(read_description(wheel))
    assert html is not None
    links = [link for link in Links(html).found if not link.startswith("#")]
    files = f"{HOME}/blob/v{__version__}/"

    assert len(links) > 15
    assert [link for link in links if not link.startswith("https://")] == []
    inside = [link.removeprefix(files).partition("#")[0] for link in links if link.startswith(files)]
    assert len(inside) > 10
    assert [name for name in inside if not (ROOT / name).is_file()] == []
    pictures = [
        f"{HOME}/raw/v{__version__}/docs/pictures/{name}"
        for name in ("confirm.svg", "report.png", "live.png", "demo.png")
    ]
    assert [link for link in links if link.startswith(HOME) and not link.startswith(files)] == pictures


def test_the_metadata_names_the_project_and_where_it_lives(wheel: Path) -> None:
    metadata = read_metadata(wheel)
    urls = dict(text.split(", ") for text in metadata["Project-URL"])

    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog", "Security"} <= urls.keys()
    assert [url for url in urls.values() if not url.startswith(HOME)] == []
    assert metadata["Author"] == ["The cdp-typed project"]
    assert metadata["Description-Content-Type"] == ["text/markdown"]
    pythons = {text.removeprefix("Programming Language :: Python :: ") for text in metadata["Classifier"]}
    assert {"3.11", "3.12", "3.13", "3.14"} <= pythons
    assert "Typing :: Typed" in metadata["Classifier"]


def test_the_address_of_the_repository_stands_in_one_place() -> None:
    """A fork, or a move, changes pyproject.toml alone."""
    named = [
        path.relative_to(ROOT).as_posix()
        for pattern in ("*.md", "*.toml", "docs/*.md", ".github/**/*.*", "cdp_typed/**/*.py", "supervisor/**/*.py")
        for path in ROOT.glob(pattern)
        if HOMES.search(path.read_text(encoding="utf-8"))
    ]

    assert named == ["pyproject.toml"]
    assert set(HOMES.findall((ROOT / "pyproject.toml").read_text(encoding="utf-8"))) == {HOME}


def test_the_version_stands_in_one_place(wheel: Path) -> None:
    sources = [ROOT / "pyproject.toml", *ROOT.glob("cdp_typed/*.py"), *ROOT.glob("supervisor/*.py")]
    written = [path.name for path in sources if re.search(r'^(__)?version(__)? = "', path.read_text(), re.MULTILINE)]

    assert written == ["__init__.py"]
    assert read_metadata(wheel)["Version"] == [__version__]


def test_the_workflow_tests_what_the_metadata_promises_and_publishes_without_a_token() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    jobs = workflow["jobs"]
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))

    for job in ("tests", "wheel"):
        assert jobs[job]["strategy"]["matrix"]["python"] == promised
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert {"lint", "types", "tests", "wheel"} <= {*jobs["publish"]["needs"]}
    assert [name for name, job in jobs.items() if "upload-artifact" in str(job)] == ["build"]
    assert workflow["permissions"] == {"contents": "read"}
    assert "secrets." not in str(workflow)


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_the_files_of_the_forge_name_no_machine_and_no_registry(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert is_object(yaml.safe_load(text))
    assert re.findall(r"https?://|/(?:home|root|opt|usr|work)/|registry|index-url", text) == []


def test_the_commands_of_the_workflow_are_targets_of_make() -> None:
    makefiles = [(ROOT / name).read_text() for name in ("Makefile", "evals/Makefile")]
    targets = {*re.findall(r"^([a-z-]+):", "\n".join(makefiles), re.MULTILINE)}
    called = re.findall(r"- run: make (.+)", (ROOT / ".github" / "workflows" / "ci.yml").read_text())

    assert len(called) > 3
    assert {target for line in called for target in line.split() if "=" not in target} - targets == set()
