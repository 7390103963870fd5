"""What a test tells the mock (stubs, faults, replay) and asks of it (the call log)."""
