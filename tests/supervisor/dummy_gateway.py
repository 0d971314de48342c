"""A gateway that is always ready and tells its worker's pid."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def create_app() -> Callable[..., Iterable[bytes]]:
    Path(os.environ["SIGNALBOX_DUMMY_PIDS"], str(os.getpid())).touch()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [str(os.getpid()).encode()]

    return app
