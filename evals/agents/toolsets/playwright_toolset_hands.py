"""The tools of Playwright MCP with all its capability groups, as tasks use them.

Where it has no tool for a step, its own guide proposes code: `browser_run_code_unsafe` takes a function of a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from evals.agents.playwright_hands import PlaywrightHands
from evals.agents.stdio_client import StdioClient
from evals.agents.toolsets.code_runs import played
from evals.agents.toolsets.page_scripts import (
    CACHED,
    CALL_PAGE_TOOL,
    CHOOSE_ACCOUNT,
    PAGE_TOOLS,
    RECORDS,
    RULES,
    UNUSED_CODE,
    VITALS,
)
from evals.tasks.hands import NotOnPage, NoTool, ToolFailed
from evals.tasks.toolsets.hands import PASSWORD, USER, Area, Check, Mock, Surroundings, ToolsetHands

_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
"""Of a request."""
_ERRORS = re.compile(r"Errors: (\d+)")
_CODE = re.compile(r"### Ran Playwright code\n```js\n(.*?)\n```", re.DOTALL)
_CLIPBOARD = "await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])"
SECRETS = {"SHOP_PASSWORD": PASSWORD}
"""The secrets that a person gives the server at its start. A model types their names."""
_READ_CLIPBOARD = "() => navigator.clipboard.readText()"


class PlaywrightToolsetHands(PlaywrightHands, ToolsetHands):
    """A server of `@playwright/mcp` with `--caps config,devtools,network,pdf,storage,testing,vision`."""

    def __init__(self, client: StdioClient) -> None:
        super().__init__(client)
        self._folder = client.folder
        self._recorded = 0
        """The number of results before the recording."""
        self._code = ""

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

    def begin_har(self, name: str) -> str:
        return self._script(f"async page => {{ await page.context().tracing.startHar({self._har(name)}) }}")

    def save_har(self, name: str) -> str:
        return self._script("page => page.context().tracing.stopHar()")

    def replay_har(self, name: str) -> str:
        return self._script(f"page => page.context().routeFromHAR({self._har(name)})")

    def unroute(self) -> str:
        return self._call("routes", "browser_unroute")

    def fill_login(self) -> str:
        self.type(self.ref("User", "textbox"), USER)
        return self.type(self.ref("Password", "textbox"), "SHOP_PASSWORD")

    def send_login(self, origin: str) -> str:
        given = json.dumps({"username": USER, "password": PASSWORD, "origin": origin})
        return self._script(f"page => page.context().setHTTPCredentials({given})")

    def choose_account(self, ref: str, email: str) -> str:
        return self._script(CHOOSE_ACCOUNT % (json.dumps(email), json.dumps(_selector(ref))))

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

    def emulate(self, surroundings: Surroundings) -> str:
        return "\n".join(self._emulated(surroundings))

    def end_emulation(self) -> str:
        self._call("emulate", "browser_emulate_media", colorScheme=None)
        return self._call("emulate", "browser_resize", width=1280, height=720)

    def vitals(self) -> str:
        return self._evaluate(VITALS)

    def begin_coverage(self) -> str:
        return self._script("page => page.coverage.startJSCoverage()")

    def end_profile(self) -> str:
        return self._script(UNUSED_CODE)

    def record(self, name: str) -> str:
        self._recorded = len(self._texts)  # every action has its code in its result
        return ""

    def end_recording(self) -> str:
        self._code = "\n".join(_CODE.findall("\n".join(self._texts[self._recorded :])))
        return self._code

    def play_code(self, name: str) -> bool:
        return played(self._code)

    def forward(self) -> str:
        return self._script("page => page.goForward()")

    def reload(self) -> str:
        return self._script("page => page.reload()")

    def read_clipboard(self) -> str:
        return self._script(f"async page => {{ {_CLIPBOARD}; return page.evaluate({_READ_CLIPBOARD}) }}")

    def write_clipboard(self, text: str) -> str:
        write = f"() => navigator.clipboard.writeText({json.dumps(text)})"
        return self._script(f"async page => {{ {_CLIPBOARD}; await page.evaluate({write}) }}")

    def console_stacks(self, part: str) -> str:
        return self._call("console", "browser_console_messages", level="error")

    def open_with_script(self, script: str, url: str) -> str:
        self._script(f"async page => {{ await page.addInitScript({json.dumps(script)}) }}")
        return self.navigate(url)

    def use_passkeys(self) -> str:
        return self._script("async page => { await page.context().credentials.install(); await page.reload() }")

    def page_tools(self) -> str:
        return self._evaluate(PAGE_TOOLS)

    def call_page_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        return self._evaluate(CALL_PAGE_TOOL % (json.dumps(name), json.dumps(arguments)))

    def highlight(self, ref: str) -> str:
        return self._call("highlight", "browser_highlight", target=ref)

    def end_highlight(self, ref: str) -> str:
        return self._call("highlight", "browser_hide_highlight", target=ref)

    def drop_file(self, ref: str, path: Path) -> str:
        return self._call("drop", "browser_drop", target=ref, paths=[str(path)])

    def styles(self, ref: str) -> str:
        return self._of_element(ref, RULES)

    def save_pdf(self, name: str) -> Path:
        self._call("capture", "browser_pdf_save", filename=f"{name}.pdf")
        return self._folder / f"{name}.pdf"

    def save_picture(self, name: str, kind: Literal["png", "jpeg"], *, ref: str = "") -> Path:
        options: dict[str, object] = {"element": name, "target": ref} if ref else {"fullPage": True}
        self._call("capture", "browser_take_screenshot", filename=f"{name}.{kind}", type=kind, **options)
        return self._folder / f"{name}.{kind}"

    def downloaded(self, name: str) -> Path:
        pattern = rf'Downloaded file {re.escape(name)} to "([^"]*)"'
        self.wait_view(lambda _: self.heard.has(pattern))
        return self._folder / self.heard.match(pattern)

    def undo(self) -> None:
        self._client.call("browser_unroute", {})
        self._client.call("browser_network_state_set", {"state": "online"})
        self._client.call(
            "browser_run_code_unsafe",
            {"code": "async page => { await page.context().unrouteAll(); await page.context().clearPermissions() }"},
        )

    def fresh(self) -> None:
        super().fresh()
        self.undo()

    def _emulated(self, wanted: Surroundings) -> Iterator[str]:
        if wanted.device or wanted.scale or wanted.locale or wanted.time_zone or wanted.user_agent:
            raise NoTool("a device, a language, a time zone or a user agent: those are options of the server's start")
        if wanted.network == "slow-3g":
            raise NoTool("a slow network")
        if wanted.network:
            state = "offline" if wanted.network == "offline" else "online"
            yield self._call("emulate", "browser_network_state_set", state=state)
        if wanted.size:
            yield self._call("emulate", "browser_resize", width=wanted.size[0], height=wanted.size[1])
        media = {
            "colorScheme": "dark" if wanted.dark else "",
            "reducedMotion": "reduce" if wanted.less_motion else "",
            "contrast": "more" if wanted.more_contrast else "",
            "media": "print" if wanted.print else "",
        }
        if any(media.values()):
            given = {name: value for name, value in media.items() if value}
            yield self._call("emulate", "browser_emulate_media", **given)
        if wanted.permission:
            yield self._script(f"page => page.context().grantPermissions([{json.dumps(wanted.permission)}])")
        if wanted.place:
            at = json.dumps(dict(zip(("latitude", "longitude"), wanted.place, strict=True)))
            yield self._script(f"page => page.context().setGeolocation({at})")

    def _holds(self, tool: str, **arguments: object) -> bool:
        try:
            self._call("verify", tool, **arguments)
        except ToolFailed as error:
            if "Invalid arguments" in str(error):
                raise
            self.usage.failed -= 1  # an answer, and no failure
            return False
        return True

    def _har(self, name: str) -> str:
        return json.dumps(str(self._folder / f"{name}.har"))

    def _script(self, code: str) -> str:
        return self._call("script", "browser_run_code_unsafe", code=code)

    def _evaluate(self, function: str) -> str:
        return self._script(f"page => page.evaluate({function})")

    def _of_element(self, ref: str, function: str) -> str:
        return self._script(f"page => page.locator({json.dumps(_selector(ref))}).evaluate({function})")

    def _in_frame(self, title: str, function: str) -> str:
        element = f"await page.locator('iframe[title=\"{title}\"]').elementHandle()"
        return self._script(f"async page => (await ({element}).contentFrame()).evaluate({function})")

    def _routed(self, path: str, handler: str, options: dict[str, int] | None = None) -> str:
        pattern, extra = json.dumps(f"**/{path}"), f", {json.dumps(options)}" if options else ""
        return self._script(f"async page => {{ await page.context().route({pattern}, {handler}{extra}) }}")


def _selector(ref: str) -> str:
    """A selector of Playwright for a ref of a snapshot; a locator is one already."""
    return f"aria-ref={ref}" if re.fullmatch(r"(?:f\d+)?e\d+", ref) else ref
