"""Appendix G of the paper: milliseconds per expanded node, and the share of the heuristic."""
