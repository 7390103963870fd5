"""What is only watched: blockers, console, failed requests, the feed of changes."""
