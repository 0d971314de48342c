"""Which rules can refuse a move, and which tests show it: `python -m tests.rules_report`."""
