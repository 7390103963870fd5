"""The situations, a module for each kind."""

from tests.situations.sheets import dialogs, elements, fields, lifetimes, lists, moments

__all__ = ["dialogs", "elements", "fields", "lifetimes", "lists", "moments"]
