"""`python -m examples.demo`: launch a real Chromium, and handle its dialogs and an iframe from another site."""
