"""The tools of Playwright MCP with all its capability groups, as tasks use them.

Where it has no tool for a step, its own guide proposes code: `browser_run_code_unsafe` takes a function of a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from benchmarks.agents.playwright_hands import PlaywrightHands
from benchmarks.agents.toolsets.page_scripts import CACHED, RECORDS
from tests.tasks.hands import NotOnPage, ToolFailed
from tests.tasks.toolsets.hands import Area, Check, Mock, ToolsetHands

_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
"""Of a request."""
_ERRORS = re.compile(r"Errors: (\d+)")


class PlaywrightToolsetHands(PlaywrightHands, ToolsetHands):
    """A server of `@playwright/mcp` with `--caps config,devtools,network,pdf,storage,testing,vision`."""

    def cookies(self, host: str = "") -> str:
        options: dict[str, object] = {"domain": host} if host else {}
        return self._call("cookies", "browser_cookie_list", **options)

    def cookie(self, name: str) -> str:
        return self._call("cookies", "browser_cookie_get", name=name)

    def set_cookie(self, name: str, value: str, *, host: str = "", path: str = "/", http_only: bool = False) -> str:
        options: dict[str, object] = {"domain": host} if host else {}
        named = {"name": name, "value": value, "path": path, "httpOnly": http_only}
        return self._call("cookies", "browser_cookie_set", **named, **options)

    def delete_cookie(self, name: str) -> str:
        return self._call("cookies", "browser_cookie_delete", name=name)

    def clear_cookies(self) -> str:
        return self._call("cookies", "browser_cookie_clear")

    def stored(self, area: Area, key: str, *, frame: str = "") -> str:
        if frame:
            return self._in_frame(frame, f"() => {area}Storage.getItem({json.dumps(key)})")
        return self._call("storage", f"browser_{area}storage_get", key=key)

    def store(self, area: Area, key: str, value: str, *, frame: str = "") -> str:
        if frame:
            return self._in_frame(frame, f"() => {area}Storage.setItem({json.dumps(key)}, {json.dumps(value)})")
        return self._call("storage", f"browser_{area}storage_set", key=key, value=value)

    def forget(self, area: Area, key: str) -> str:
        return self._call("storage", f"browser_{area}storage_delete", key=key)

    def clear_storage(self, area: Area) -> str:
        return self._call("storage", f"browser_{area}storage_clear")

    def records(self, database: str, store: str) -> str:
        return self._evaluate(RECORDS % (json.dumps(database), json.dumps(store)))

    def cached(self, cache: str, url: str) -> str:
        return self._evaluate(CACHED % (json.dumps(cache), json.dumps(url)))

    def save_state(self, name: str) -> str:
        return self._call("state", "browser_storage_state", filename=name)

    def load_state(self, name: str) -> str:
        return self._call("state", "browser_set_storage_state", filename=name)

    def requests(self, part: str = "") -> str:
        options: dict[str, object] = {"filter": re.escape(part)} if part else {}
        return self._call("requests", "browser_network_requests", static=True, **options)

    def request(self, part: str) -> str:
        found = _NUMBER.findall(self.requests(part))
        if not found:
            raise NotOnPage(f"no request {part!r}")
        index = int(found[-1])
        texts = [self._call("requests", "browser_network_request", index=index)]
        texts += [
            self._call("requests", "browser_network_request", index=index, part=each)
            for each in ("request-body", "response-body")
            if each in texts[0]  # which proposes to ask for it
        ]
        return "\n".join(texts)

    def mock(self, path: str, answer: Mock) -> str:
        given = {"status": answer.status, "body": answer.body, "contentType": answer.content_type}
        if not answer.method and answer.times is None:
            return self._call("routes", "browser_route", pattern=f"**/{path}", **given)
        is_meant = f"route.request().method() === '{answer.method}'" if answer.method else "true"
        options = {} if answer.times is None else {"times": answer.times}
        handler = f"route => {is_meant} ? route.fulfill({json.dumps(given)}) : route.fallback()"
        return self._routed(path, handler, options)

    def abort(self, path: str) -> str:
        return self._routed(path, "route => route.abort()")

    def delay(self, path: str, seconds: float) -> str:
        wait = f"await new Promise(done => setTimeout(done, {seconds * 1000:g}))"
        return self._routed(path, f"async route => {{ {wait}; await route.continue() }}")

    def change(self, path: str, *, header: tuple[str, str] | None = None, without: str = "", body: str = "") -> str:
        if body:
            return self._routed(path, f"route => route.continue({{postData: {json.dumps(body)}}})")
        options: dict[str, object] = {"headers": [": ".join(header)]} if header else {}
        if without:
            options["removeHeaders"] = without
        return self._call("routes", "browser_route", pattern=f"**/{path}", **options)

    def unroute(self) -> str:
        return self._call("routes", "browser_unroute")

    def verify(self, check: Check, expected: str | Sequence[str], *, name: str = "", role: str = "") -> bool:
        match check:
            case "text":
                return self._holds("browser_verify_text_visible", text=expected)
            case "visible":
                return self._holds("browser_verify_element_visible", role=role, accessibleName=name)
            case "value":
                return self._holds(
                    "browser_verify_value", type=role, element=name, target=self.ref(name, role), value=expected
                )
            case "list":
                return self._holds(
                    "browser_verify_list_visible", element=name, target=self.ref(name, role), items=expected
                )
            case "console":
                errors = _ERRORS.search(self._call("console", "browser_console_messages", level="error"))
                return errors is not None and int(errors.group(1)) == 0
            case "count":
                found = re.findall(rf'^\s*- {role} "{re.escape(name)}"', self.snapshot().text, re.MULTILINE)
                return len(found) == int(str(expected))
            case "title":
                return f"Page Title: {expected}\n" in self.snapshot().text
            case _:
                return self.snapshot().has(rf"Page URL: .*{re.escape(str(expected))}")

    def read(self, *, frame: str = "", part: int = 1) -> str:
        return self.snapshot().text

    def undo(self) -> None:
        self._client.call("browser_unroute", {})
        self._client.call("browser_run_code_unsafe", {"code": "page => page.context().unrouteAll()"})

    def fresh(self) -> None:
        super().fresh()
        self.undo()

    def _holds(self, tool: str, **arguments: object) -> bool:
        try:
            self._call("verify", tool, **arguments)
        except ToolFailed as error:
            if "Invalid arguments" in str(error):
                raise
            self.usage.failed -= 1  # an answer, and no failure
            return False
        return True

    def _script(self, code: str) -> str:
        return self._call("script", "browser_run_code_unsafe", code=code)

    def _evaluate(self, function: str) -> str:
        return self._script(f"page => page.evaluate({function})")

    def _in_frame(self, title: str, function: str) -> str:
        element = f"await page.locator('iframe[title=\"{title}\"]').elementHandle()"
        return self._script(f"async page => (await ({element}).contentFrame()).evaluate({function})")

    def _routed(self, path: str, handler: str, options: dict[str, int] | None = None) -> str:
        pattern, extra = json.dumps(f"**/{path}"), f", {json.dumps(options)}" if options else ""
        return self._script(f"async page => {{ await page.context().route({pattern}, {handler}{extra}) }}")
