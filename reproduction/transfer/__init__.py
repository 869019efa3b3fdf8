"""How far a heuristic carries: other families, larger maps, random starts and goals."""
