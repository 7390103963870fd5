"""Features that nothing else imports: each folder declares its commands in `addon.py`, which imports nothing heavy."""
