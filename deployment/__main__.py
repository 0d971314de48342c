"""`python -m deployment`: serve everything that `signalbox.toml` names."""

import sys

from deployment.settings import SettingsError, load
from deployment.supervisor import StartError, serve


def main() -> int:
    try:
        serve(load())
    except (SettingsError, StartError) as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
