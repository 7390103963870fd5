"""A page on real Chromium, and all tools."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from supervisor import SupervisorRegistry
from tests.support.servers.sites import Sites

HEAD = "<!doctype html><link rel=icon href=data:,><script>log = []</script>"


class Desk:
    """Calls all tools, and serves the page."""

    def __init__(self, call: Callable[..., dict[str, Any]], sites: Sites, registry: SupervisorRegistry) -> None:
        self.call, self.sites, self.registry = call, sites, registry

    def show(self, html: str, *, snapshot: bool = True) -> str:
        """Show a page, which has a list `log`, and return it as a snapshot has it, if one is taken."""
        self.sites.pages["/page"] = HEAD + html
        shown = self.call("browser_navigate", url=self.sites.local("/page"), snapshot=snapshot)
        assert shown["success"], shown
        return str(shown.get("page"))

    def refs(self, html: str) -> dict[str, str]:
        """Show a page, and return the refs of its elements by their names."""
        return dict(re.findall(r'"([^"]+)" \[ref=(e\d+)\]', self.show(html)))

    def value(self, expression: str) -> Any:
        return self.call("browser_evaluate", expression=expression)["value"]

    def log(self) -> Any:
        """What the page has noted."""
        return self.value("log")

    def fill(self, ref: str, value: str) -> dict[str, Any]:
        """The result of filling one field."""
        return self.call("browser_fill_form", fields=[{"ref": ref, "value": value}])

    def accept(self) -> None:
        """Accept the dialog."""
        assert self.call("browser_dialog", action="accept")["success"]
