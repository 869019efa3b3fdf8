"""Measurements of the engine; what they found is under `reproduction/results`."""
