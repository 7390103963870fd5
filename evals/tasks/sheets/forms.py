"""Tasks with whole forms."""

from __future__ import annotations

from urllib.parse import parse_qs

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task
from tests.support.servers.sites import Request, Response


def sent(desk: Desk) -> list[dict[str, list[str]]]:
    """What the forms of a task have sent."""
    return [parse_qs(request.body.decode()) for request in desk.requests if request.method == "POST"]


ORDER = """<form method="post" action="order">
<p><label>First name <input name="first"></label> <label>Last name <input name="last"></label></p>
<p><label>Street <input name="street"></label> <label>Town <input name="town"></label></p>
<p><label>Country <select name="country"><option value="">Choose<option value="at">Austria<option value="br">Brazil
</select></label> <label>Birthday <input type="date" name="birthday"></label></p>
<p><label>Remarks <textarea name="remarks"></textarea></label></p>
<p><label><input type="checkbox" name="gift" value="yes"> Gift wrap</label>
<label><input type="checkbox" name="terms" value="yes"> Accept terms</label></p>
<p><label><input type="radio" name="pay" value="card"> Card</label>
<label><input type="radio" name="pay" value="cash"> Cash</label></p><button>Order</button></form>"""
ORDERED = {
    "first": ["Ann"], "last": ["Lee"], "street": ["High St 1"], "town": ["York"], "country": ["at"],
    "birthday": ["1990-12-31"], "remarks": ["Ring twice"], "terms": ["yes"], "pay": ["cash"],
}  # fmt: skip


@task(ORDER, lambda desk: sent(desk) == [ORDERED], files={"order": "<p>Thank you</p>"})
def fill_a_form_of_nine_fields(hands: Hands, desk: Desk) -> None:
    """Order, with every field filled."""
    view = hands.look()
    with hands.together():
        hands.fill(
            {
                view.ref("First name", "textbox"): ("text", "Ann"),
                view.ref("Last name", "textbox"): ("text", "Lee"),
                view.ref("Street", "textbox"): ("text", "High St 1"),
                view.ref("Town", "textbox"): ("text", "York"),
                view.ref("Country", "combobox"): ("select", "Austria"),
                view.ref("Birthday", "textbox", "Date", "date", "InputTime"): ("date", "1990-12-31"),
                view.ref("Remarks", "textbox"): ("text", "Ring twice"),
                view.ref("Accept terms", "checkbox"): ("check", "true"),
                view.ref("Cash", "radio"): ("check", "true"),
            }
        )
        hands.click(view.ref("Order", "button"))


def login(request: Request, desk: Desk) -> Response:
    fields = parse_qs(request.body.decode())
    if fields.get("password") != ["secret-7"]:
        return Response("<p>Wrong</p>", 403)
    return Response(status=303, headers={"Location": "home", "Set-Cookie": "who=ann"})


def home(request: Request, desk: Desk) -> str:
    return "<h1>Welcome Ann</h1>" if "who=ann" in request.headers.get("cookie", "") else "<h1>Stranger</h1>"


@task(
    """<form method="post" action="login"><label>User <input name="user" autocomplete="username"></label>
    <label>Password <input type="password" name="password"></label><button>Log in</button></form>""",
    lambda desk: desk.browser.evaluate(desk.at("home"), "document.querySelector('h1').textContent") == "Welcome Ann",
    files={"login": login, "home": home},
)
def log_in_with_a_password_and_enter(hands: Hands, desk: Desk) -> None:
    """Log in as Ann."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("User", "textbox"), "ann")
        hands.type(view.ref("Password", "textbox"), "secret-7", submit=True)


@task(
    """<form method="post" action="save" onsubmit="return confirm('Really?')"><input name="title" aria-label="Title">
    <button>Save</button></form>""",
    lambda desk: sent(desk) == [{"title": ["Plan"]}],
    files={"save": "<p>Saved</p>"},
)
def save_once_after_a_question(hands: Hands, desk: Desk) -> None:
    """Save with a confirmation, exactly once."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Title", "textbox"), "Plan")
        hands.click(view.ref("Save", "button"))
    hands.answer(accept=True)


@task(
    """<form onsubmit="tell('sent ' + mail.value); return false"><input id="mail" type="email" required
    aria-label="E-mail"><button>Join</button></form>""",
    "told.join() === 'sent ann@example.com'",
)
def correct_a_field_that_the_browser_refuses(hands: Hands, desk: Desk) -> None:
    """Join: the first address is none."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("E-mail", "textbox"), "ann")
        hands.click(view.ref("Join", "button"))
    with hands.together():
        hands.type(view.ref("E-mail", "textbox"), "ann@example.com")
        hands.click(view.ref("Join", "button"))


@task(
    """<input id="search" role="combobox" aria-label="City" aria-expanded="false" aria-controls="list"
    autocomplete="off">
    <ul id="list" role="listbox"></ul><script>
    const cities = ['Madrid', 'Malmo', 'Manila', 'Oslo'];
    search.oninput = () => { list.replaceChildren(); search.ariaExpanded = 'true'; setTimeout(() => {
      for (const city of cities.filter(city => city.toLowerCase().startsWith(search.value.toLowerCase()))) {
        const item = document.createElement('li');
        item.role = 'option'; item.textContent = city; list.append(item);
        item.onmousedown = event => { event.preventDefault(); search.value = city; list.replaceChildren();
          tell(city); };
      } }, 150) };</script>""",
    "told.join() === 'Malmo' && search.value === 'Malmo'",
)
def choose_a_suggestion_that_comes_late(hands: Hands, desk: Desk) -> None:
    """Choose Malmo of what is suggested for "ma"."""
    hands.looking.type(hands.ref("City", "combobox", "textbox"), "ma")
    hands.click(hands.wait_ref("Malmo", "option", "listitem"))


@task(
    """<div id="steps"></div><script>
    const show = html => { steps.innerHTML = html };
    show('<button onclick="second()">Start</button>');
    const second = () => show('<label>Nickname <input id="nick"></label>' +
      '<button onclick="third(nick.value)">Next</button>');
    const third = nick => show(`<p>Hello ${nick}</p><button onclick="tell('done ${nick}')">Finish</button>`);
    </script>""",
    "told.join() === 'done bee'",
)
def go_through_a_wizard(hands: Hands, desk: Desk) -> None:
    """Three steps, each drawn when the one before is done."""
    hands.looking.click(hands.ref("Start", "button"))
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Nickname", "textbox"), "bee")
        hands.looking.click(view.ref("Next", "button"))
    hands.click(hands.ref("Finish", "button"))


@task(
    """<p>Order 1</p><div style="display:flex"><span>Qty</span><span>3</span><span>Price</span><span>47.10</span></div>
    <input id="total" aria-label="Price">""",
    "total.value === '47.10'",
)
def read_a_price_beside_a_quantity(hands: Hands, desk: Desk) -> None:
    """Type the price that stands in a row of flex items."""
    view = hands.look()
    price = view.match(r"\b(\d\d\.\d\d)\b")
    hands.type(view.ref("Price", "textbox"), price)
