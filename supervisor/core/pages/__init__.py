"""Pages and their sessions, the ownership of pages, frames and script contexts."""
