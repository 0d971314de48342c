"""Become a command that is told to stop (SIGTERM) when the process that started it dies, however it dies.

Used as `python -I -S lifeline.py <pid of the starter> <command> ...`: a program of its own, because running
Python between fork and exec is not safe beside threads. Elsewhere than on Linux it only becomes the command.
"""

import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    starter, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != starter:  # it died before the line above
        sys.exit(1)
    os.execv(command[0], command)
