"""What other speech at the table can mean: somebody leaves, somebody tells another what to play.

Words are weak evidence. Only plain sayings count, and advice only makes a question.
"""

from __future__ import annotations

import re

from referee.cards import Seat
from referee.rules.entries import Subject

_LEAVING = re.compile(
    r"\b(?:(?:have|has|need|needs|got|going) to (?:leave|go)|i(?:'m| am) (?:leaving|out)|(?:is|are) out|leaves|left"
    r"|gives? up|i quit|quits|resigns?|drops? out"
    r"|(?:vou|tenho de|tenho que) (?:embora|sair|ir)|desisto|desiste|saiu|est[aá] fora"
    r"|me (?:voy|retiro|rindo)|tengo que irme|abandon[ao]|se (?:va|retira|rinde)|est[aá] fuera"
    r"|trebuie s[aă] plec|plec|m[aă] retrag|renun[tț][aă]?|a ie[sș]it)\b|^\s*(?:out|fora|fuera|afar[aă])\s*[.!]?\s*$",
    re.IGNORECASE,
)
_SEAT = re.compile(r"\bP(10|[1-9])\b", re.IGNORECASE)
_ADVICE = re.compile(
    r"\b(?:you (?:should|must|could|can) (?:play|put|use|lay|throw)"
    r"|(?:play|put down|lay|throw|use) (?:the|your|a|an|that)\b"
    r"|(?:joga|jogue|põe|usa) (?:o|a|um|uma|teu|tua|seu|sua)\b"
    r"|(?:juega|pon|tira|usa) (?:el|la|un|una|tu)\b"
    r"|(?:joac[aă]|pune|folose[sș]te) (?:un|o|cartea|culoarea)\b)",
    re.IGNORECASE,
)


def leaver(subject: Subject, text: str) -> Seat | None:
    """Who leaves the round by these words: the speaker, or the seat that the table or the dealer names."""
    if not _LEAVING.search(text):
        return None
    if isinstance(subject, Seat):
        return subject
    named = _SEAT.search(text)
    return Seat(int(named.group(1))) if named else None


def is_advice(text: str) -> bool:
    """Whether these words tell somebody what to play."""
    return bool(_ADVICE.search(text))
