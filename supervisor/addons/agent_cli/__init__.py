"""`cdp-agent`: sessions in the background, and commands made from the tools' own schemas.

`cdp_agent` is the client. `starting` starts the process of a session, which `background` holds. `words` has the
everyday commands, `usage` makes all others, `printouts` says what they print.
"""
