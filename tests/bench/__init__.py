"""Speed, measured side by side in one run.  Ratios travel from machine to machine, absolute figures do not.

Every module here with a function `measure` is run by `python -m tests.bench` and gives its figures.
"""
