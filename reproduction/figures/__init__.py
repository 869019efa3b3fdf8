"""The figures of the paper, drawn from what searches and trainings really do."""
