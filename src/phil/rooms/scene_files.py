"""A MuJoCo scene with all its files, in memory: MuJoCo itself opens no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from phil.rooms.scene import import_mujoco, mujoco_reads

# What moves or is soft, and what acts on it; first what refers to others.
MOVING = (
    "keys",
    "tuples",
    "sensors",
    "actuators",
    "tendons",
    "equalities",
    "pairs",
    "flexes",
    "joints",
)


@dataclass(frozen=True)
class SceneFiles:
    """The content of a scene; its elements name other files by the keys of `models` and `assets`.

    Parameters
    ----------
    xml : str
        The scene.
    models : mapping of str to str
        The scenes that are attached to it.
    assets : mapping of str to bytes
        Meshes, textures, height fields and skins.
    """

    xml: str
    models: Mapping[str, str]
    assets: Mapping[str, bytes]

    def spec(self) -> Any:
        """The scene as a new `mujoco.MjSpec`, as the file describes it."""
        models = {name: text.encode() for name, text in self.models.items()}
        with mujoco_reads():
            return import_mujoco().MjSpec.from_string(
                self.xml, include=models, assets=dict(self.assets)
            )

    def still(self) -> Any:
        """The scene as a new `mujoco.MjSpec` in which nothing moves.

        Joints, all that acts on them, and flexes are left out: bodies stay where the file places
        them, and a simulation neither takes longer nor becomes unstable because of them.
        """
        spec = self.spec()
        spec.compiler.fusestatic = False  # static bodies keep their names
        # Nor may a file change how contacts are found, or limit their number.
        spec.option = import_mujoco().MjSpec().option
        spec.memory = spec.nconmax = spec.njmax = spec.nstack = -1
        for kind in MOVING:
            for element in getattr(spec, kind):
                spec.delete(element)
        return spec
