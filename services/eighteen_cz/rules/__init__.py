"""The rules of 18CZ, pure: standard library only, no I/O beyond reading this package's data once."""
