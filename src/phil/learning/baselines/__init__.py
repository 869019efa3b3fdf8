"""Training of the baselines, the methods that PHIL is compared with."""
