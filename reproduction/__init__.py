"""The paper's tables and figures, made again: `python -m reproduction table1` and the like."""
