"""The figures as a page: targets, tables, plots. Nothing in it is written by hand."""
