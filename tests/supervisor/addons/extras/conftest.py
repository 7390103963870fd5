"""A toolbox on the shared Chromium, and a judge on a connection of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_typed import Session, connect
from cdp_typed._base import Command
from cdp_typed.protocol import runtime, target
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites


class Bench:
    """Calls of a toolbox with every tool, and what another client sees of its page."""

    def __init__(self, ws_url: str, registry: SupervisorRegistry, sites: Sites) -> None:
        self.ws_url, self.sites = ws_url, sites
        self._registry = registry
        self.call = self.under(None)

    def under(self, policy: Policy | None) -> Call:
        """Calls under a policy."""
        config = Config(cdp_url=self.ws_url, call_timeout_s=20)
        return calls(Toolbox(config, registry=self._registry, toolsets="all", policy=policy))

    def open(self, url: str) -> None:
        """Load a page, and wait for its frames."""
        assert self.call("browser_navigate", url=url)["success"]
        self.call("browser_wait", until="loaded")

    def show(self, html: str) -> None:
        """Load a page of the address `/page`."""
        self.sites.pages["/page"] = html
        self.open(self.sites.local("/page"))

    @property
    def inner_frame(self) -> str:
        """The id of the page's only iframe."""
        (child,) = self.call("browser_snapshot")["frame_tree"]["children"]
        return str(child["frame_id"])

    def ask(self, *commands: Command[Any], of: str = "page") -> list[Any]:
        """The results of commands of another client to the page, or to its out-of-process iframe (`of="iframe"`)."""

        async def send() -> list[Any]:
            async with connect(self.ws_url) as browser:
                infos = (await browser.send(target.GetTargets())).target_infos
                session: Session = await browser.attach([info.target_id for info in infos if info.type == of][-1])
                return [await session.send(command, timeout=10) for command in commands]

        return asyncio.run(send())

    def value(self, expression: str) -> Any:
        """The value of an expression in the page, evaluated by another client."""
        command = runtime.Evaluate(expression=expression, await_promise=True, return_by_value=True)
        (evaluated,) = self.ask(command)
        assert evaluated.exception_details is None, evaluated.exception_details
        return evaluated.result.value


@pytest.fixture
def bench(endpoint: str, registry: SupervisorRegistry, sites: Sites) -> Bench:
    return Bench(endpoint, registry, sites)
