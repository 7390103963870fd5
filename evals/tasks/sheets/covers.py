"""Tasks where something is in the way, or out of sight."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task

FULL = "position: fixed; inset: 0; background: rgba(0, 0, 0, .4)"


@task(
    f"""<button onclick="tell('saved')">Save</button><div id="spinner" style="{FULL}">Loading</div>
    <script>setTimeout(() => spinner.remove(), 600)</script>""",
    "told.join() === 'saved'",
)
def press_a_button_under_a_spinner_that_goes(hands: Hands, desk: Desk) -> None:
    """Save: a spinner covers the page for 600 ms."""
    hands.click(hands.ref("Save", "button"))


@task(
    f"""<button onclick="tell('saved')">Save</button><div id="banner" style="{FULL}"><p>We use cookies</p>
    <button onclick="banner.remove(); tell('cookies')">Accept all</button></div>""",
    "told.join() === 'cookies,saved'",
)
def press_a_button_under_a_banner(hands: Hands, desk: Desk) -> None:
    """Save: a cookie banner covers the page until it is accepted."""
    view = hands.look()
    hands.must_fail(lambda: hands.click(view.ref("Save", "button")))
    with hands.together():
        hands.click(view.ref("Accept all", "button"))
        hands.click(view.ref("Save", "button"))


@task(
    """<style>header { position: sticky; top: 0; height: 120px; background: #ccc } main { height: 3000px }</style>
    <header><button onclick="tell('menu')">Menu</button></header><main><div style="height: 700px"></div>
    <a href="#x" onclick="tell('link'); return false" style="display: block">Read on</a></main>
    <script>scrollTo(0, 690)</script>""",
    "told.join() === 'link'",
)
def click_a_link_under_a_sticky_header(hands: Hands, desk: Desk) -> None:
    """Read on: the link lies under the sticky header where the page is scrolled to."""
    hands.click(hands.ref("Read on", "link"))


@task(
    """<style>footer { position: fixed; bottom: 0; left: 0; right: 0; height: 40%; background: #cfc }</style>
    <div style="height: 1400px"></div><button onclick="tell('bought')">Buy</button><div style="height: 900px"></div>
    <footer>Chat with us</footer>""",
    "told.join() === 'bought'",
)
def press_a_button_above_a_fixed_footer(hands: Hands, desk: Desk) -> None:
    """Buy: the lower part of the window is covered."""
    hands.click(hands.ref("Buy", "button"))


@task(
    """<div style="height: 120px; overflow: auto"><div style="height: 900px"></div>
    <div style="width: 200px; overflow: auto"><div style="width: 900px; text-align: right">
    <button onclick="tell('deep')">Corner</button></div></div></div>""",
    "told.join() === 'deep'",
)
def press_a_button_in_two_scrolled_boxes(hands: Hands, desk: Desk) -> None:
    """Press what is out of sight in a box in a box."""
    hands.click(hands.ref("Corner", "button"))


@task(
    """<div id="list" style="height: 200px; overflow: auto"></div><script>let count = 0;
    const more = () => { for (let n = 0; n < 20; n++) { const line = document.createElement('button');
      line.style = 'display: block'; line.textContent = `Item ${++count}`; line.onclick = () => tell(line.textContent);
      list.append(line) } };
    list.onscroll = () => { if (list.scrollTop + 220 > list.scrollHeight && count < 60) setTimeout(more, 50) }; more();
    </script>""",
    "told.join() === 'Item 55'",
)
def reach_an_item_that_scrolling_loads(hands: Hands, desk: Desk) -> None:
    """Press item 55: 20 are loaded, and more whenever the last comes into view."""
    for last in ("Item 20", "Item 40"):
        button = hands.ref(last, "button")
        with hands.together():
            hands.scroll_to(button)
            hands.looking.wait_text(f"Item {int(last[5:]) + 20}")
    hands.click(hands.ref("Item 55", "button"))


@task(
    """<main id="feed"></main><p style="height: 40px">Loading more</p><script>let count = 0, isBusy = false;
    const more = () => { isBusy = false; for (let n = 0; n < 10; n++) { const post = document.createElement('article');
      post.style = 'height: 90px'; post.innerHTML = `<button>Like post ${++count}</button>`;
      post.firstChild.onclick = event => tell(event.target.textContent); feed.append(post) } };
    onscroll = () => { if (!isBusy && count < 40 && scrollY + innerHeight + 100 > document.body.scrollHeight) {
      isBusy = true; setTimeout(more, 60) } }; more();</script>""",
    "told.join() === 'Like post 25'",
)
def like_a_post_far_down_a_feed(hands: Hands, desk: Desk) -> None:
    """Like post 25 of a feed that grows at its end."""
    for _ in range(8):
        view = hands.look()
        if "Like post 25" in view:
            break
        hands.scroll_to(view.ref(f"Like post {view.text.count('Like post')}", "button"))
    hands.click(hands.ref("Like post 25", "button"))


@task(
    """<button onclick="box.showModal()">Settings</button><dialog id="box"><p>Settings</p>
    <button onclick="tell('closed'); box.close()">Close</button></dialog><a href="#a"
    onclick="tell('home')">Home</a>""",
    "told.join() === 'closed,home' && !box.open",
)
def close_a_modal_and_go_on(hands: Hands, desk: Desk) -> None:
    """Open the settings, close them, and go home."""
    hands.looking.click(hands.ref("Settings", "button"))
    close = hands.ref("Close", "button")
    with hands.together():
        hands.click(close)
        hands.click(hands.ref("Home", "link"))


@task(
    """<button onclick="row.remove(); toast.hidden = false; setTimeout(() => toast.hidden = true, 8000)">Delete</button>
    <p id="row">Mail 1</p><p id="toast" role="status" hidden>Deleted
    <button onclick="tell('back')">Undo</button></p>""",
    "told.join() === 'back'",
)
def undo_in_a_toast(hands: Hands, desk: Desk) -> None:
    """Delete, and undo it in the toast that comes up."""
    hands.looking.click(hands.ref("Delete", "button"))
    hands.click(hands.ref("Undo", "button"))


@task(
    """<button onclick="start()">Build</button><p id="state">idle</p><script>
    const start = () => { state.textContent = 'building'; setTimeout(() => {
      state.innerHTML = '<button onclick="tell(`shipped`)">Ship</button>' }, 900) };</script>""",
    "told.join() === 'shipped'",
)
def wait_until_a_text_is_gone(hands: Hands, desk: Desk) -> None:
    """Build, wait until it builds no longer, and ship."""
    with hands.together():
        hands.click(hands.ref("Build", "button"))
        hands.looking.wait_gone("building")
    hands.click(hands.ref("Ship", "button"))


@task(
    """<button id="old" onclick="tell('old')">Approve</button><script>
    const renew = () => { const fresh = document.createElement('button'); fresh.textContent = 'Reject';
      fresh.onclick = () => tell('new'); old.replaceWith(fresh) };</script><a href="#r"
      onclick="renew()">Refresh</a>""",
    "told.length === 0",
)
def be_told_that_an_element_is_gone(hands: Hands, desk: Desk) -> None:
    """Press a button that another has replaced: nothing may be pressed in its place."""
    view = hands.look()
    hands.click(view.ref("Refresh", "link"))
    hands.must_fail(lambda: hands.click(view.ref("Approve", "button")))
