"""`python -m examples.demo`: a real Chromium whose dialogs and cross-origin iframe are under control."""
