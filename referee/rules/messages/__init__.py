"""What the table reads and hears: every incident, remedy, question and result as one sentence in four languages.

`render("illegal_play", "pt", player=Seat.P2, card=Card.parse("Y1"), top=Card.parse("B6"))` picks the richest wording
for which all facts are known. The facts, all optional; cards, colours and seats are put into words:

- `player`  who did it: a Seat or a name
- `other`   the other player concerned: whose turn it is, who owes, who caught or was caught
- `card`    the card it is about
- `top`     the card it was laid on (left out by itself when it is a wild: then `colour` says it)
- `colour`  the colour in force or the colour that was held
- `count`   a number of cards: to draw, to put back, left in the hand, counted
- `owed`    how many cards were due
- `drawn`   how many cards were drawn
- `number`  points, or the number that was expected
- `detail`  anything else, in the table's own words
"""

from referee.rules.messages.catalogue import LANGUAGES, codes
from referee.rules.messages.wording import Fact, card_words, colour_word, render, sentence

__all__ = ["LANGUAGES", "Fact", "card_words", "codes", "colour_word", "render", "sentence"]
