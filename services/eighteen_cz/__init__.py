"""18CZ, The Railway Comes to Czech Lands: its rules, and their service."""
