"""The test's side of the mock: stubs, faults and the call log."""
