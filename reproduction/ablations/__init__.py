"""The paper's ablations (appendix D), and further ones, on coarse maps."""
