"""Every sentence, in every language, with sample facts: none lacks a fact, none keeps a brace."""

from itertools import pairwise
from string import Formatter

import pytest

from referee.cards import Card, Colour, Seat, all_faces
from referee.rules.messages import LANGUAGES, Fact, card_words, codes, colour_word, render, sentence
from referee.rules.messages.catalogue import FACTS, wordings

SAMPLE: dict[str, Fact] = {
    "player": Seat.P2,
    "other": "Ana",
    "card": Card.parse("Y1"),
    "top": Card.parse("B6"),
    "colour": Colour.BLUE,
    "count": 2,
    "owed": 4,
    "drawn": 3,
    "number": 27,
    "detail": "…",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", codes())
def test_every_message_in_every_language(code: str, language: str) -> None:
    said = render(code, language, **SAMPLE)
    assert "{" not in said
    assert said == said.strip()
    if not code.startswith("certainty."):
        assert said[-1] in ".?!"
        assert not said[0].islower(), said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", codes())
def test_wordings_go_from_the_richest_to_the_barest(code: str, language: str) -> None:
    said = [
        {name for _, name, _, _ in Formatter().parse(text) if name} for text in wordings(language).sentences[code]
    ]
    assert set().union(*said) <= set(FACTS)
    assert all(len(richer) >= len(barer) for richer, barer in pairwise(said))
    if not code.startswith(("question.", "result.", "remedy.", "answer.")):
        assert len(said[-1]) <= 1, "an incident can be told when only one player is known"
        assert said[-1] <= {"player", "other"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_languages_have_the_same_codes_and_facts(language: str) -> None:
    assert tuple(wordings(language).sentences) == codes()
    for code in codes():
        for richest in (wordings("en").sentences[code][0], wordings(language).sentences[code][0]):
            used = {name for _, name, _, _ in Formatter().parse(richest) if name}
        english = {name for _, name, _, _ in Formatter().parse(wordings("en").sentences[code][0]) if name}
        assert used - {"player"} == english - {"player"}, f"{language} {code}"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "P2: yellow 1 does not fit blue 6. Take it back."),
        ("pt", "P2: 1 amarelo não combina com 6 azul. A carta volta para a mão."),
        ("es", "P2: 1 amarillo no va sobre 6 azul. La carta vuelve a la mano."),
        ("ro", "P2: 1 galben nu se potrivește cu 6 albastru. Cartea se întoarce în mână."),
    ],
)
def test_a_ruling_in_the_tables_language(language: str, said: str) -> None:
    card, top = Card.parse("Y1"), Card.parse("B6")
    assert sentence("illegal_play", "take_back", language, player=Seat.P2, card=card, top=top) == said


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"card": Card.parse("Y1"), "top": Card.parse("B6")}, "P2: yellow 1 does not fit blue 6."),
        ({"card": Card.parse("Y1"), "top": Card.parse("W"), "colour": Colour.BLUE},
         "P2: yellow 1 does not fit; the colour is blue."),
        ({"card": Card.parse("Y1"), "top": None}, "P2: yellow 1 does not fit."),
        ({}, "P2: that card does not fit."),
    ],
)  # fmt: skip
def test_the_richest_wording_that_the_facts_allow(facts: dict[str, Fact], said: str) -> None:
    assert render("illegal_play", "en", player=Seat.P2, **facts) == said


def test_a_variant_falls_back_to_its_code() -> None:
    assert render("illegal_play.unheard_of", player="Ana") == "Ana: that card does not fit."


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("R5", ("red 5", "5 vermelho", "5 rojo", "5 roșu")),
        ("GS", ("green Skip", "Pular verde", "Saltar verde", "Treci peste verde")),
        ("RR", ("red Reverse", "Inverter vermelho", "Reversa roja", "Inversare roșie")),
        ("YD", ("yellow +2", "+2 amarelo", "+2 amarillo", "+2 galben")),
        ("W", ("Wild", "Coringa", "Comodín", "Schimbare de culoare")),
        ("W4", ("+4", "+4", "+4", "+4")),
        ("WX", ("Swap Hands", "Troca de mãos", "Cambio de manos", "Schimb de mâini")),
    ],
)
def test_cards_in_words(card: str, words: tuple[str, ...]) -> None:
    assert tuple(card_words(Card.parse(card), language) for language in LANGUAGES) == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cards_or_colours_share_a_name(language: str) -> None:
    faces = all_faces(special=True)
    assert len({card_words(card, language) for card in faces}) == len(faces)
    assert len({colour_word(colour, language) for colour in Colour}) == 4


def test_faults_of_the_caller() -> None:
    with pytest.raises(KeyError, match="no_such_code"):
        render("no_such_code")
    with pytest.raises(KeyError, match="no_colour_named needs player"):
        render("no_colour_named")
    with pytest.raises(ValueError, match="'de' is not a language"):
        render("no_colour_named", "de", player=Seat.P1)
