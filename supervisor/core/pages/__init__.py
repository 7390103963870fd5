"""Pages and their sessions, which of them are ours, frames and script contexts."""
