"""The tool `browser_vitals`."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.helpers.shared.performance.timeline import SCRIPT, PerformanceTimeline
from cdp_typed.helpers.shared.performance.vitals import Vitals
from cdp_typed.helpers.shared.performance.vitals_of import vitals_of
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.page.locators import frame_meant
from supervisor.tools.page.page_frames import run, top_frame


class VitalsArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_vitals`."""

    frame_id: str | None = None
    """An iframe's ref, or an id."""


@tool(toolset="browser-performance", reads_only=True)
async def browser_vitals(context: ToolContext, arguments: VitalsArguments) -> Vitals:
    """Core Web Vitals and their causes: LCP, CLS, INP, TTFB, long frames, blocking requests, hosts."""
    supervisor = context.supervisor
    frame_id = await frame_meant(supervisor, arguments.frame_id) or top_frame(supervisor).frame_id
    return vitals_of(convert(await run(supervisor, frame_id, SCRIPT), PerformanceTimeline))
