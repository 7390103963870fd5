"""`cdp-agent` as a shell calls it, for tests with a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.supervisor.addons.agent_cli.agent_shell import AgentShell, agent_shell


@pytest.fixture
def agent() -> Iterator[AgentShell]:
    """A shell of the test's own."""
    with agent_shell() as shell:
        yield shell
