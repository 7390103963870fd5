"""Features that nothing else imports: each folder declares what it adds in `addon.py`, which imports nothing heavy."""
