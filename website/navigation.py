"""The navigation: sections of pages, and what is not named there joins the last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from json import dumps

from website.repository import title_of

_SECTIONS = {
    "Get started": ["index.md", "start-agent.md", "start-client.md", "start-testing.md", "notebooks.md"],
    "Agents": ["tools.md", "toolsets.md", "integrations.md", "mcp.md", "cdp-agent.md"],
    "Supervisor": ["supervisor.md", "live.md", "report.md", "containers.md", "fleet.md"],
    "Client": ["client.md", "connecting.md", "recipes.md", "command-line.md", "migration.md"],
    "Mock": ["testing-with-the-mock.md", "mock.md"],
    "Measurements": ["agents.md", "browsers.md", "faults.md", "benchmarks.md"],
    "API": ["api/index.md"],
    "Protocol": ["protocol/index.md"],
    "Project": ["glossary.md", "changelog.md", "architecture.md", "contributing.md", "security.md"],
}
_GENERATED = {"API": "api/", "Protocol": "protocol/"}


def navigation(pages: Mapping[str, str]) -> str:
    """Return the navigation of all pages, as a value of TOML. Raises `KeyError` for a page that is not there."""
    sections = {title: list(paths) for title, paths in _SECTIONS.items()}
    for title, folder in _GENERATED.items():
        sections[title] += [page for page in pages if page.startswith(folder) and page not in sections[title]]
    named = {path for paths in sections.values() for path in paths}
    sections["Project"] += sorted(page for page in pages if page not in named)
    return _list(
        f"{{ {dumps(title)} = {_list(_entry(pages, path) for path in paths)} }}" for title, paths in sections.items()
    )


def _entry(pages: Mapping[str, str], path: str) -> str:
    title = title_of(pages[path]).partition(" *")[0].replace("`", "")
    name = "Overview" if path.endswith("/index.md") else title
    return f"{{ {dumps(name)} = {dumps(path)} }}"


def _list(items: Iterable[str]) -> str:
    return "[" + ", ".join(items) + "]"
