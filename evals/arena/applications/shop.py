"""A shop made with django-oscar."""

from __future__ import annotations

from typing import ClassVar

from evals.arena.applications.newsroom import DjangoProject

__all__ = ["Shop"]


class Shop(DjangoProject):
    """A shop with products of two categories, in which everybody may order."""

    name: ClassVar[str] = "Oscar"
    project: ClassVar[str] = "shop"
    ready: ClassVar[str] = "/catalogue/"

    def in_basket(self, title: str) -> int:
        """How many of a product are in baskets that are not ordered yet."""
        ((number,),) = self.rows(
            "select coalesce(sum(quantity), 0) from basket_line join basket_basket on basket_id = basket_basket.id "
            "join catalogue_product on product_id = catalogue_product.id where status = 'Open' and title = ?",
            title,
        )
        return int(number)

    def orders(self, title: str) -> list[tuple[str, str, int]]:
        """Who ordered a product, in which city they are, and how many they ordered."""
        return self.rows(
            "select first_name || ' ' || last_name, line4, quantity from order_line "
            "join order_order on order_id = order_order.id "
            "join order_shippingaddress on shipping_address_id = order_shippingaddress.id where order_line.title = ?",
            title,
        )

    def reviews(self, title: str) -> list[tuple[int, str]]:
        """The scores and bodies of a product's reviews."""
        return self.rows(
            "select score, body from reviews_productreview "
            "join catalogue_product on product_id = catalogue_product.id where catalogue_product.title = ?",
            title,
        )
