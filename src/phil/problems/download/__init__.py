"""Downloading public maps and graphs, and reading their publishers' formats."""
