"""What other speech at the table can mean: somebody leaves, somebody tells another what to play.

Words are weak evidence. Only plain sayings count, and advice only makes a question.
"""

from __future__ import annotations

import re

from referee.cards import Seat
from referee.rules.entries import Subject

_GOES = re.compile(
    r"\bI(?:'m| am|'ve| have|'ll| will| must| need| gotta| got)?\b[^.!?]*\b"
    r"(?:leav(?:e|ing)|go(?:ing)?(?: home)?\s*[.!]?$|quit|give up|resign|drop(?:ping)? out|out\s*[.!]?$)"
    r"|\b(?:vou embora|vou sair|tenho (?:de|que) (?:ir|sair)|desisto)\b"
    r"|\b(?:me (?:voy|retiro|rindo)|tengo que irme|abandono)\b"
    r"|\b(?:trebuie s[aă] plec|plec|m[aă] retrag|renun[tț])(?!\w)"
    r"|^\s*(?:out|leaves|leaving|quits?|gone|gives up|disconnected|(?:good)?bye|fora|tchau|adeus|fuera|adi[oó]s"
    r"|afar[aă]|la revedere)\s*[.!]*\s*$",
    re.IGNORECASE,
)
_IS_GONE = re.compile(
    r"\bP(?P<seat>10|[1-9])\b[^.!?]*\b(?:out|left|leaves|has to leave|gone|quits?|gives up|gave up|resigns|drops? out"
    r"|removed|disqualified|kicked|disconnected|saiu|desiste|desistiu|fora|se va|se retira|se rinde|fuera|pleac[aă]"
    r"|se retrage|renun[tț][aă])(?!\w)",
    re.IGNORECASE,
)
_COLOURS = r"(?:red|yellow|green|blue|vermelh[oa]|amarel[oa]|verde|azul|roj[oa]|amarill[oa]|ro[sș]u|galben|albastru)"
_ADVICE = re.compile(
    rf"\b(?:you (?:should|must|could|can) (?:play|put|use|lay|throw|name|choose)"
    rf"|(?<!I )(?:play|put down|lay|throw|use) (?:the|your|a|an|that|{_COLOURS})\b"
    rf"|(?:name|choose|pick|take|change to|switch to) {_COLOURS}\b"
    rf"|(?:joga|jogue|põe|usa|escolhe) (?:o|a|um|uma|teu|tua|seu|sua|{_COLOURS})\b"
    rf"|(?:juega|pon|tira|usa|elige) (?:el|la|un|una|tu|{_COLOURS})\b"
    rf"|(?:joac[aă]|pune|folose[sș]te|alege) (?:un|o|cartea|culoarea|{_COLOURS})\b)",
    re.IGNORECASE,
)


def leaver(subject: Subject, text: str) -> Seat | None:
    """Who leaves the round by these words: the speaker of itself, or the seat that the table or the dealer names."""
    if isinstance(subject, Seat):
        return subject if _GOES.search(text) else None
    named = _IS_GONE.search(text)
    return Seat(int(named["seat"])) if named else None


def is_advice(text: str) -> bool:
    """Whether these words tell somebody what to play."""
    return bool(_ADVICE.search(text))
