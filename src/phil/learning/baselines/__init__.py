"""How the heuristics that PHIL is compared with are trained."""
