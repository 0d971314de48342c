"""Comparison with recorded games and positions: a folder laid out like `../shared/conformance`.

`python -m tests.conformance DIR` compares every game folder in it that has a comparer (see `runner`).
"""
