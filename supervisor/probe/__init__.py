"""Measures the capabilities of a browser, or of a service in front of one, for a supervisor."""

from .matrix import CAPABILITIES, Row
from .probes import probe

__all__ = ["CAPABILITIES", "Row", "probe"]
