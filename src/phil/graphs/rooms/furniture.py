"""Pieces of furniture as boxes: what is seen of them, and what a drone must not enter.

A drone may not fly under furniture: where a piece stands on legs, the room below it is closed by a
box that nobody sees. Places are in metres from the corner of the room.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Side = Literal["north", "south", "east", "west"]
Span = tuple[float, float]

OAK = (0.72, 0.53, 0.33)
WALNUT = (0.42, 0.29, 0.2)
WHITE = (0.9, 0.9, 0.88)
LINEN = (0.56, 0.6, 0.62)
MOSS = (0.45, 0.53, 0.42)
RED = (0.78, 0.25, 0.22)

TABLE_HEIGHT, BOARD, LEG = 0.75, 0.04, 0.06
SEAT_HEIGHT, BACK_HEIGHT, SEAT, BACK = 0.46, 0.95, 0.42, 0.05


@dataclass(frozen=True)
class Box:
    """A box along the axes, by its extent; one without a colour is not seen."""

    x: Span
    y: Span
    z: Span
    colour: tuple[float, float, float] | None = None


def solid(x: Span, y: Span, height: float, colour: tuple[float, float, float]) -> list[Box]:
    """Whatever stands on the floor and has no room below: a wardrobe, a sofa, a screen."""
    return [Box(x, y, (0.0, height), colour)]


def table(x: Span, y: Span) -> list[Box]:
    """A board on four legs."""
    return [
        Box(x, y, (TABLE_HEIGHT - BOARD, TABLE_HEIGHT), OAK),
        *_legs(x, y, TABLE_HEIGHT - BOARD, OAK),
        _closed(x, y, TABLE_HEIGHT - BOARD),
    ]


def chair(corner: tuple[float, float], back: Side) -> list[Box]:
    """A chair by its south-west corner and the side of its back."""
    (west, south), (east, north) = corner, (corner[0] + SEAT, corner[1] + SEAT)
    x, y = (west, east), (south, north)
    upright = {
        "north": (x, (north - BACK, north)),
        "south": (x, (south, south + BACK)),
        "east": ((east - BACK, east), y),
        "west": ((west, west + BACK), y),
    }[back]
    return [
        Box(x, y, (SEAT_HEIGHT - BOARD, SEAT_HEIGHT), WALNUT),
        Box(*upright, (SEAT_HEIGHT, BACK_HEIGHT), WALNUT),
        *_legs(x, y, SEAT_HEIGHT - BOARD, WALNUT),
        _closed(x, y, SEAT_HEIGHT - BOARD),
    ]


def joined(pieces: Iterable[Iterable[Box]]) -> list[Box]:
    """The boxes of several pieces."""
    return [box for piece in pieces for box in piece]


def _legs(x: Span, y: Span, height: float, colour: tuple[float, float, float]) -> list[Box]:
    ends = [[(low, low + LEG), (high - LEG, high)] for low, high in (x, y)]
    return [Box(along, across, (0.0, height), colour) for along in ends[0] for across in ends[1]]


def _closed(x: Span, y: Span, height: float) -> Box:
    return Box(x, y, (0.0, height))
