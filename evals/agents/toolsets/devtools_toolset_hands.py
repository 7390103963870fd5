"""The tools of chrome-devtools-mcp with all its categories, as tasks use them.

Where it has no tool for a step, its own skills propose a script in the page: `evaluate_script`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from evals.agents.devtools_hands import DevToolsHands
from evals.agents.stdio_client import StdioClient
from evals.agents.toolsets.page_scripts import CACHED, HIGHLIGHT, NO_HIGHLIGHT, RECORDS
from evals.tasks.hands import NotOnPage, NoTool
from evals.tasks.toolsets.hands import PASSWORD, USER, Area, Check, Surroundings, ToolsetHands

_SET = re.compile(r"NAVIGATION_\d+|NO_NAVIGATION")
_INSIGHTS = ("LCPBreakdown", "CLSCulprits", "RenderBlocking", "DocumentLatency")
_PIXEL = (
    "412x839x2.625,mobile,touch",
    "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile "
    "Safari/537.36",
)
_NETWORKS = {"": "", "full": "", "offline": "Offline", "slow-3g": "Slow 3G"}
_REQUEST = re.compile(r"^reqid=(\d+) ", re.MULTILINE)


class DevToolsToolsetHands(DevToolsHands, ToolsetHands):
    """A server of `chrome-devtools-mcp` with all categories on."""

    def __init__(self, client: StdioClient) -> None:
        super().__init__(client)
        self._folder = client.folder
        self._trace = Path()
        self._heaps: list[Path] = []
        self._extension = ""

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

    def send_login(self, origin: str) -> str:
        text = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return self._emulate(extraHttpHeaders=json.dumps({"Authorization": f"Basic {text}"}))

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

    def emulate(self, surroundings: Surroundings) -> str:
        wanted = surroundings
        if wanted.print or wanted.locale or wanted.time_zone or (wanted.permission and not wanted.place):
            raise NoTool("print, a language, a time zone or a permission")
        viewport, user_agent = "", wanted.user_agent
        if wanted.size:
            width, height = wanted.size
            viewport = f"{width}x{height}x{wanted.scale or 1:g}"
        if wanted.device:
            viewport, user_agent = _PIXEL
        settings: dict[str, object] = {
            "viewport": viewport,
            "userAgent": user_agent,
            "colorScheme": "dark" if wanted.dark else "",
            "prefersReducedMotion": "reduce" if wanted.less_motion else "",
            "prefersContrast": "more" if wanted.more_contrast else "",
            "geolocation": ",".join(map(str, wanted.place)) if wanted.place else "",
            "networkConditions": _NETWORKS[wanted.network],
        }
        return self._emulate(**{name: value for name, value in settings.items() if value})

    def end_emulation(self) -> str:
        return self._emulate()

    def vitals(self) -> str:
        """A trace of the page as it loads again, and what its insights name."""
        text = self._call("trace", "performance_start_trace", reload=True, autoStop=True)
        insights = [
            self._call("trace", "performance_analyze_insight", insightSetId=_SET.findall(text)[0], insightName=name)
            for name in _INSIGHTS
            if name in text and _SET.search(text)
        ]
        return "\n".join([text, *insights])

    def begin_trace(self) -> str:
        return self._call("trace", "performance_start_trace", reload=False, autoStop=False)

    def end_trace(self) -> str:
        self._trace = self._folder / "trace.json.gz"
        return self._call("trace", "performance_stop_trace", filePath=str(self._trace))

    @property
    def trace_file(self) -> Path:
        return self._trace

    def take_heap(self) -> str:
        self._heaps.append(self._folder / f"{len(self._heaps)}.heapsnapshot")
        return self._call("heap", "take_heapsnapshot", filePath=str(self._heaps[-1]))

    def heap_changes(self) -> str:
        self.take_heap()
        base, current = map(str, self._heaps[-2:])
        return self._call(
            "heap", "compare_heapsnapshots", pageId=None, baseFilePath=base, currentFilePath=current, pageSize=20
        )

    def heap_keepers(self, name: str) -> str:
        listed = self._heap("query_heapsnapshot_objects", className=name, nodeType="object", pageSize=20)
        found = re.findall(rf"^(\d+),{name},", listed, re.MULTILINE)
        return self._heap("get_heapsnapshot_retaining_paths", nodeId=int(found[-1]))

    def heap_copies(self) -> str:
        return self._heap("get_heapsnapshot_duplicate_strings", pageSize=20)

    def _heap(self, tool: str, **options: object) -> str:
        return self._call("heap", tool, pageId=None, filePath=str(self._heaps[-1]), **options)

    def save_picture(self, name: str, kind: Literal["png", "jpeg"], *, ref: str = "") -> Path:
        path = self._folder / f"{name}.{kind}"
        options: dict[str, object] = {"uid": ref} if ref else {"fullPage": True}
        self._call("capture", "take_screenshot", filePath=str(path), format=kind, **options)
        return path

    def forward(self) -> str:
        return self._call("forward", "navigate_page", type="forward")

    def reload(self) -> str:
        return self._call("reload", "navigate_page", type="reload")

    def read_clipboard(self) -> str:
        return self._script("async () => await navigator.clipboard.readText()")

    def write_clipboard(self, text: str) -> str:
        return self._script(f"async () => await navigator.clipboard.writeText({json.dumps(text)})")

    def console_stacks(self, part: str) -> str:
        return self._call("console", "list_console_messages", includeStackTraces=True)

    def open_with_script(self, script: str, url: str) -> str:
        return self._call("navigate", "navigate_page", type="url", url=url, initScript=script)

    def page_tools(self) -> str:
        return self._call("page_tools", "list_webmcp_tools")

    def call_page_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        return self._call("page_tools", "execute_webmcp_tool", toolName=name, input=json.dumps(arguments))

    def highlight(self, ref: str) -> str:
        return self._call("script", "evaluate_script", function=HIGHLIGHT, args=[ref])

    def end_highlight(self, ref: str) -> str:
        return self._call("script", "evaluate_script", function=NO_HIGHLIGHT, args=[ref])

    def styles(self, ref: str) -> str:
        return self._call("inspect", "get_css_styles", uid=ref)

    def load_extension(self, folder: Path) -> str:
        text = self._call("extension", "install_extension", pageId=None, path=str(folder))
        self._extension = re.findall(r"Id: (\w+)", text)[0]
        return text

    def press_extension(self) -> str:
        return self._call("extension", "trigger_extension_action", pageId=None, id=self._extension)

    def remove_extension(self) -> str:
        return self._call("extension", "uninstall_extension", pageId=None, id=self._extension)

    def _emulate(self, **settings: object) -> str:
        return self._call("emulate", "emulate", **settings)

    def _script(self, function: str, frame: str = "") -> str:
        """A script runs in the frame of the element that it gets."""
        options: dict[str, object] = {"args": [self._inside(frame)]} if frame else {}
        return self._call("script", "evaluate_script", function=function, **options)

    def _inside(self, title: str) -> str:
        """Return the first element of an iframe."""
        return self.snapshot().match(rf'Iframe "{title}"[^\n]*\n\s*uid=(\S+)')
