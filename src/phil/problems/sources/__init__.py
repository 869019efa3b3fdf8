"""Public graphs in the formats of those who publish them, made into files of our own layout.

One file per format. Nothing here unpickles: what a library keeps as pickles is taken from the
library's own objects.
"""
