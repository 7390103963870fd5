"""The agent's actions in words, and the causes of failures."""
