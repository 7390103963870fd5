"""What a browser, or a service in front of one, can do for a supervisor: measured, not assumed."""

from .capabilities import CAPABILITIES, Row
from .probes import probe

__all__ = ["CAPABILITIES", "Row", "probe"]
