"""Solutions of MiniWoB++, a module for each kind of page."""

from evals.arena.miniwob import clicking, forms, inbox, writing

__all__ = ["clicking", "forms", "inbox", "writing"]
