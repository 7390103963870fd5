"""`python -m supervisor demo`: a real Chromium whose dialogs and cross-origin iframe are under control."""

from .run import demo

__all__ = ["demo"]
