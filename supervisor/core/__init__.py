"""The supervisor's state machine: pure, `step(state, input, now) -> (state, effects)`.

Nothing in this package performs I/O, reads a clock, draws a random number or starts a thread. `step.step` takes inputs
in, and `snapshot.snapshot` turns the state into the public value.
"""
