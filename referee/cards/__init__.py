"""Cards, colours, symbols, seats and deck editions. Imports nothing of the project."""

from referee.cards.card import Card, Colour, Symbol, all_faces
from referee.cards.deck import EDITIONS, deck_counts
from referee.cards.seat import Seat

__all__ = ["EDITIONS", "Card", "Colour", "Seat", "Symbol", "all_faces", "deck_counts"]
