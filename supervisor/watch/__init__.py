"""`cdp-supervisor watch`: a live view of dialogs, frames and console, in which a person can answer a dialog."""
