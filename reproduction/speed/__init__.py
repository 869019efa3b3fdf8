"""How fast the engine is: compared with its peers, with the machine's limit, and as graphs grow.

    python -m reproduction speed [PART ...] [--quick]

Every part (`experiment.PARTS`) is measured alone and replaces its older figures in
`reproduction/results/speed.json`, which `docs/speed.md` shows.
"""
