"""`cdp-agent`: sessions in the background, and commands made from the tools' own schemas.

`cdp_agent` is the client. `starting` starts the process of a session, which `background` holds. `aliases` has the
everyday commands, `usage` makes all others, `outputs` says what they print. `help_pages.json` keeps the help of all
commands, so that no tool has to be imported to read it.
"""
