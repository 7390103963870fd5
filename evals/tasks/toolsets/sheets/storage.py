"""Tasks with the storage of pages, and with states that are saved."""

from __future__ import annotations

import json
from typing import Any

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.sheets.cookies import LOGIN, sent, setting
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer


@toolset_task("<script>localStorage.draft = 'a text v-5521 of mine'</script>" + ANSWER, answered("v-5521"))
def read_a_draft_from_local_storage(hands: ToolsetHands, desk: Desk) -> None:
    """Type the number in the draft that the page keeps in localStorage."""
    type_answer(hands, found_in(hands.stored("local", "draft"), r"(v-\d+)"))


@toolset_task(
    "<p>Now</p>", lambda desk: desk.told == ["on"], files={"next": "<script>tell(localStorage.beta)</script>"}
)
def switch_on_a_feature_in_local_storage(hands: ToolsetHands, desk: Desk) -> None:
    """Set beta to on in localStorage, and open the next page."""
    hands.store("local", "beta", "on")
    hands.navigate(desk.at("next"))


@toolset_task(
    "<script>localStorage.tour_seen = '1'; localStorage.tour_kept = '1'</script>",
    "localStorage.tour_seen === undefined && localStorage.tour_kept === '1'",
)
def delete_a_key_of_local_storage(hands: ToolsetHands, desk: Desk) -> None:
    """Delete tour_seen from localStorage, and nothing else."""
    hands.forget("local", "tour_seen")


@toolset_task("<p>Now</p>", "sessionStorage.step === '3'")
def set_a_step_in_session_storage(hands: ToolsetHands, desk: Desk) -> None:
    """Set step to 3 in sessionStorage."""
    hands.store("session", "step", "3")


@toolset_task(
    "<script>sessionStorage.one = '1'; sessionStorage.two = '2'; localStorage.rest = 'stays'</script>",
    "sessionStorage.length === 0 && localStorage.rest === 'stays'",
)
def clear_session_storage(hands: ToolsetHands, desk: Desk) -> None:
    """Clear sessionStorage, and leave localStorage."""
    hands.clear_storage("session")


FRAMED = '<iframe title="Chat" src="$other/chat"></iframe>' + ANSWER


@toolset_task(
    FRAMED,
    answered("v-8812"),
    files={"chat": "<p>Chat</p><script>localStorage.room = 'room v-8812'</script>"},
)
def read_the_storage_of_a_foreign_frame(hands: ToolsetHands, desk: Desk) -> None:
    """Type the number of the room, which a frame of another site keeps in its localStorage."""
    type_answer(hands, found_in(hands.stored("local", "room", frame="Chat"), r"(v-\d+)"))


@toolset_task(
    FRAMED,
    lambda desk: desk.told[-1:] == ["quiet"],
    files={"chat": "<p>Chat</p><script>setInterval(() => { if (localStorage.mode) { tell(localStorage.mode);"
           " delete localStorage.mode } }, 50)</script>"},
)  # fmt: skip
def change_the_storage_of_a_foreign_frame(hands: ToolsetHands, desk: Desk) -> None:
    """Set mode to quiet in the localStorage of a frame of another site."""
    hands.store("local", "mode", "quiet", frame="Chat")


@toolset_task(
    """<p id="state">Not yet</p><script>
    const asked = indexedDB.open('shop', 1);
    asked.onupgradeneeded = () => { const store = asked.result.createObjectStore('orders', {keyPath: 'id'});
      store.add({id: 1, note: 'paid'}); store.add({id: 2, note: 'code v-3307'}) };
    asked.onsuccess = () => { asked.result.close(); state.textContent = 'Ready' };
    </script>"""
    + ANSWER,
    answered("v-3307"),
)
def read_a_record_of_indexed_db(hands: ToolsetHands, desk: Desk) -> None:
    """Type the code in the note of the second order, which the page keeps in IndexedDB."""
    hands.wait_text("Ready")
    type_answer(hands, found_in(hands.records("shop", "orders"), r"(v-\d+)"))


@toolset_task(
    """<p id="state">Not yet</p><script>
    caches.open('pages').then(cache => cache.put('menu', new Response('Menu of the day: v-6450')))
      .then(() => { state.textContent = 'Ready' });
    </script>"""
    + ANSWER,
    answered("v-6450"),
)
def read_a_cached_response(hands: ToolsetHands, desk: Desk) -> None:
    """Type the number in the response that the page keeps in CacheStorage."""
    hands.wait_text("Ready")
    type_answer(hands, found_in(hands.cached("pages", desk.at("menu")), r"(v-\d+)"))


@toolset_task(
    LOGIN + "<script>localStorage.member = 'ann'</script>",
    lambda desk: sent(desk).get("login_kept") == "yes" and desk.told == ["ann"],
    files={
        "login": setting("login_kept=yes; Path=/; HttpOnly; Max-Age=600"),
        "next": "<script>tell(localStorage.member)</script>",
    },
)
def save_a_login_and_load_it(hands: ToolsetHands, desk: Desk) -> None:
    """Save the login, sign out by clearing cookies and localStorage, load the login, and open the next page."""
    hands.save_state("login.json")
    hands.clear_cookies()
    hands.clear_storage("local")
    hands.load_state("login.json")
    hands.navigate(desk.at("next"))


@toolset_task(
    "<p>Signed out</p>",
    lambda desk: sent(desk).get("from_file") == "yes" and desk.told == ["bob"],
    files={"next": "<script>tell(localStorage.user)</script>"},
)
def load_a_state_that_playwright_wrote(hands: ToolsetHands, desk: Desk) -> None:
    """Load the file given.json, which is in the format of Playwright, and open the next page."""
    cookie = {
        "name": "from_file", "value": "yes", "domain": "localhost", "path": "/", "expires": -1,
        "httpOnly": True, "secure": False, "sameSite": "Lax",
    }  # fmt: skip
    origin = {"origin": desk.url.removesuffix(desk.path), "localStorage": [{"name": "user", "value": "bob"}]}
    desk.file("given.json", json.dumps({"cookies": [cookie], "origins": [origin]}))
    hands.load_state("given.json")
    hands.navigate(desk.at("next"))


def is_state_written(desk: Desk) -> bool:
    file = desk.folder / "written.json"
    state: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {"cookies": [], "origins": []}
    cookies = {cookie["name"]: cookie["value"] for cookie in state["cookies"]}
    stored = {item["name"]: item["value"] for origin in state["origins"] for item in origin["localStorage"]}
    return cookies.get("written_login") == "yes" and stored.get("cart") == "pears"


@toolset_task(
    LOGIN + "<script>localStorage.cart = 'pears'</script>",
    is_state_written,
    files={"login": setting("written_login=yes; Path=/; HttpOnly; Max-Age=600")},
)
def save_a_state_that_playwright_reads(hands: ToolsetHands, desk: Desk) -> None:
    """Save the login to the file written.json in the format of Playwright."""
    hands.save_state("written.json")
