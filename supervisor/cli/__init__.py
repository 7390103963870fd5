"""What the commands of `cdp-agent` share: options, exit codes, files, sessions, live views."""
