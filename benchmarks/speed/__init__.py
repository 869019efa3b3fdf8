"""How fast the engine is: beside its peers, beside the machine's limit, and as graphs grow.

    python -m benchmarks.speed [PART ...] [--quick]

Every part (see `benchmarks.speed.command`) is measured alone and kept as a JSON file of its own;
`reproduction/results/speed.json` and `docs/speed.md` show the latest of each.
"""
