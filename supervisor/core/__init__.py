"""The supervisor's state machine: pure, `step(state, input, now) -> (state, effects)`.

Nothing in this package performs I/O, tells time, draws a random number or starts a thread. `step` is the one door in;
`view.snapshot` is the one door out.
"""
