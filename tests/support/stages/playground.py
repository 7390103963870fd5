"""A real browser with a page that has frames in frames, for the tools that see and touch pages."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from cdp_typed import Command
from cdp_typed.protocol import page
from supervisor import AsyncSupervisor, CDPSupervisor, FrameInfo, SupervisorSnapshot
from supervisor.tools.page.outline import outline
from supervisor.tools.page.outline_parts import OutlineOptions
from tests.support.servers.sites import Sites

INNER = """<!doctype html><title>Inner</title><link rel=icon href=data:,><body style="margin:0; height:3000px">
<div style="height:1500px">Inner text</div>
<button id=deep onclick="document.title = 'clicked ' + event.isTrusted">Deep <b>button</b></button>
<button id=alerting onclick="window.answer = confirm('Sure?')">Alerting</button>
<input id=field aria-label=Field value="old" onkeydown="window.keys = (window.keys || '') + event.key">
</body>"""


@dataclass(frozen=True)
class Playground:
    """A supervisor on a browser, and the sites that its pages come from."""

    sites: Sites
    supervisor: AsyncSupervisor

    async def open(self, html: str, frames: int = 1) -> SupervisorSnapshot:
        """Show a page, and wait until it and its frames have loaded."""
        self.sites.pages["/page"] = "<!doctype html><link rel=icon href=data:,>" + html
        await self.supervisor.send(page.Navigate(url=self.sites.local("/page")))
        return await self.settled(frames)

    async def settled(self, frames: int) -> SupervisorSnapshot:
        """Wait until the page has so many frames, and all have loaded."""

        def is_there(now: SupervisorSnapshot) -> bool:
            tree = now.frame_tree
            every = [tree.top, *tree.children]
            return tree.total == frames and all(frame and frame.loader_id and not frame.is_loading for frame in every)

        return await self.supervisor.wait_for(is_there, timeout_s=20)

    async def open_nested(self) -> SupervisorSnapshot:
        """A page that is scrolled, with an iframe of its own site, and two nested ones of other sites."""
        self.sites.pages.update(
            {
                "/inner": INNER,
                "/local": "<!doctype html><title>Local</title><link rel=icon href=data:,><a href=/plain>Local link</a>",
                "/middle": "<!doctype html><title>Middle</title><link rel=icon href=data:,>"
                "<body style='margin:0; height:2000px'><div style='height:900px'></div><button>Middle button</button>"
                f"<iframe name=inner title=Inmost src='{self.sites.local('/inner')}' "
                "style='border:2px solid; width:300px; height:200px'></iframe></body>",
            }
        )
        return await self.open(
            "<title>Top</title><body style='margin:0; height:4000px'><h1>Heading</h1>"
            "<div style='height:1200px'></div><button onclick='window.hit = 1'>Top button</button>"
            "<iframe name=local src=/local style='border:5px solid'></iframe>"
            f"<iframe name=middle src='{self.sites.remote('/middle')}' "
            "style='border:7px solid; padding:3px; width:500px; height:400px'></iframe></body>",
            frames=4,
        )

    async def reload(self) -> None:
        """The same page, in a new document."""
        before = self.supervisor.snapshot().frame_tree.top
        await self.supervisor.send(page.Reload())
        await self.supervisor.wait_for(
            lambda now: (
                now.frame_tree.top is not None
                and now.frame_tree.top.loader_id not in ("", before and before.loader_id)
                and not now.frame_tree.top.is_loading
            ),
            timeout_s=20,
        )

    def frame(self, name: str) -> FrameInfo:
        return next(frame for frame in self.supervisor.snapshot().frame_tree.children if frame.name == name)

    async def text(self, **options: Any) -> str:
        """The page as text, without what differs from run to run: frame ids and the server's port."""
        seen = (await outline(self.supervisor, OutlineOptions(**options))).page
        return re.sub(r":\d+/", "/", re.sub(r" \[frame=[0-9A-F]{32}\]", "", seen))

    async def ref(self, label: str) -> str:
        """The ref of the first line that has this label (`button "Save"`)."""
        seen = (await outline(self.supervisor, OutlineOptions(max_chars=90_000))).page
        match = re.search(rf"{re.escape(label)}.* ?\[ref=(e\d+)\]", seen)
        assert match is not None, seen
        return match[1]

    async def value(self, expression: str, frame_id: str | None = None) -> Any:
        return (await self.supervisor.evaluate(expression, frame_id)).value


def numbered(text: str) -> str:
    """The text with refs and dialogs numbered in the order in which they appear."""
    seen: dict[str, str] = {}

    def count(match: re.Match[str]) -> str:
        kind = match[1] or match[2]
        return seen.setdefault(match[0], f"{kind}{1 + sum(name.startswith(kind) for name in seen.values())}")

    return "\n" + re.sub(r"(?<=\[ref=)(e)\d+|(?<=dialog )(d-)\d+", count, text) + "\n"


def meddle(
    patch: pytest.MonkeyPatch,
    supervisor: AsyncSupervisor,
    method: str,
    work: Callable[[], Awaitable[object]],
    times: int = 1,
) -> None:
    """Have something happen to the page between the first commands of this kind and their caller's next step."""
    send, left = supervisor.send, [work] * times

    async def send_and_meddle(
        command: Command[Any], frame_id: str | None = None, *, timeout_s: float | None = None
    ) -> Any:
        result = await send(command, frame_id, timeout_s=timeout_s)
        if method == command.METHOD and left:
            await left.pop()()
        return result

    patch.setattr(supervisor, "send", send_and_meddle)


@contextmanager
def playground(ws_url: str) -> Generator[Playground]:
    """A playground in a browser with one empty page, for the tests of one file."""
    with Sites() as sites, CDPSupervisor(ws_url, call_timeout_s=20) as running:
        yield Playground(sites, running.aio)
