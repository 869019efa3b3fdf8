"""A city in the form in which OSMnx saves cities: GraphML of a multigraph, with all values as text.

Streets have several lanes of the same way (parallel edges), one-way streets, lists as values,
geometries, attributes that only some have, and no travel time where the speed is not known.
"""

from __future__ import annotations

import io
from ast import literal_eval
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from phil.graphs.features.coordinates import EARTH_RADIUS

SIDE = 7  # crossings along a side
SPEEDS = (30.0, 50.0, 70.0, 110.0)  # km/h
WITHOUT_SPEED = 9  # one in so many streets
NUMBERS = {"x": float, "y": float, "street_count": int, "length": float, "travel_time": float}


def save_city(path: Path) -> Path:
    """Write the city to a file."""
    dice = np.random.default_rng(3)
    city = nx.MultiDiGraph(
        created_date="2025-03-01 10:00:00", created_with="OSMnx 2.0.1", crs="epsg:4326"
    )
    shift = dice.uniform(-0.3, 0.3, (SIDE, SIDE, 2))
    places = {}
    for row, column in np.ndindex(SIDE, SIDE):
        node = 26_000_000 + 101 * row + column
        x, y = np.array([10.7, 59.9]) + [0.004, 0.002] * (shift[row, column] + [column, row])
        places[row, column] = node, x, y
        some = {"highway": "traffic_signals", "ref": "12"} if (row + column) % 5 == 0 else {}
        city.add_node(node, y=str(y), x=str(x), street_count="4", **some)
    for row, column in np.ndindex(SIDE, SIDE):
        for other in ((row + 1, column), (row, column + 1)):
            if other in places:
                _add_street(city, places[row, column], places[other], dice)
    stream = io.BytesIO()
    nx.write_graphml(city, stream)
    path.write_bytes(stream.getvalue())
    return path


def _add_street(city: Any, one: Any, two: Any, dice: np.random.Generator) -> None:
    number = city.number_of_edges()
    one_way = number % 4 == 0
    ways = [(one, two), (two, one)][: 1 if one_way else 2]
    detour, speed = dice.uniform(1.0, 1.3), SPEEDS[number % len(SPEEDS)]
    for parallel in range(2 if number % 6 == 0 else 1):
        for (u, *here), (v, *there) in ways:
            length = _great_circle(here, there) * detour * (1 + parallel / 2)
            data = {
                "osmid": str([number, number + 1]) if number % 3 == 0 else str(number),
                "highway": "residential",
                "oneway": str(one_way),
                "reversed": str((u, v) != (one[0], two[0])),
                "length": str(length),
            }
            if number % 7 == 0:
                data |= {"name": "Ålesundgata & co", "lanes": "['2', '3']", "tunnel": "yes"}
            if number % 5 == 0:
                ends = ", ".join(f"{x} {y}" for x, y in (here, there))
                data["geometry"] = f"LINESTRING ({ends})"
            if number % WITHOUT_SPEED:
                data |= {"speed_kph": str(speed), "travel_time": str(length / speed * 3.6)}
            city.add_edge(u, v, **data)


def _great_circle(here: list[float], there: list[float]) -> float:
    """The distance in metres, as OSMnx computes it."""
    (x, y), (far_x, far_y) = np.radians(here), np.radians(there)
    inner = np.sin((far_y - y) / 2) ** 2
    inner += np.cos(y) * np.cos(far_y) * np.sin((far_x - x) / 2) ** 2
    return float(2 * EARTH_RADIUS * np.arcsin(np.sqrt(inner)))


def load_city(path: Path) -> Any:
    """Read the city as `osmnx.load_graphml` does: the usual attributes become numbers again."""
    city = nx.read_graphml(path, node_type=int, force_multigraph=True)
    edges = [data for *_, data in city.edges(data=True)]
    for data in [*(data for _, data in city.nodes(data=True)), *edges]:
        for name in data.keys() & NUMBERS.keys():
            data[name] = NUMBERS[name](data[name])
    for data in edges:
        data["oneway"], data["osmid"] = data["oneway"] == "True", literal_eval(data["osmid"])
    return city
