"""A MuJoCo scene with all its files, in memory: MuJoCo itself opens no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from phil.rooms.scene import import_mujoco, mujoco_reads


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
        """The scene as a new `mujoco.MjSpec`."""
        models = {name: text.encode() for name, text in self.models.items()}
        with mujoco_reads():
            return import_mujoco().MjSpec.from_string(
                self.xml, include=models, assets=dict(self.assets)
            )
