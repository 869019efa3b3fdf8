"""Flights along PHIL's paths: does a drone get there without touching anything?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from phil.rooms import room_problem
from phil.rooms.flight import fly_problem
from reproduction.experiment import Request
from reproduction.grid import Grid, Trial
from reproduction.numbers import round_to
from reproduction.runner import Part
from reproduction.store import Content, Parts
from reproduction.table3.methods import PHIL

FLIGHTS = 20
QUICK_FLIGHTS = 1


def flights_parts(table: Grid, request: Request) -> list[Part]:
    """Flights on the first test problems of each room, unless PHIL was left out."""
    if PHIL not in table.chosen_methods(request):
        return []
    return [
        Part(f"{room}-flights", partial(_fly, table, request, room)) for room in table.rows(request)
    ]


def over_flights(parts: Parts, room: str) -> dict[str, Any] | None:
    """Means and extremes of a room's flights; errors and lengths are in metres."""
    if f"{room}-flights" not in parts:
        return None
    flown = parts[f"{room}-flights"]["flights"]
    return {
        "flights": len(flown),
        "touched": sum(flight["contacts"] > 0 for flight in flown),
        "mean_error": float(np.mean([flight["mean_error"] for flight in flown])),
        "worst_mean_error": max(flight["mean_error"] for flight in flown),
        "largest_error": max(flight["largest_error"] for flight in flown),
        "seconds": float(np.mean([flight["seconds"] for flight in flown])),
        "length": float(np.mean([flight["length"] for flight in flown])),
    }


def _fly(table: Grid, request: Request, room: str) -> Content:
    solver = table.solver(request, Trial(room, PHIL))
    flown = []
    for number in range(QUICK_FLIGHTS if request.quick else FLIGHTS):
        problem = room_problem(room, "test", number)
        flight = fly_problem(problem, solver.search(problem.problem))
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
