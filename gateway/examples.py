"""An example request of each call, which works as it stands, from what a game says of itself (GameInfo)."""

from typing import Any

from gateway.contract import Rpc

NAMES = ("Ada", "Bela", "Cyril", "Dora", "Emil", "Fanny")


def request(rpc: Rpc, info: dict[str, Any]) -> dict[str, Any]:
    """The names of the contract's common fields say what belongs into them."""
    setup = {"seats": [{"name": name} for name in NAMES[: info["minSeats"]]]}
    kinds = info["moveKinds"]
    notation = kinds[0]["example"] if kinds else ""
    values: dict[str, Any] = {
        "setup": setup,
        "position": {"setup": setup},
        "move": {"notation": notation},
        "record": {"format": "notation", "text": notation},
        "page_size": 10,
    }
    if rpc.name == "Render":
        del values["move"]  # one to mark is not needed
    return {
        field.json_name: values[field.name]
        for field in rpc.descriptor.input_type.fields
        if field.name in values
    }
