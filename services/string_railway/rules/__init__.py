"""The pure rules of String Railway.

Lengths and coordinates are whole micrometres; every verdict rests on integers and exact fractions (SR-9).
"""
