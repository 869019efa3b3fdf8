"""Downloading public maps and graphs, and reading the formats of their publishers."""
