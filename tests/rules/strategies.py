"""Random entries of every kind, sensible or not."""

from __future__ import annotations

from hypothesis import strategies as st

from referee.cards import Colour, Seat, all_faces
from referee.rules import entries as e

CARDS = st.sampled_from(all_faces(special=True))
SEATS = st.sampled_from(Seat.first(5))
COLOURS = st.one_of(st.sampled_from(Colour), st.just(e.UNHEARD))
TEXTS = st.text(
    st.characters(blacklist_characters='"\n\r', blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=12
)
VERDICTS: list[e.VerdictWord] = ["guilty", "innocent", "late", "caught", "safe", "void"]
ZONES: list[e.Zone] = ["draw", "discard", "hand"]
OFFICES: list[e.Subject] = ["table", "dealer"]
TIMES = st.one_of(st.none(), st.integers(0, 5_000_000).map(lambda ms: ms / 1000))


@st.composite
def plays(draw: st.DrawFn) -> e.Play:
    readings = draw(st.lists(CARDS, min_size=1, max_size=3, unique=True))
    blank = draw(st.sampled_from([None, 1, 2])) if readings[0].code == "WC" else None
    sure = draw(st.one_of(st.none(), st.integers(0, 100).map(lambda percent: percent / 100)))
    target = draw(st.one_of(st.none(), st.none(), SEATS))
    return e.Play(tuple(readings), sure, draw(st.one_of(st.none(), COLOURS)), target, draw(st.booleans()), blank)


@st.composite
def draws(draw: st.DrawFn) -> e.Draw:
    count = draw(st.integers(0, 8))
    causes: list[e.Cause | None] = [
        None,
        "turn",
        "d2",
        "w4",
        "uno",
        "bluff",
        "doubt",
        "foul",
        "tip",
        "house",
        "start",
    ]
    seen = draw(st.one_of(st.none(), st.lists(st.one_of(st.none(), CARDS), min_size=1, max_size=4)))
    return e.Draw(count, draw(st.sampled_from(causes)), None if seen is None else tuple(seen))


EVENTS: st.SearchStrategy[e.Event] = st.one_of(
    plays(),
    plays(),
    draws(),
    st.just(e.Pass()),
    st.just(e.SayUno()),
    SEATS.map(e.Catch),
    st.just(e.Challenge()),
    st.sampled_from(VERDICTS).map(e.Verdict),
    COLOURS.map(e.ColourCall),
    CARDS.map(e.TakeBack),
    st.lists(CARDS, max_size=4).map(lambda cards: e.Show(tuple(cards))),
    st.sampled_from(ZONES).map(e.Touch),
    st.one_of(st.none(), st.integers(0, 120)).map(e.Reshuffle),
    st.builds(e.Opening, CARDS, st.one_of(st.none(), COLOURS)),
    st.one_of(TEXTS, st.sampled_from(["I have to leave", "out", "play your green", "P2 is out"])).map(e.Word),
)

FLAGS = st.lists(
    st.builds(e.Flag, st.sampled_from(["illegal_play", "x1"]), st.sampled_from(["", "blue wanted", "a;b {c} #d"])),
    max_size=2,
).map(tuple)

ENTRIES = st.builds(
    e.Entry,
    st.one_of(SEATS, SEATS, st.sampled_from(OFFICES)),
    st.lists(EVENTS, min_size=1, max_size=4).map(tuple),
    FLAGS,
    TIMES,
    st.one_of(st.none(), st.integers(0, 999)),
)
HANDS = st.builds(
    e.HandCount, SEATS, st.integers(0, 400), st.one_of(st.none(), st.lists(CARDS, max_size=5).map(tuple))
)
RESULTS = st.builds(e.Result, SEATS, st.lists(HANDS, max_size=3).map(tuple), FLAGS, TIMES)
TAGS = st.builds(e.Tag, st.sampled_from(["UGN", "P1", "Site", "Dealer"]), TEXTS)
ITEMS = st.one_of(ENTRIES, ENTRIES, ENTRIES, RESULTS, TAGS)
