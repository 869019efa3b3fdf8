"""How far heuristics carry over, and what each ingredient of them is worth."""
