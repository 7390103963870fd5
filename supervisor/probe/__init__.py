"""What a browser, or a service in front of one, can do for a supervisor: measured, not assumed."""

from .matrix import CAPABILITIES, Row
from .run import probe

__all__ = ["CAPABILITIES", "Row", "probe"]
