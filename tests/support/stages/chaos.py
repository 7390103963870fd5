"""Flows through a supervised page while its connection is cut: each has to end in time, with a true answer or an error.

All chance comes from one seed, so that a failure can be played again (as far as a browser's timing can).
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from cdp_typed.errors import CDPError
from cdp_typed.protocol import page
from supervisor import BlockedByDialog, CDPSupervisor, SupervisorSnapshot
from tests.support.servers.cutting import Cut, CuttingProxy
from tests.support.servers.sites import Sites, page_with_oopif

CALL_TIMEOUT_S = 10.0
GRACE_S = 10.0
"""A busy machine may be late by this much; a call that hangs is later."""
CUTS: tuple[Cut, ...] = ("reset", "end")


def chaos_pages(sites: Sites) -> None:
    """The pages that the flows go through."""
    sites.pages["/inner"] = "<!doctype html><title>Inner</title>inner"
    sites.pages["/top"] = page_with_oopif(sites, "/inner", title="Top", body="<script>window.answers = {}</script>")


@dataclass
class Report:
    """The outcomes of the flows."""

    ended: Counter[str] = field(default_factory=Counter[str])
    """`ok`, or the class of the error, -> how many."""
    cuts: int = 0
    wrong: list[str] = field(default_factory=list[str])
    """Answers that were not those to the question."""
    late: list[str] = field(default_factory=list[str])
    """Calls that ended, but after their deadline."""


class Chaos:
    """Flows over one supervisor, which stands behind the proxy."""

    def __init__(self, supervisor: CDPSupervisor, proxy: CuttingProxy, sites: Sites, seed: int) -> None:
        self.report = Report()
        self._supervisor = supervisor
        self._proxy = proxy
        self._sites = sites
        self._random = random.Random(seed)

    def run(self, flows: int) -> Report:
        """So many flows, each cut somewhere or not at all."""
        self._home()
        for number in range(flows):
            flow = self._random.choice((self._evaluate, self._evaluate_in_iframe, self._ask, self._navigate))
            pause_s = min(self._random.expovariate(1 / 0.01), 0.1)  # a flow takes some hundredths of a second
            cutter = threading.Timer(pause_s, self._cut, [self._random.choice(CUTS)])
            if self._random.random() < 0.7:
                cutter.start()
            started = time.monotonic()
            try:
                flow(number)
            except CDPError as error:
                self.report.ended[type(error).__name__] += 1
            else:
                self.report.ended["ok"] += 1
            # No flow makes more than three calls.
            if time.monotonic() - started > 3 * (CALL_TIMEOUT_S + GRACE_S):
                self.report.late.append(f"{flow.__name__} {number}")
            if cutter.ident is not None:
                cutter.join()
            self._home()
        return self.report

    def _cut(self, how: Cut) -> None:
        self.report.cuts += self._proxy.cut(how)

    def _home(self) -> None:
        """Back to the page, whatever the last flow left; nothing is cut meanwhile."""
        self._proxy.cut_after = None
        for _ in range(10):
            try:
                self._supervisor.wait_for(lambda now: now.state == "ready", timeout_s=60)
                self._supervisor.send(page.Navigate(url=self._sites.local("/top")))
                self._supervisor.wait_for(_is_home, timeout_s=60)
            except CDPError:
                continue
            except TimeoutError:
                raise AssertionError(f"not home after 60 s: {self._supervisor.snapshot()}") from None
            self._proxy.cut_after = self._random.choice((None, None, 2_000, 20_000))
            return
        raise AssertionError(f"no way home: {self._supervisor.snapshot()}")

    def _evaluate(self, number: int) -> None:
        value = self._supervisor.evaluate(f"'{number} ' + document.title").value
        self._expect(f"{number} Top", value)

    def _evaluate_in_iframe(self, number: int) -> None:
        inner = next((frame for frame in self._supervisor.snapshot().frame_tree.children if frame.is_oopif), None)
        if inner is not None:
            value = self._supervisor.evaluate(f"'{number} ' + document.title", inner.frame_id).value
            self._expect(f"{number} Inner", value)

    def _ask(self, number: int) -> None:
        question, answer = f"question {number}", f"answer {number}"
        try:
            self._supervisor.evaluate(f"window.answers[{number}] = prompt('{question}')")
        except BlockedByDialog as blocked:
            self._expect(question, blocked.dialog.message)
            receipt = self._supervisor.respond_to_dialog("accept", answer, blocked.dialog.id)
            self._expect((blocked.dialog.id, answer), (receipt.dialog_id, receipt.user_input))
            self._expect(answer, self._supervisor.evaluate(f"window.answers[{number}]").value)

    def _navigate(self, number: int) -> None:
        self._supervisor.send(page.Navigate(url=self._sites.local(f"/top?{number}")))

    def _expect(self, wanted: object, value: object) -> None:
        if value != wanted:
            self.report.wrong.append(f"{value!r} instead of {wanted!r}")


def _is_home(now: SupervisorSnapshot) -> bool:
    top = now.frame_tree.top
    if now.state != "ready" or now.pending_dialogs or top is None or not top.url.endswith("/top"):
        return False
    return all(frame.is_oopif and not frame.is_loading for frame in now.frame_tree.children) and not top.is_loading
