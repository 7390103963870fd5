"""The room of the tasks, and our tools in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from evals.libraries.installed import installed_packages
from evals.tasks.desk import Room
from evals.tasks.hands import Hands
from evals.tasks.our_hands import OurHands, clear_up
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.red import RED
from evals.tasks.task import Task
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.browsers import launched


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect the tasks of the red list to fail, and only those."""
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        task = params.get("task")
        if isinstance(task, Task) and task.name in RED:
            item.add_marker(pytest.mark.xfail(reason=RED[task.name], strict=True))


@pytest.fixture(scope="module")
def libraries() -> Path:
    """The folder of the packages."""
    return installed_packages("make packages")


@pytest.fixture(scope="module")
def room(libraries: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The server of the tasks' pages."""
    with Room(libraries, tmp_path_factory.mktemp("room")) as room:
        yield room


@pytest.fixture(scope="module")
def browser_url() -> Iterator[str]:
    """A browser for all tasks."""
    with launched() as browser:
        yield browser.ws_url


@pytest.fixture(scope="module")
def judge(browser_url: str) -> Iterator[RawBrowser]:
    """What the tasks are judged by."""
    with RawBrowser(browser_url) as judge:
        yield judge


@pytest.fixture(scope="module")
def our_hands(browser_url: str) -> Iterator[Hands]:
    """Our tools, by a toolbox in this process."""
    registry = SupervisorRegistry()
    toolbox = Toolbox(Config(cdp_url=browser_url), registry=registry)

    def call(name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        text = toolbox.dispatch(name, dict(arguments))
        return text, not json.loads(text)["success"]

    yield OurHands(call, frozenset(tool.name for tool in toolbox.available()))
    registry.stop_all()


@pytest.fixture
def hands(our_hands: Hands, judge: RawBrowser) -> Iterator[Hands]:
    """The same, with one tab and no dialog."""
    yield our_hands
    clear_up(our_hands, judge)
