"""An example request of each call, which works as it stands, from what a game says of itself (GameInfo)."""

from typing import Any

from gateway.contract import Rpc

NAMES = ("Ada", "Bela", "Cyril", "Dora", "Emil", "Fanny")


def request(rpc: Rpc, info: dict[str, Any]) -> dict[str, Any] | None:
    """The names of the contract's common fields say what belongs into them. None for a call that needs a move
    where the game gives no example of one."""
    setup = {"seats": [{"name": name} for name in NAMES[: info["minSeats"]]]}
    values: dict[str, Any] = {"setup": setup, "position": {"setup": setup}, "page_size": 10}
    notation = next((kind["example"] for kind in info["moveKinds"] if kind["example"]), "")
    if not rpc.picture:  # there a move to mark is not needed
        values["move"] = {"notation": notation}
        values["record"] = {"format": "notation", "text": notation}
        if not notation and rpc.descriptor.input_type.fields_by_name.keys() & {"move", "record"}:
            return None
    return {
        field.json_name: values[field.name]
        for field in rpc.descriptor.input_type.fields
        if field.name in values
    }
