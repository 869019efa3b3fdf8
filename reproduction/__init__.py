"""The paper's tables and figures, made again: `python -m reproduction table1` and the like.

This package is not installed; it uses `phil` as any other program does. How it is put together:

- `registry.py` lists the experiments; `__main__.py` is the command line.
- `experiment.py`: an `Experiment` offers `stages` (the parts to make), `assemble` (what the parts
  come to: one document), `page` (sections and pictures about the document), `values` (what two runs
  are compared by) and `summary` (what a terminal shows). A `Request` says what is asked.
- `grid.py`: a `Grid` is the experiment of a table of methods by rows. A table names its `methods`
  (`MethodSpec`, in `methods.py`) and `rows`, opens the `problems` of a row, says what it knows
  `about` a row and makes facts of the problems (`problem_parts`). Trainings, tests, times and
  summaries follow; `assemble` adds ratios to the summaries. See `table1/` for the shortest one.
- `runner.py` makes the missing parts, two at a time, so that every run can be resumed; `store.py`
  keeps them in `results/NAME.json`, one part per line.
- `page.py` writes Markdown, HTML and pictures. In `sections.py`, `table` writes a section by its
  columns (a heading, and the key of its value or how it is written), `MethodTable` one by methods.
- `everything/` runs all experiments in turn, judges the paper's claims, writes the one report and
  compares two runs.

To add a table: a subclass of `Grid` with its page, and one line in `registry.py`.
"""
