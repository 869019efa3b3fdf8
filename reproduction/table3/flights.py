"""Flights along PHIL's paths: does a drone get there without touching anything?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from phil.rooms import room_problem
from phil.rooms.flight import fly_problem
from reproduction.parts import Part
from reproduction.table3.columns import PHIL
from reproduction.table3.study import Cell, Study, method_of
from reproduction.training import round_to

FLIGHTS = 20
QUICK_FLIGHTS = 1


def flights_part(study: Study, room: str) -> Part:
    """Flights on the first test problems of a room, with the first training of PHIL."""
    return Part(study.folder / f"{room}-flights.json", partial(_part, study, room))


def flights_parts(study: Study) -> list[Part]:
    """All flights, if PHIL was not left out."""
    return [flights_part(study, room) for room in study.rooms if PHIL in study.methods]


def _part(study: Study, room: str) -> dict[str, Any]:
    method = method_of(study, Cell(room, PHIL))
    flown = []
    for number in range(QUICK_FLIGHTS if study.quick else FLIGHTS):
        problem = room_problem(room, "test", number)
        flight = fly_problem(problem, method.search(problem.problem))
        flown.append(
            {
                "contacts": flight.contacts,
                "mean_error": round_to(flight.mean_error),
                "largest_error": round_to(flight.largest_error),
                "seconds": round_to(flight.seconds),
                "length": round_to(flight.length),
            }
        )
    return {"room": room, "flights": flown}


def over_flights(study: Study, room: str) -> dict[str, Any] | None:
    """Means and extremes of a room's flights; errors and lengths are in metres."""
    part = flights_part(study, room)
    if not part.done:
        return None
    flown = part.read()["flights"]
    return {
        "flights": len(flown),
        "touched": sum(flight["contacts"] > 0 for flight in flown),
        "mean_error": float(np.mean([flight["mean_error"] for flight in flown])),
        "worst_mean_error": max(flight["mean_error"] for flight in flown),
        "largest_error": max(flight["largest_error"] for flight in flown),
        "seconds": float(np.mean([flight["seconds"] for flight in flown])),
        "length": float(np.mean([flight["length"] for flight in flown])),
    }
