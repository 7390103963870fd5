"""`browser_page` on Chromium, judged by another client and by the server."""

from __future__ import annotations

import time

import pytest

from cdp_typed.protocol import browser, page, runtime
from supervisor.tools import Policy
from tests.support.servers.sites import Response, Sites, iframe

from .conftest import Bench

BOX = "<body style='margin:0;background:#fff'><button style='width:90px;height:40px'>Target</button>"
LISTENING = """<title>top</title><script>
seen = []; for (const type of ['blur', 'focus', 'visibilitychange', 'copy', 'paste'])
    addEventListener(type, () => seen.push(type), true);
for (const name of ['clipboard-read', 'clipboard-write'])
    navigator.permissions.query({name}).then(status => status.onchange = () => seen.push(name));
function outer() { inner() }
function inner() { console.error('it broke') }
</script><input autofocus>"""


def picture(bench: Bench) -> str:
    (shot,) = bench.ask(page.CaptureScreenshot())
    return str(shot.data)


def changed_picture(bench: Bench, before: str) -> str:
    """Another picture than before, which the browser draws soon."""
    for _ in range(40):
        if (after := picture(bench)) != before:
            return after
        time.sleep(0.05)  # a frame is drawn on no event
    raise AssertionError("nothing was drawn")


def pixel(bench: Bench, taken: str) -> list[int]:
    """The colour of the picture 100 pixels to the right and 100 below its corner."""
    drawn = f"""createImageBitmap(new Blob([Uint8Array.from(atob('{taken}'), c => c.charCodeAt(0))])).then(image => {{
        const on = new OffscreenCanvas(image.width, image.height).getContext('2d');
        on.drawImage(image, 0, 0);
        return [...on.getImageData(100, 100, 1, 1).data].slice(0, 3);
    }})"""
    colour: list[int] = bench.value(drawn)
    return colour


def test_forward_returns_to_the_page_before_back(bench: Bench, sites: Sites) -> None:
    for name in ("one", "two"):
        sites.pages[f"/{name}"] = f"<title>{name}</title>"
        bench.open(sites.local(f"/{name}"))
    bench.call("browser_back")

    done = bench.call("browser_page", action="forward")

    assert (done["navigated"]["title"], bench.value("document.title")) == ("two", "two")
    assert bench.call("browser_page", action="forward")["error_type"] == "NothingAhead"
    held = bench.under(Policy(deny_origins=(f"localhost:{sites.port}",)))
    assert held("browser_page", action="reload")["error_type"] == "Refused"


@pytest.mark.parametrize(("action", "fetched"), [("reload", 0), ("hard_reload", 1)])
def test_only_a_hard_reload_asks_for_cached_files(bench: Bench, sites: Sites, action: str, fetched: int) -> None:
    kept = {"Cache-Control": "max-age=3600", "Content-Type": "text/javascript"}
    sites.pages |= {"/page": "<title>p</title><script src=/kept.js></script>", "/kept.js": Response("", headers=kept)}
    bench.open(sites.local("/page"))
    bench.call("browser_evaluate", expression="mark = 1")
    sites.requests.clear()

    done = bench.call("browser_page", action=action)

    assert done["navigated"]["title"] == "p"
    paths = [request.path for request in sites.requests]
    assert (paths.count("/page"), paths.count("/kept.js")) == (1, fetched)
    assert bench.value("typeof mark") == "undefined"


AFTER_A_CRASH = {
    "call_tool": "TargetCrashed",
    "clipboard_read": None,
    "console": None,
    "downloads": None,
    "forward": "TargetCrashed",
    "highlight": "TargetCrashed",
    "init_script": None,
    "passkeys": "TargetCrashed",
    "reload": None,
    "tools": "TargetCrashed",
}


@pytest.mark.parametrize(("action", "error"), AFTER_A_CRASH.items())
def test_after_a_crash_an_action_works_or_says_so(bench: Bench, action: str, error: str | None) -> None:
    bench.show("<title>p</title>" + BOX)
    ref = bench.call("browser_page", action="highlight", ref="Target")["highlighted"][0]
    bench.call("browser_cdp", method="Page.crash", timeout=1)

    result = bench.call("browser_page", action=action, ref=ref if action == "highlight" else None, text="")

    assert (result["success"], result.get("error_type")) == (error is None, error), result
    assert action != "reload" or result["navigated"]["title"] == "p"


def test_the_clipboard_is_used_without_a_permission_and_no_page_notices(bench: Bench) -> None:
    bench.show(LISTENING)
    bench.value("seen.length = 0")

    assert bench.call("browser_page", action="clipboard_write", text="h\u00e9\n<b>")["clipboard"] == "h\u00e9\n<b>"
    assert bench.call("browser_page", action="clipboard_read")["clipboard"] == "h\u00e9\n<b>"
    assert bench.value("[document.activeElement.localName, seen]") == ["input", []]
    assert len(bench.call("browser_tabs")["tabs"]) == 1
    taken = "navigator.clipboard.readText().then(text => navigator.clipboard.writeText('of the page').then(() => text))"
    *_, evaluated = bench.ask(
        *(
            browser.SetPermission(permission=browser.PermissionDescriptor(name=name), setting="granted")
            for name in ("clipboard-read", "clipboard-write")
        ),
        runtime.Evaluate(expression=taken, await_promise=True),
    )
    assert evaluated.result.value == "h\u00e9\n<b>"
    read = bench.call("browser_page", action="clipboard_read")
    assert (read["clipboard"], read["untrusted"]) == ("of the page", ["clipboard"])


def test_the_clipboard_works_beside_an_open_dialog_and_a_reload_does_not(bench: Bench) -> None:
    bench.show("<title>p</title>")
    bench.call("browser_evaluate", expression="alert('wait')")

    assert bench.call("browser_page", action="clipboard_write", text="x")["clipboard"] == "x"
    assert bench.call("browser_page", action="reload")["error_type"] == "BlockedByDialog"
    assert bench.call("browser_page", action="highlight", ref="css=body")["error_type"] == "BlockedByDialog"
    bench.call("browser_dialog", action="accept")


@pytest.mark.parametrize("is_remote", [False, True], ids=["top frame", "out-of-process iframe"])
def test_a_highlight_is_drawn_and_removed_without_a_trace(bench: Bench, sites: Sites, is_remote: bool) -> None:
    sites.pages |= {"/box": BOX, "/outside": BOX.replace("Target", "Other") + iframe(sites.remote("/box"))}
    bench.open(sites.local("/outside" if is_remote else "/box"))
    bench.call("browser_snapshot")
    before, html = picture(bench), bench.value("document.documentElement.outerHTML")

    done = bench.call("browser_page", action="highlight", ref='button "Target"')

    assert [ref[0] for ref in done["highlighted"]] == ["e"]
    drawn = changed_picture(bench, before)
    assert bench.value("document.documentElement.outerHTML") == html
    assert "highlighted" not in bench.call("browser_page", action="highlight")
    assert changed_picture(bench, drawn) == before


def test_a_highlight_has_the_colour_that_is_asked_for(bench: Bench) -> None:
    bench.show("<body style='margin:0;background:#fff'><p style='margin:0;width:300px;height:200px' id=box>")
    before = picture(bench)

    bench.call("browser_page", action="highlight", ref="css=#box", text="#00f")
    blue = pixel(bench, changed_picture(bench, before))
    refused = bench.call("browser_page", action="highlight", ref="css=#box", text="outline: 2px dashed red")

    assert blue == [153, 153, 255]  # 40 % of it over white
    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "text")
    assert pixel(bench, picture(bench)) == blue  # the box before stays


def test_several_elements_have_boxes_each_in_its_colour_until_it_is_removed(bench: Bench) -> None:
    box = "position:absolute;margin:0;top:100px;width:50px;height:50px"
    bench.show(f"<body><p id=one style='{box};left:100px'></p><p id=two style='{box};left:300px'></p>")
    before = picture(bench)

    (one,) = bench.call("browser_page", action="highlight", ref="css=#one", text="#f00")["highlighted"]
    alone = changed_picture(bench, before)
    both = bench.call("browser_page", action="highlight", ref="css=#two", text="#00f")["highlighted"]
    together = changed_picture(bench, alone)
    (two,) = bench.call("browser_page", action="highlight", ref="css=#one", text="none")["highlighted"]
    bench.value("document.querySelector('#two').remove()")

    assert both == [one, two]
    for taken in (alone, together):
        red, _, blue = pixel(bench, taken)  # of the corner of the first box
        assert red == 255 > blue
    assert bench.call("browser_page", action="highlight", ref="css=body", text="none").get("highlighted") is None


def test_an_element_that_is_not_displayed_is_not_highlighted(bench: Bench) -> None:
    bench.show("<p id=gone style='display:none'>x</p>")

    result = bench.call("browser_page", action="highlight", ref="css=#gone")

    assert (result["error_type"], "not displayed" in result["error"]) == ("ElementError", True)


def test_the_console_is_read_with_the_calls_that_led_to_a_message(bench: Bench) -> None:
    bench.show(LISTENING)
    bench.call("browser_evaluate", expression="outer(); console.log('else')")

    result = bench.call("browser_page", action="console", text="broke")

    (message,) = result["messages"]
    assert (message["level"], message["text"]) == ("error", "it broke")
    assert [call.split(":")[0] for call in message["stack"][:2]] == ["inner http", "outer http"]
    assert message["stack"][0].endswith("/page:7:28")
    assert "messages[].stack[]" in result["untrusted"]


@pytest.mark.parametrize(
    ("action", "denied"),
    [("highlight", "Overlay.*"), ("clipboard_read", "Input.*"), ("clipboard_write", "Target.createTarget")],
)
def test_a_policy_that_denies_a_command_denies_its_action(bench: Bench, action: str, denied: str) -> None:
    bench.show(BOX)
    held = bench.under(Policy(deny_methods=(denied,)))

    assert held("browser_page", action=action, ref="Target", text="#f00")["error_type"] == "Refused"
