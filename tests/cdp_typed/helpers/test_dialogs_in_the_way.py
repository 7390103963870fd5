"""A helper that waits for a page says which dialog the page shows, and how it is answered."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed import CDPError, Session
from cdp_typed.helpers import wait_for_request
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.helpers.conftest import Helpers

pytestmark = pytest.mark.thorough

ANSWER = "; answer it with page.HandleJavaScriptDialog(accept=True)"
WAITING: dict[str, tuple[tuple[Any, ...], str]] = {
    "js": (("1",), "Runtime.evaluate: no reply from session {} within 0.5 s"),
    "screenshot": ((), "Page.captureScreenshot: no reply from session {} within 0.5 s"),
    "pdf": ((), "Page.printToPDF: no reply from session {} within 0.5 s"),
    "click": (("body",), "Runtime.evaluate: no reply from session {} within 0.5 s"),
    "wait_for": (("body",), '"body": the page does not answer within 0.5 s'),
    "network_idle": ((), "Page.enable: no reply from session {} within 0.5 s"),
}


async def show_dialog(tab: Session) -> None:
    async with tab.expect(page.JavascriptDialogOpening):
        _ = tab.send_nowait(runtime.Evaluate(expression="confirm('Sure?')"))


@pytest.mark.parametrize("name", WAITING)
async def test_a_helper_names_the_dialog(page_helpers: Helpers, name: str) -> None:
    args, text = WAITING[name]
    await page_helpers.send(page.Enable())
    await page_helpers.tab.send(page.Enable())
    await show_dialog(page_helpers.tab)

    with pytest.raises(CDPError) as raised:
        await page_helpers.call(name, *args, timeout=0.5)
    await page_helpers.tab.send(page.HandleJavaScriptDialog(accept=True))

    shown = text.format(page_helpers.session_id) + '; the page shows a dialog (confirm): "Sure?"' + ANSWER
    assert str(raised.value) == shown


async def test_a_request_and_an_event_that_a_dialog_holds_up_name_it(tab: Session) -> None:
    await tab.send(page.Enable())

    with pytest.raises(CDPError, match=r'"\*": no such request within 1 s; the page shows a dialog \(confirm\)'):
        async with wait_for_request(tab, "*", timeout=1):
            await show_dialog(tab)
    with pytest.raises(CDPError, match=r"no such event on session \w+ within 0\.1 s; the page shows a dialog"):
        async with tab.expect(page.LoadEventFired, timeout=0.1):
            pass
    await tab.send(page.HandleJavaScriptDialog(accept=True))
