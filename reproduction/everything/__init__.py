"""All experiments as one: run in turn, judged claim by claim, shown on one page, compared."""
