"""Documents, frames, history, dialogs and downloads of one page."""
