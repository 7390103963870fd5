"""Commands about sessions, this machine and its agents."""
