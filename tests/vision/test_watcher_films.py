"""The watcher on a real film in which no UNO card is laid."""

from __future__ import annotations

import pytest

from referee.capture.media import frames
from referee.observations import CardLanded, CardsDrawn, CardsShown, Observation
from referee.vision.reader import open_reader
from referee.vision.watcher import TableWatcher
from referee.vision.zones import TableZones
from tests.real_material import real_folder


@pytest.mark.film
def test_hands_that_lay_ordinary_cards_play_no_uno_card() -> None:
    """Hands over most of the picture, cards that are no UNO cards, a guessed table: nothing may be claimed."""
    film = real_folder("film") / "ordinary-cards.mp4"
    watcher = TableWatcher(TableZones.whole_frame_guess(640, 480, 4), open_reader())
    seen: list[Observation] = []
    last_s = 0.0
    for frame in frames(film, max_rate_hz=10):
        seen += watcher.see(frame.image_bgr, frame.t_s)
        last_s = frame.t_s
    seen += watcher.close(last_s)
    assert [o for o in seen if isinstance(o, CardLanded | CardsShown) and o.confidence >= 0.5] == []
    assert all(o.at_least == 0 for o in seen if isinstance(o, CardsDrawn))
