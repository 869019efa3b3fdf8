"""The paper's ablations (appendix D) and those that its readers ask for, on coarse maps."""
