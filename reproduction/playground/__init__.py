"""The playground in a real browser: pictures of it, and how fast it is."""
