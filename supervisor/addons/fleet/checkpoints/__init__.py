"""Keeps the checkpoints of tasks: where, for whom and until when."""
