"""Declares the commands about sessions, this machine and its agents."""

from supervisor.declarations import LocalCommand

COMMANDS = (
    LocalCommand("sessions", "the open sessions", "supervisor.addons.agent_cli.listing"),
    LocalCommand("doctor", "check this machine, or what a browser can do", "supervisor.addons.agent_cli.doctor"),
    LocalCommand("skill", "teach your agent this: `skill install`", "supervisor.addons.agent_cli.skill_files"),
    LocalCommand("login", "passwords that an agent uses and never sees", "supervisor.addons.agent_cli.login_command"),
    LocalCommand("policy", "test a pattern of the URL rules", "supervisor.addons.agent_cli.policy_command"),
)
OFFERS = {"help": "supervisor.addons.agent_cli.help_text", "sessions": "supervisor.addons.agent_cli.starting"}
