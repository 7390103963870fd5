"""The report of a flight: one HTML file with all that a flight recording knows.

`report_of` computes a `Report`, `report_html` and `report_json` write it; `state_at` is the state at any input.
"""

from __future__ import annotations

from .collect import report_of
from .html import report_html, report_json
from .model import Report
from .timeline import state_at

__all__ = ["Report", "report_html", "report_json", "report_of", "state_at"]
