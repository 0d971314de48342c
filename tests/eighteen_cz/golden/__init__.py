"""Records of each released ruleset, kept for ever; run this package to write those that are missing."""
