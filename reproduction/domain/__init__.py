"""Training on domains: the 15-puzzle and peg solitaire."""
