"""The toolset `browser-emulation`: a device and its surroundings for pages."""
