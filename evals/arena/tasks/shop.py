"""Tasks in a shop of django-oscar."""

from __future__ import annotations

from evals.arena.applications.shop import Shop
from evals.arena.reading import Reading
from evals.arena.task import task
from evals.tasks.hands import Hands

ADDRESS = {"First name": "Ann", "Last name": "Frei", "First line of address": "Marktgasse 1", "City": "Bern",
           "Post/Zip-code": "3011"}  # fmt: skip


@task(Shop, lambda shop: shop.in_basket("Watering can") == 3, opens="/search/?q=watering", in_part=True)
def put_three_in_the_cart(hands: Hands, shop: Shop) -> None:
    """Open a product that was searched for, put it in the cart, and change its quantity there."""
    hands.looking.click(hands.ref("Watering can", "link"))
    hands.looking.click(hands.ref("Add to cart", "button"))
    hands.looking.click(hands.ref("View cart", "link"))
    hands.type(Reading(hands.look()).ref("spinbutton"), "3")
    hands.click(hands.ref("Update", "button"))


@task(Shop, lambda shop: shop.orders("Copper pan") == [("Ann Frei", "Bern", 1)], opens="/catalogue/copper-pan_2/")
def order_as_a_guest(hands: Hands, shop: Shop) -> None:
    """Put a product in the cart, and order it as a guest with an address."""
    hands.looking.click(hands.ref("Add to cart", "button"))
    hands.looking.click(hands.ref("Checkout now", "link"))
    hands.type(hands.ref("My email address", "textbox"), "ann@example.org")
    hands.looking.click(hands.ref("Continue", "button"))
    page = hands.look()
    go_on = page.ref("Continue", "button")
    fields = {page.ref(name, "textbox"): ("text", value) for name, value in ADDRESS.items()}
    hands.fill({**fields, page.ref("Country", "combobox"): ("select", "Switzerland")})
    hands.looking.click(go_on)
    hands.looking.click(hands.ref("Continue", "button", "link"))
    hands.click(hands.ref("Place order", "button"))


@task(Shop, lambda shop: shop.reviews("Egg timer") == [(4, "It rings.")], opens="/catalogue/egg-timer_3/")
def review_a_product(hands: Hands, shop: Shop) -> None:
    """Write a review with four stars."""
    hands.looking.click(hands.ref("Write a review", "link"))
    page = hands.look()
    hands.click(page.ref("star", "generic", nth=3))
    values = {"Title": "Good", "Body": "It rings.", "Name": "Ben", "Email": "ben@example.org"}
    hands.fill({page.ref(name, "textbox"): ("text", value) for name, value in values.items()})
    hands.click(page.ref("Save review", "button"))
