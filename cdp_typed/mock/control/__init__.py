"""The test's side of the mock: stubs, faults, replay and the call log."""
