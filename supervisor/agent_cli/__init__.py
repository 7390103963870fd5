"""`cdp-agent`: sessions in the background, and commands made from the tools' own schemas.

`cdp_agent` is the client. `starting` starts a session's process, `process` is that process, `session_socket` its
socket, `session` its browser and its commands. `words` has the everyday commands, `usage` makes all others.
"""
