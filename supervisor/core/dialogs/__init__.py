"""Dialogs from opening to record: rules, answers, rate limit, reconnects, and workarounds for Chromium 156."""
