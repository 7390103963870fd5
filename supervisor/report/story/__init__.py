"""What the agent did, in words, and the causes of what went wrong."""
