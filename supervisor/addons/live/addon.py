"""Declares the live view."""

from supervisor.cli.commands import LocalCommand

COMMANDS = (LocalCommand("live", "watch and take over in a web page", "supervisor.addons.live.live_command"),)
