"""`browser_vitals` and the helper `web_vitals`, on Chromium."""

from __future__ import annotations

import msgspec

from cdp_typed import Session, connect, connect_sync
from cdp_typed.helpers import Vitals, blocking, goto, js, web_vitals
from cdp_typed.launch import LaunchedBrowser
from tests.support.servers.sites import Response, Sites, iframe

from .conftest import Show

PAGE = """<!doctype html><link rel=icon href=data:,><link rel=stylesheet href=/style.css><script src=OTHER></script>
<div id=banner style="border: 1px solid"></div><h1>A page</h1>
<button id=slow>slow</button>
<script>
const busy = ms => { const end = performance.now() + ms; while (performance.now() < end); };
document.getElementById('slow').onclick = function onSlow() { busy(150) };
requestAnimationFrame(() => setTimeout(() => { document.getElementById('banner').style.height = '100px' }, 50));
</script>"""
SEEN = "new Promise(done => new PerformanceObserver(() => done(1)).observe({type: '%s', buffered: true}))"
# On a busy machine Chromium 156 often reports no largest paint for the first text of an iframe in another process.
TWICE_PAINTED = """<p>Small</p><script>
new PerformanceObserver(() => document.body.insertAdjacentHTML('beforeend', '<h2 id=inner>Inner</h2>'))
    .observe({type: 'paint', buffered: true});
</script>"""
INNER_PAINTED = """new Promise(done => new PerformanceObserver(
    list => list.getEntries().some(entry => entry.element?.id === 'inner') && done(1)
).observe({type: 'largest-contentful-paint', buffered: true}))"""
# A click counts at once; its event and its long frame are reported after the next paint, in this order or the other.
SLOW_CLICK_PAINTED = """Promise.all([
    ['event', entry => entry.name === 'click'],
    ['long-animation-frame', entry => entry.scripts.some(script => script.sourceFunctionName === 'onSlow')],
].map(([type, meant]) => new Promise(done => new PerformanceObserver(
    list => list.getEntries().some(meant) && done(1)
).observe({type, buffered: true}))))"""
SHIFTED, PAINTED = SEEN % "layout-shift", SEEN % "largest-contentful-paint"


def publish(sites: Sites) -> str:
    sites.pages["/style.css"] = Response("body {margin: 0}", headers={"Content-Type": "text/css"})
    sites.pages["/other.js"] = Response("1", headers={"Content-Type": "text/javascript"})
    return PAGE.replace("OTHER", sites.remote("/other.js"))


def test_a_visit_has_its_vitals_and_their_causes(show: Show, sites: Sites) -> None:
    call = show(publish(sites))
    call("browser_evaluate", expression=SHIFTED)

    call("browser_click", ref="css=#slow")
    assert call("browser_evaluate", expression=SLOW_CLICK_PAINTED)["success"]
    result = call("browser_vitals")

    assert result["url"] == sites.local("/page")
    assert 0 < result["ttfb_ms"] <= result["fcp_ms"] <= result["lcp_ms"]
    assert (result["lcp"]["element"], result["interactions"]) == ("h1", 1)
    assert abs(result["lcp"]["wait_ms"] + result["lcp"]["render_ms"] - result["lcp_ms"]) < 0.2
    (shift,) = result["shifts"]
    assert result["cls"] == shift["score"] > 0
    assert any(moved.startswith("h1: ") for moved in shift["elements"])
    assert (result["slowest"]["type"], result["slowest"]["target"]) == ("click", "button#slow")
    assert result["inp_ms"] >= 150
    assert result["slowest"]["processing_ms"] >= 150
    assert "onSlow" in [
        script.get("function") for frame in result["long_frames"] for script in frame.get("scripts", ())
    ]
    blocking = {each["url"] for each in result["render_blocking"]}
    assert blocking == {sites.local("/style.css"), sites.remote("/other.js")}
    (other,) = result["other_hosts"]
    assert (other["host"], other["requests"], other["unknown_sizes"]) == (f"127.0.0.1:{sites.port}", 1, 1)
    assert {"url", "lcp.element", "shifts[].elements[]", "render_blocking[].url"} <= set(result["untrusted"])


def test_a_page_that_replaces_the_functions_changes_no_figure(show: Show) -> None:
    call = show(
        f"<h1>x</h1><script>painted = {PAINTED}; PerformanceObserver = undefined;"
        "performance.getEntriesByType = () => { throw 1 };"
        "Array.prototype.map = () => ['faked']; Math.round = () => 0</script>"
    )
    call("browser_evaluate", expression="painted")

    result = call("browser_vitals")

    assert result["lcp"]["element"] == "h1"
    assert "faked" not in str(result)


def test_an_iframe_of_another_site_is_measured_by_its_id(show: Show, sites: Sites) -> None:
    sites.pages["/inner"] = TWICE_PAINTED
    call = show(f"<h1>Outer</h1>{iframe(sites.remote('/inner'))}")
    call("browser_wait", until="loaded")
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    assert call("browser_evaluate", expression=INNER_PAINTED, frame_id=child["frame_id"])["success"]

    assert call("browser_vitals", frame_id=child["frame_id"])["lcp"]["element"] == "h2#inner"
    assert call("browser_vitals", frame_id="nothing")["error_type"] == "UnknownFrame"


def test_a_crashed_page_is_an_error(show: Show) -> None:
    call = show("<h1>x</h1>")
    call("browser_cdp", method="Page.crash")

    assert call("browser_vitals")["error_type"] == "TargetCrashed"


async def _measured(browser: LaunchedBrowser, sites: Sites) -> Vitals:
    async with connect(browser.http_url) as connection, connection.new_page() as tab:
        return await _after_a_shift(tab, sites)


async def _after_a_shift(tab: Session, sites: Sites) -> Vitals:
    await goto(tab, sites.local("/page"))
    await js(tab, PAINTED)
    await js(tab, SHIFTED)
    return await web_vitals(tab)


async def test_the_helper_measures_without_a_supervisor(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/page"] = publish(sites)

    vitals = await _measured(chromium, sites)

    assert vitals.lcp is not None
    assert (vitals.url, vitals.lcp.element) == (sites.local("/page"), "h1")
    assert vitals.cls
    assert msgspec.json.decode(msgspec.json.encode(vitals), type=Vitals) == vitals


def test_so_does_its_blocking_twin(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/page"] = publish(sites)

    with connect_sync(chromium.http_url) as connection, connection.new_page() as tab:
        blocking.goto(tab, sites.local("/page"))

        assert blocking.web_vitals(tab).url == sites.local("/page")
