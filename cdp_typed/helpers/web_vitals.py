"""`web_vitals`: the Core Web Vitals of a visit."""

from __future__ import annotations

import msgspec

from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.helpers.shared.javascript_values import raise_thrown
from cdp_typed.helpers.shared.performance.timeline import SCRIPT, PerformanceTimeline
from cdp_typed.helpers.shared.performance.vitals import Vitals
from cdp_typed.helpers.shared.performance.vitals_of import vitals_of
from cdp_typed.protocol import page, runtime


async def web_vitals(tab: Session, *, timeout: Timeout = DEFAULT) -> Vitals:
    """Return the Core Web Vitals of the page's visit until now, with their causes: LCP, CLS, INP, TTFB, FCP.

    The browser keeps them for each document, so nothing has to be on before the page loads, and nothing of the page
    changes. Layout shifts and paints within iframes do not count. Uses `Page.getFrameTree`,
    `Page.createIsolatedWorld` and `Runtime.evaluate`. Raises as `send` does. `timeout` is the deadline of each command.
    """
    frame_id = (await tab.send(page.GetFrameTree(), timeout=timeout)).frame_tree.frame.id
    make = page.CreateIsolatedWorld(frame_id=frame_id, world_name="cdp-typed")
    world = (await tab.send(make, timeout=timeout)).execution_context_id
    read = runtime.Evaluate(expression=SCRIPT, context_id=world, await_promise=True, return_by_value=True)
    reply = await tab.send(read, timeout=timeout)
    raise_thrown(reply.exception_details)
    return vitals_of(msgspec.convert(reply.result.value, PerformanceTimeline))
