"""Each row of docs/agents.md that counts, played: the input of another server's tool, and what becomes of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event
from typing import Any, TypeGuard

import pytest

from evals.agents.parity.answers import unknown_in
from evals.agents.parity.cases import Case, cases
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Page, Request, Response, Sites
from tests.support.stages.shared_browser import SharedBrowser

pytestmark = pytest.mark.chromium

CASES = cases()
ICON = "<!doctype html><link rel=icon href=data:,>"


def test_every_case_has_tools_and_options_that_the_others_have() -> None:
    assert [wrong for case in CASES for wrong in unknown_in(case)] == []
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", [case for case in CASES if case.test], ids=lambda case: case.name)
def test_the_test_that_plays_a_case_exists(case: Case) -> None:
    path, _, name = case.test.partition("::")
    assert f"def {name}(" in (Path(__file__).parents[3] / "tests" / path).read_text(encoding="utf-8")


@pytest.fixture
def tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the files of a case and those that its calls write."""
    for name in ("STATE", "FILES"):
        monkeypatch.setenv(f"CDP_{name}_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def shared_chromium() -> Iterator[SharedBrowser]:
    """One browser, emptied for each case."""
    with SharedBrowser("chromium") as browser:
        yield browser


@pytest.fixture
def call(shared_chromium: SharedBrowser) -> Iterator[Call]:
    """Calls of all tools."""
    registry = SupervisorRegistry()
    config = Config(cdp_url=shared_chromium.empty().ws_url, call_timeout_s=20)
    yield calls(Toolbox(config, registry=registry, toolsets="all"))
    registry.stop_all()


@pytest.mark.parametrize("case", [case for case in CASES if case.ours], ids=lambda case: case.name)
def test_ours_does_what_theirs_does(case: Case, call: Call, sites: Sites, tmp: Path) -> None:
    known = {"tmp": str(tmp), "site": sites.local(""), "remote": sites.remote(""), "host": f"localhost:{sites.port}"}
    for name, text in case.files.items():
        (tmp / name).write_text(text, encoding="utf-8")
    with _Held(sites):
        sites.pages |= {"/echo": _echo, "/page": ICON + _put(case.page, known)}
        sites.pages |= {path: _page(_put(page, known)) for path, page in case.others.items()}
        assert call("browser_navigate", url=sites.local("/page"))["success"]
        call("browser_wait", until="loaded", timeout=5) if "/held" not in case.page else None
        sites.requests.clear()
        for tool, arguments, *rest in case.ours:
            result = call(tool, **_put(arguments, known))
            wanted = _named(rest[:1])
            kept = _named(rest[1:])
            differs = _differs(result, _put({"success": True, **wanted}, known), tool)
            assert not differs, f"{differs} in {json.dumps(result)[:3000]}"
            known |= {name: str(_at(result, path)) for name, path in kept.items()}
    for expression, value in case.then.items():
        script = f"JSON.stringify({_put(expression, known)}) === JSON.stringify({json.dumps(_put(value, known))})"
        came = call("browser_page", action="wait_js", text=script, timeout=5)
        assert came["success"], call("browser_evaluate", expression=_put(expression, known))
    paths = [request.path for request in sites.requests]
    assert {path: paths.count(path) for path in case.server} == case.server


class _Held:
    """While a case runs, `/held` is not answered before `/release` is."""

    def __init__(self, sites: Sites) -> None:
        self._sites = sites
        self._released = Event()

    def __enter__(self) -> None:
        def held(_: Request) -> str:
            self._released.wait(20)
            return "held"

        def release(_: Request) -> str:
            self._released.set()
            return "released"

        self._sites.pages |= {"/held": held, "/release": release}

    def __exit__(self, *_: object) -> None:
        self._released.set()


def _named(given: list[dict[str, Any]]) -> dict[str, Any]:
    return given[0] if given else {}


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _echo(request: Request) -> str:
    return json.dumps({"method": request.method, "headers": dict(request.headers), "body": request.body.decode()})


def _page(page: Any) -> Page:
    if isinstance(page, str):
        return page if page.startswith("{") else ICON + page
    return Response(page.get("body", ""), page.get("status", 200), page.get("headers", {}))


def _put(value: Any, known: Mapping[str, str]) -> Any:
    """The same with what is known in place of its name in braces."""
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], found[0]), value)
    if _is_object(value):
        return {_put(name, known): _put(each, known) for name, each in value.items()}
    if _is_list(value):
        return [_put(each, known) for each in value]
    return value


def _at(result: Any, path: str) -> Any:
    for part in path.split("."):
        result = result[int(part)] if part.lstrip("-").isdecimal() else result[part]
    return result


def _differs(found: Any, wanted: Any, where: str) -> str:
    """Where a result is not as wanted: objects have these fields, and lists these items in this order; an empty list is
    empty. A text after `~` is a pattern that is found, after `!~` one that is not; a field `!name` is missing."""
    if _is_object(wanted):
        if not _is_object(found):
            return f"{where}: {found!r} is no object"
        for name, each in wanted.items():
            if name.startswith("!"):
                if name[1:] in found:
                    return f"{where}.{name[1:]} is there"
            elif name not in found:
                return f"{where}.{name} is missing"
            elif differs := _differs(found[name], each, f"{where}.{name}"):
                return differs
        return ""
    if _is_list(wanted) and _is_list(found) and wanted:
        left = iter(found)
        missing = [each for each in wanted if all(_differs(item, each, "") for item in left)]
        return f"{where}: no {missing[0]!r} in this order" if missing else ""
    if isinstance(wanted, str) and wanted.startswith(("~", "!~")):
        is_in = re.search(wanted.lstrip("!").removeprefix("~"), str(found)) is not None
        return "" if is_in is wanted.startswith("~") else f"{where}: {found!r}, wanted {wanted!r}"
    return "" if found == wanted else f"{where}: {found!r}, wanted {wanted!r}"
