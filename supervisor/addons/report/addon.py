"""Declares the report."""

from supervisor.declarations import LocalCommand

COMMANDS = (LocalCommand("report", "what happened, as one HTML file", "supervisor.addons.report.report_command"),)
OFFERS = {"report": "supervisor.addons.report"}
