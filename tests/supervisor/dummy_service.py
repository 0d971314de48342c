"""A rules service without rules: a health check on its port and, for the tests, ways to misbehave.

SIGNALBOX_DUMMY: `crash` (ends before it is ready), `deaf` (never ready, ignores SIGTERM), or nothing. Its pid
and that of a descendant in its process group are noted in the folder SIGNALBOX_DUMMY_PIDS.
"""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc


def note(pid: int) -> None:
    Path(os.environ["SIGNALBOX_DUMMY_PIDS"], str(pid)).touch()


def main() -> int:
    manner = os.environ.get("SIGNALBOX_DUMMY", "")
    note(os.getpid())
    if manner == "crash":
        print("dummy: cannot go on", file=sys.stderr)
        return 3
    note(subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]).pid)
    told = threading.Event()
    if manner == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        told.wait(600)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server = grpc.server(ThreadPoolExecutor(1))
    servicer = health.HealthServicer()
    servicer.set("", health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    server.add_insecure_port(f"{os.environ['SIGNALBOX_HOST']}:{os.environ['SIGNALBOX_PORT']}")
    server.start()
    told.wait(600)
    return 0


if __name__ == "__main__":
    sys.exit(main())
