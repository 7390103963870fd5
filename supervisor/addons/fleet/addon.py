"""Declares the commands of a fleet."""

from supervisor.declarations import LocalCommand

COMMANDS = (LocalCommand("fleet", "hosts and tasks of a fleet", "supervisor.addons.fleet.commands.fleet_command"),)
