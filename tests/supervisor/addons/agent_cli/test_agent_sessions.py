"""Sessions of `cdp-agent` with a real Chromium, each command a process: what ends them, and what never hangs them."""

from __future__ import annotations

import base64
import re
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from cdp_agent import DIALOG, DONE, INTERRUPTED, LOST, POLICY, REFUSED, UNSURE, USAGE
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell
from tests.support.browsers import launched
from tests.support.secrets import CANARY
from tests.support.servers.sites import Response, Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

BARE = "<title>Bare</title><link rel=icon href=data:,>\n"
SHOP = """<title>Shop</title><label>Name <input></label>
<button onclick="document.title = 'clicked'">Buy</button>
<button onclick="document.title = confirm('Delete it?')">Delete</button>
<button onclick="window.open('/popup')">Help</button>"""
PAGES: dict[str, str | Response] = {
    "/": SHOP,
    "/popup": "<title>Popup</title><script>alert('from the popup')</script>",
    "/report": "<title>Report</title><a href=/file target=_blank>Open</a> <a href=/file>Save</a>"
    "<button onclick=\"window.open('/file')\">Pop</button>",
    "/login": """<title>Login</title><form><input name=user><input type=password></form><p id=shown></p>
<script>shown.textContent = 'shown: ' + localStorage.typed;
document.forms[0].addEventListener('input', event => localStorage.typed = event.target.value);</script>""",
    "/endless": "<title>Endless</title><p>usable</p><img src=/never>",
    "/throws": f"{BARE}<script src=/app.js></script><img src=/gone.png><script>console.error('later')</script>",
    "/logs": f"{BARE}<script>console.error('sold out')</script><img src=/gone.png><img src=/favicon.ico>",
    "/order": f"{BARE}<script>fetch('/locked', {{method: 'POST', body: 'tea'}})</script>",
    "/locked": Response('{"error": "the database is locked"}', 500),
    "/lacks": f"{BARE}<img src=/gone.png><img src=/favicon.ico>",
}


@pytest.fixture(scope="module")
def ground() -> Iterator[Sites]:
    is_over = threading.Event()

    def nothing() -> Iterator[bytes]:
        is_over.wait()
        yield b""

    attached = Response("figures", headers={"Content-Disposition": "attachment; filename=report.csv"})
    script = Response("\n\n  throw new Error('no such prop')", headers={"Content-Type": "text/javascript"})
    with Sites({**PAGES, "/never": lambda _: Response(nothing()), "/file": attached, "/app.js": script}) as running:
        yield running
        is_over.set()


def test_after_close_no_process_and_no_file_is_left(agent: AgentShell, ground: Sites) -> None:
    opened = agent("open", ground.local("/"))
    looked = agent("look")
    clicked = agent("click", 'button "Delete"')
    answered = agent("dialog", "accept")
    title = agent("eval", "document.title")
    closed = agent("close")

    codes = [result.code for result in (opened, looked, clicked, answered, title, closed)]
    assert codes == [DONE, DONE, DIALOG, DONE, DONE, DONE]
    assert title.out == '"true"\n'
    assert agent.left() == []
    assert list(agent.tree.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "begins", "ends"),
    [
        ("/throws", '3 new errors, among them: "Error: no such prop', 'at {site}/app.js:3:9"'),
        ("/logs", '3 new errors, among them: "sold out"', " at {site}/logs:2:17"),
        ("/lacks", '2 new errors, among them: "Failed to load resource: ', " at {site}/gone.png"),
    ],
)
def test_of_the_new_errors_the_one_is_told_that_names_a_cause(
    agent: AgentShell, ground: Sites, path: str, begins: str, ends: str
) -> None:
    site = ground.local("/").rstrip("/")
    opened, waited = agent("open", site + path), agent("wait", "loaded")
    said = [line for line in f"{opened.out}{waited.out}".splitlines() if line.startswith("console: ")]

    assert [(line.startswith(f"console: {begins}"), line.endswith(ends.format(site=site))) for line in said] == [
        (True, True)
    ], said


def test_an_action_after_which_nothing_is_of_interest_is_one_line(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/"))
    words = [
        ("hover", 'button "Buy"'),
        ("wait", "0.1"),
        ("eval", "history.pushState(0, '', '/other')"),
        ("wait", "url:/other"),
    ]

    assert [agent(*each).out for each in words] == [
        "hovered; nothing changed\n",
        "came; nothing changed\n",
        "undefined\n",
        f"came; nothing that this page's text shows\n{ground.local('/other')}\n",
    ]


def test_the_answer_to_a_request_is_there_for_who_asks_afterwards(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/order"))
    listed = agent("requests", "--failed").out
    (number,) = re.findall(r'^(\d+) "POST" .*/locked Fetch 500', listed, re.MULTILINE)

    agent("open", ground.remote("/"))  # it was no page of this site, and nobody read the answer

    told = agent("requests", "--id", number, "--body").out

    assert "the database is locked" in told
    assert '"request_body":"tea"' in told


@pytest.mark.parametrize(
    ("opens", "options", "width"), [("goto", (), 1280), ("navigate", ("--window-size", "900x700"), 900)]
)
def test_a_page_is_as_wide_as_on_a_desk_whatever_the_first_command_is_called(
    agent: AgentShell, ground: Sites, opens: str, options: tuple[str, ...], width: int
) -> None:
    agent(opens, ground.local("/"), *options)
    seen = agent("eval", "innerWidth").out
    agent("close")

    assert seen == f"{width}\n"


@pytest.mark.parametrize("is_link", [False, True])
def test_files_of_tools_lie_beside_the_caller_unless_a_link_leads_away(
    agent: AgentShell, ground: Sites, is_link: bool
) -> None:
    beside, elsewhere = agent.tree / ".cdp-agent", agent.home / "elsewhere"
    elsewhere.mkdir()
    if is_link:
        beside.symlink_to(elsewhere)
    agent("open", ground.local("/"))
    saved = agent("pdf", "shop")
    agent("close")

    path = agent.home / ".local/state/cdp-typed/captures/shop.pdf" if is_link else beside / "shop.pdf"
    assert (saved.code, str(path) in saved.out, path.read_bytes()[:4]) == (DONE, True, b"%PDF"), saved.out
    assert list(elsewhere.iterdir()) == []
    assert is_link or (beside / ".gitignore").read_text() == "*\n"


def test_an_earlier_heap_snapshot_is_asked_by_its_name_or_its_path(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/"))
    taken = agent("heap")
    (path,) = (agent.tree / ".cdp-agent").glob("*.heapsnapshot")
    asked = [agent("heap", "--file", name) for name in (path.name, f".cdp-agent/{path.name}", str(path))]
    missing = agent("heap", "--file", f"elsewhere/{path.name}")
    agent("close")

    assert [each.out.splitlines()[:3] for each in asked] == [taken.out.splitlines()[:3]] * 3
    assert (missing.code, missing.out) == (
        USAGE,
        f"cdp-agent: {agent.tree}/elsewhere/{path.name}: there is no such file\n",
    )


def test_captures_and_measurements_lie_where_their_paths_say(agent: AgentShell, ground: Sites) -> None:
    out = agent.tree / "out"
    out.mkdir()
    agent("open", ground.local("/"))
    written = {
        "shop.pdf": agent("pdf", "out/shop.pdf"),
        "shop.txt": agent("capture", str(out / "shop.txt")),
    }
    assert not (agent.tree / ".cdp-agent").exists()
    written |= {
        "one.heapsnapshot": agent("heap", "out/one.heapsnapshot"),
        "two.heapsnapshot": agent("heap", "out/two.heapsnapshot", "--since", "out/one.heapsnapshot"),
    }
    agent("profile", "start")
    agent("trace", "start")
    refused = agent("trace", "stop", "out/page.txt")
    written["page.json.gz"] = agent("trace", "stop", str(out / "page.json.gz"))
    written["busy.cpuprofile"] = agent("profile", "stop", "out/busy.cpuprofile")
    agent("close")

    assert {path.name for path in out.iterdir()} == {*written}
    assert [(told.code, name in told.out) for name, told in written.items()] == [(DONE, True)] * 6, written
    assert (out / "shop.pdf").read_bytes().startswith(b"%PDF")
    assert (refused.code, refused.out) == (
        USAGE,
        "cdp-agent: out/page.txt: expected a file that ends with .json.gz\n",
    )
    assert [path.name for path in (agent.tree / ".cdp-agent").iterdir()] == [".gitignore"]


@pytest.mark.parametrize("opener", ["Open", "Save", "Pop"])
def test_downloads_lie_beside_the_caller_under_their_own_names(agent: AgentShell, ground: Sites, opener: str) -> None:
    def downloaded() -> str:
        clicked = agent("click", opener)
        return clicked.out if "complete" in clicked.out else clicked.out + agent("wait", "download").out

    agent("open", ground.local("/report"))
    outs = [downloaded(), downloaded()]
    after = agent("tab", "open", ground.local("/report")).out
    outs.append(downloaded())
    agent("close")

    beside = agent.tree / ".cdp-agent"
    names = ["report.csv", "report (1).csv", "report (2).csv"]
    assert [f"complete path={beside / name}" in out for name, out in zip(names, outs, strict=True)] == [True] * 3, outs
    written = {path.name: path.read_text() for path in beside.iterdir()}
    assert written == {**dict.fromkeys(names, "figures"), ".gitignore": "*\n"}
    assert "blocker" not in after
    assert not (agent.home / "Downloads").exists()


def test_git_ignores_a_download_that_came_after_the_last_command(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/report"))
    agent("eval", "setTimeout(() => document.links[1].click(), 1000); 0")
    saved, deadline = agent.tree / ".cdp-agent" / "report.csv", time.monotonic() + 20
    while not saved.exists():
        assert time.monotonic() < deadline, "nothing was saved"
        time.sleep(0.05)
    agent("close")

    assert (saved.parent / ".gitignore").read_text() == "*\n"


def test_a_session_that_is_killed_takes_its_browser_and_its_profile_along(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/"))
    started = agent.processes()
    agent.kill_session()
    told, anew = agent("look"), agent("open", ground.local("/"))

    assert len(started) > 3
    assert (told.code, "the process of the session was killed" in told.out) == (LOST, True)
    assert anew.code == DONE
    agent("close")
    assert agent.left() == []


def test_a_browser_that_is_killed_is_told_and_open_begins_anew(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/"))
    agent.kill_browser()
    told, again, anew = agent("click", 'button "Buy"'), agent("look"), agent("open", ground.local("/"))

    assert (told.code, again.code, anew.code) == (LOST, LOST, DONE)
    assert "the browser" in told.out
    assert agent("click", 'button "Buy"').code == DONE


@pytest.mark.parametrize("victim", ["browser", "session"])
def test_restrictions_hold_until_the_session_is_closed_whatever_is_killed(
    agent: AgentShell, ground: Sites, victim: str
) -> None:
    agent("open", "about:blank", "--deny-private")
    if victim == "session":
        agent.kill_session()
    else:
        agent.kill_browser()
    agent("look")
    anew, other = agent("open", ground.local("/")), agent("open", "about:blank", "--deny-origins", "a.test")
    agent("close")
    free = agent("open", ground.local("/"))

    assert (anew.code, "it is a private address" in anew.out) == (POLICY, True), anew
    assert (other.code, "End it: cdp-agent close" in other.out) == (REFUSED, True), other
    assert free.code == DONE, free


def test_close_lifts_the_restrictions_of_a_session_that_was_killed(agent: AgentShell, ground: Sites) -> None:
    agent("open", "about:blank", "--deny-private")
    agent.kill_session()

    assert (agent("close").code, agent("open", ground.local("/")).code) == (DONE, DONE)


@pytest.mark.parametrize("ending", ["close", "kill"])
def test_a_session_that_begins_anew_hides_the_passwords_that_an_earlier_one_filled(
    agent: AgentShell, ground: Sites, ending: str
) -> None:
    agent.environment |= {"CDP_STATE_KEY": base64.urlsafe_b64encode(b"k" * 32).decode()}
    assert agent("login", "add", "shop", ground.local(""), given=f"{CANARY}\n").code == DONE
    with launched() as browser:
        opening = ("open", "--cdp", browser.ws_url, ground.local("/login"))
        agent(*opening)
        filled = agent("fill-login", "shop")
        if ending == "close":
            agent("close")
        else:
            agent.kill_session()
        anew, value = agent(*opening), agent("eval", "localStorage.typed.length")
        agent("eval", "localStorage.typed")
        written = [path.read_bytes() for path in agent.runtime.rglob("*.jsonl")]
        agent("close")

    assert (filled.code, value.out) == (DONE, f"{len(CANARY)}\n")
    assert "shown: [redacted]" in anew.out
    assert CANARY.encode() not in b"".join(written)
    assert written


def test_a_busy_page_and_a_crashed_one_end_in_time(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/"))
    busy = agent("eval", "while (true) {}", "--timeout", "2")
    blocked = agent("click", 'button "Buy"', "--timeout", "3")
    anew = agent("open", ground.remote("/"))
    crashed = agent("cdp", "Page.crash", "--timeout", "3")
    after = agent("look")

    assert (busy.code, blocked.code, anew.code) == (UNSURE, UNSURE, DONE)
    assert crashed.code in (LOST, UNSURE)
    assert after.code == LOST
    assert agent("open", ground.local("/")).code == DONE


def test_ctrl_c_ends_the_command_and_leaves_the_session(agent: AgentShell, ground: Sites) -> None:
    agent("open", ground.local("/"))
    waiting = agent.begin("wait", "60", "--timeout", "90")
    while agent("eval", "1", "--timeout", "0.5").code != REFUSED:  # until that one has begun
        pass
    waiting.send_signal(signal.SIGINT)
    out, _ = waiting.communicate(timeout=30)

    assert waiting.returncode == INTERRUPTED
    assert "Traceback" not in out
    assert agent("eval", "1 + 1").out == "2\n"


def test_a_session_ends_when_nobody_uses_it(agent: AgentShell, ground: Sites) -> None:
    assert agent("open", ground.local("/"), "--idle", "0.02").code == DONE
    assert agent.left() == []
