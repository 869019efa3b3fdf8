"""A Ray cluster of two machines with one core each, all on this one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

# Processes of the cluster inherit these: quiet, and without reports to anyone.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_DISABLE_IMPORT_WARNING", "1")

NODE = {"num_cpus": 1, "object_store_memory": 200_000_000, "include_dashboard": False}


def new_cluster() -> Any:
    ray = pytest.importorskip("ray", reason="Ray is not installed (phil-search[ray])")
    assert not ray.is_initialized()
    utils = pytest.importorskip("ray.cluster_utils")
    cluster = utils.Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**{k: v for k, v in NODE.items() if k != "include_dashboard"})
    cluster.wait_for_nodes()
    return cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    cluster = new_cluster()
    try:
        yield cluster
    finally:
        cluster.shutdown()
