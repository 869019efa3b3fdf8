"""Compare methods on a problem set and write a report with pictures.

python examples/compare_methods.py
"""

from pathlib import Path

import phil
from phil.evaluation import parse_method
from phil.view import MapView, Report, Shot, write_report

# Any set that `phil problems` lists, or a folder of your own maps.
problems = phil.open_set("generated/forest").test[:20]
methods = [parse_method(text) for text in ("phil:forest", "astar", "greedy(euclidean)", "bfs")]

scores = phil.evaluate(problems, methods)
print(scores)

first = problems[0]
shots = [Shot(method.text, method.search(first, trace=True)) for method in methods]
report = Report(
    title="Four methods on forests",
    summary="The number of nodes that each method expands.",
    problems="20 generated forests.",
    scores=scores,
    focus="phil:forest",
    maps=[MapView(first.name, first.graph, first.goal, shots)],
)
write_report(Path("comparison.html"), report)
print("written to comparison.html")
