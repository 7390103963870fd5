"""Keeps the checkpoints of tasks: where, for whom and for how long."""
