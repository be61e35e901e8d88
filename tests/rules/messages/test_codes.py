"""The judge and the sentence catalogue speak of the same incidents and remedies."""

from referee.rules.judge.codes import OFFENCES
from referee.rules.messages import codes


def test_every_incident_of_the_judge_has_its_sentence_and_its_remedy() -> None:
    for code, offence in OFFENCES.items():
        assert code in codes()
        assert not offence.remedy or f"remedy.{offence.remedy}" in codes()
