"""Where a replayed record is to blame, and whether all of it was checked."""

import pytest

from tests.chassis.conftest import SETUP
from tests.contract.client import Client, Fault, Plain

LOG = ["sun", 5, 2, "rest", "storm", 3]
DIARY = '{"names": ["Anna", "Béla"], "log": ["sun", 5, 2, "rest", "storm", 3]}'


@pytest.mark.parametrize("sort", ["text", "document"])
def test_moves_of_a_foreign_record_say_where_they_come_from(client: Client, sort: str) -> None:
    content = DIARY if sort == "text" else {"names": ["Anna", "Béla"], "log": LOG}
    verdicts, summary = client.replay({"record": {"format": "diary", sort: content}})
    assert [one["source"] for one in verdicts] == ["log[0]", "log[1]", "log[2]", "log[4]", "log[5]"]
    assert {one["path"] for one in verdicts[-1]["verdict"]["violations"]} == {f"record.{sort}.log[5]"}
    assert (summary["legal"], summary["complete"]) == (False, True)


def test_a_replay_that_stops_before_the_end_is_not_complete(client: Client) -> None:
    text = DIARY.replace("5, 2", "9, 2")
    verdicts, summary = client.replay({"record": {"format": "diary", "text": text}})
    assert (summary["checked"], summary["moves"], summary["complete"]) == (2, 5, False)
    assert verdicts[-1]["source"] == "log[1]"


def test_moves_of_ones_own_have_no_source(client: Client) -> None:
    moves = [{"notation": "A hide 1"}, {"notation": "B hide 9"}]
    verdicts, summary = client.replay({"position": {"setup": SETUP, "moves": moves}})
    assert [one["source"] for one in verdicts] == ["", ""]
    assert verdicts[1]["verdict"]["violations"][0]["path"] == "position.moves[1].hide.coins"
    assert (summary["legal"], summary["complete"]) == (False, True)


def test_notation_may_have_comments_and_is_blamed_by_line(client: Client) -> None:
    def asked(text: str) -> Plain:
        return {"position": {"setup": SETUP}, "record": {"format": "notation", "text": text}}

    text = "# The first day\nhide 1\n\n  # Béla\nhide 9\n"
    verdicts, summary = client.replay(asked(text))
    assert [one["source"] for one in verdicts] == ["line 2", "line 5"]
    assert verdicts[1]["verdict"]["violations"][0]["path"] == "record.text:5"
    assert summary["moves"] == 2
    with pytest.raises(Fault) as fault:
        client.replay(asked(text.replace("9", "0") + "jump"))
    assert (fault.value.reason, fault.value.path) == ("BAD_NOTATION", "record.text:6")
