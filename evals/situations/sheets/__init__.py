"""The situations, a module for each kind."""

from evals.situations.sheets import dialogs, elements, fields, lifetimes, lists, moments

__all__ = ["dialogs", "elements", "fields", "lifetimes", "lists", "moments"]
