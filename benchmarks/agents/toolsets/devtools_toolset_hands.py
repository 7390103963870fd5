"""The tools of chrome-devtools-mcp with all its categories, as tasks use them.

Where it has no tool for a step, its own skills propose a script in the page: `evaluate_script`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from benchmarks.agents.devtools_hands import DevToolsHands
from benchmarks.agents.toolsets.page_scripts import CACHED, RECORDS
from tests.tasks.hands import NotOnPage, NoTool
from tests.tasks.toolsets.hands import Area, Check, ToolsetHands

_REQUEST = re.compile(r"^reqid=(\d+) ", re.MULTILINE)


class DevToolsToolsetHands(DevToolsHands, ToolsetHands):
    """A server of `chrome-devtools-mcp` with all categories on."""

    def cookies(self, host: str = "") -> str:
        if host:
            raise NoTool("listing the cookies of another host")
        return self._script("async () => await cookieStore.getAll()")

    def cookie(self, name: str) -> str:
        """Its skill says: by the header of a request, because no script reads an HttpOnly cookie."""
        self._call("navigate", "navigate_page", type="reload")
        document = _REQUEST.findall(self.requests())[0]
        return self._call("requests", "get_network_request", reqid=int(document))

    def set_cookie(self, name: str, value: str, *, host: str = "", path: str = "/", http_only: bool = False) -> str:
        if host or http_only:
            raise NoTool("setting a cookie of another host, or one that no script sees")
        return self._script(f"() => {{ document.cookie = {json.dumps(f'{name}={value}; path={path}')} }}")

    def delete_cookie(self, name: str) -> str:
        return self._script(f"async () => await cookieStore.delete({json.dumps(name)})")

    def clear_cookies(self) -> str:
        return self._script(
            "async () => { for (const each of await cookieStore.getAll()) await cookieStore.delete(each.name) }"
        )

    def stored(self, area: Area, key: str, *, frame: str = "") -> str:
        return self._script(f"() => {area}Storage.getItem({json.dumps(key)})", frame)

    def store(self, area: Area, key: str, value: str, *, frame: str = "") -> str:
        return self._script(f"() => {area}Storage.setItem({json.dumps(key)}, {json.dumps(value)})", frame)

    def forget(self, area: Area, key: str) -> str:
        return self._script(f"() => {area}Storage.removeItem({json.dumps(key)})")

    def clear_storage(self, area: Area) -> str:
        return self._script(f"() => {area}Storage.clear()")

    def records(self, database: str, store: str) -> str:
        return self._script(RECORDS % (json.dumps(database), json.dumps(store)))

    def cached(self, cache: str, url: str) -> str:
        return self._script(CACHED % (json.dumps(cache), json.dumps(url)))

    def requests(self, part: str = "") -> str:
        listed = self._call("requests", "list_network_requests")
        return "\n".join(line for line in listed.splitlines() if part in line)

    def request(self, part: str) -> str:
        found = _REQUEST.findall(self.requests(part))
        if not found:
            raise NotOnPage(f"no request {part!r}")
        return self._call("requests", "get_network_request", reqid=int(found[-1]))

    def abort(self, path: str) -> str:
        return self._emulate(networkConditions="Offline")

    def delay(self, path: str, seconds: float) -> str:
        return self._emulate(networkConditions="Slow 3G")  # whose answers take some two seconds

    def change(self, path: str, *, header: tuple[str, str] | None = None, without: str = "", body: str = "") -> str:
        if header is None:
            raise NoTool("removing a header, or changing a body")
        return self._emulate(extraHttpHeaders=json.dumps(dict([header])))

    def verify(self, check: Check, expected: str | Sequence[str], *, name: str = "", role: str = "") -> bool:
        """There is no tool for it: by a snapshot, which shows what can be seen."""
        if check == "console":
            return "msgid=" not in self._call("console", "list_console_messages", types=["error"])
        text = self.snapshot().text
        match check:
            case "text":
                return str(expected) in text
            case "visible":
                return f'{role} "{name}"' in text
            case "value":
                return f'{role} "{name}" value="{expected}"' in text
            case "count":
                return text.count(f'{role} "{name}"') == int(str(expected))
            case "list":
                return re.findall(r'uid=\S+ "(.*)"', text) == list(expected)
            case "title":
                return f'RootWebArea "{expected}"' in text
            case _:
                return re.search(rf'RootWebArea .*url="[^"]*{re.escape(str(expected))}', text) is not None

    def read(self, *, frame: str = "", part: int = 1) -> str:
        return self.snapshot().text

    def _emulate(self, **settings: object) -> str:
        return self._call("emulate", "emulate", **settings)

    def _script(self, function: str, frame: str = "") -> str:
        """A script runs in the frame of the element that it gets."""
        options: dict[str, object] = {"args": [self._inside(frame)]} if frame else {}
        return self._call("script", "evaluate_script", function=function, **options)

    def _inside(self, title: str) -> str:
        """Return the first element of an iframe."""
        return self.snapshot().match(rf'Iframe "{title}"[^\n]*\n\s*uid=(\S+)')
