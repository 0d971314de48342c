"""ProtoJSON compiled from message descriptors: messages to plain dicts and back.

`to_plain` gives what `json_format.MessageToDict(always_print_fields_with_no_presence=True)` gives,
`from_plain` takes what `json_format.ParseDict` takes where that is unambiguous. Code for each message type is
generated once, at its first use, and is many times faster.

Where `from_plain` is stricter than `json_format`, for the good of clients:

* enum values by an unknown number, and a field given twice (`seatName` beside `seat_name`), are refused;
* numbers in strings are plain decimals (`"12"`, not `"1_2"`, `" 12"` or `"1e1"`), and an integral float
  beyond 2**53, whose last digits are lost, is no integer;
* base64 must be whole: no strange characters, padding right or left out; both alphabets are taken;
* `true` and `false` are no numbers and numbers are no booleans, also in enums;
* extensions (`[name]`) are unknown fields.

Map entries are printed in the order of their keys, so equal messages give equal JSON; fields come in the
order of their numbers, the members of a oneof at the place of the first one.
"""

from protojson.malformed import Malformed, join, sentence, step
from protojson.reading import MAX_DEPTH, from_plain
from protojson.writing import to_plain

__all__ = ["MAX_DEPTH", "Malformed", "from_plain", "join", "sentence", "step", "to_plain"]
