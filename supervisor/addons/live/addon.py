"""Declares the live view."""

from supervisor.declarations import LocalCommand

COMMANDS = (LocalCommand("live", "watch and take over in a web page", "supervisor.addons.live.command.live_command"),)
OFFERS = {"live": "supervisor.addons.live"}
