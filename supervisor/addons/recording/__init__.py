"""The toolset `browser-recording`: a run as code and as pictures."""
