"""Reading an MJCF file and all files that it names into memory.

Includes are inlined, and the paths of other files are replaced by names, so that MuJoCo itself
opens no file: a scene can neither name files outside its folder (unless that is allowed) nor change
between a check and its use. Elements stay on their lines, so that errors name them.

Joints, all that acts on them, and what is soft are left out, with all settings of the simulation:
bodies stay where the file places them, and nothing else of the scene is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from phil.errors import InputError, shortened
from phil.graphs.formats.source import check_named, line_error, read_bytes
from phil.graphs.formats.xml import feed
from phil.rooms.scene_files import SceneFiles

ROOT = "mujoco"
MOST_XML = 2**24  # bytes of all XML, of which Python objects take many times the memory
MOST_ELEMENTS = 2**20
MOST_BYTES = 2**28  # of all files
DEEPEST = 16  # includes within includes
LONGEST_PATH = 250  # characters
FILE = "file"  # and fileright, fileleft, ...: the attributes that name files
COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
LEFT_OUT = {"joint", "freejoint", "flexcomp", "flex", "actuator", "sensor", "tendon", "equality"}
LEFT_OUT |= {"contact", "keyframe", "custom", "option", "size"}
SHAPES = "mujoco.sdf."  # the plug-ins that define shapes; others act on what moves
FOLDERS = {"assetdir": ("mesh", "texture"), "meshdir": ("mesh",), "texturedir": ("texture",)}
# Settings of the compiler that are no longer needed, or that would take names from static bodies.
RESOLVED = (*FOLDERS, "strippath", "fusestatic")


def read_scene(path: str | Path) -> SceneFiles:
    """Read a scene with all its files.

    Parameters
    ----------
    path : str or Path
        An MJCF file, plain or gzipped.

    Returns
    -------
    SceneFiles

    Raises
    ------
    InputError
        If a file cannot be read, is not XML, or is outside the folder of the scene.
    """
    return _Reader(Path(path)).read()


@dataclass(frozen=True)
class _Tag:
    """The start of an element, or its end."""

    line: int  # 0 if it comes from another file
    name: str
    values: dict[str, str] | None = None


@dataclass
class _Model:
    """The elements of one MJCF model, with those that it includes, and where its files are."""

    path: Path
    tags: list[_Tag] = field(default_factory=list)
    included: set[Path] = field(default_factory=set)
    folders: dict[str, str] = field(default_factory=lambda: {"mesh": "", "texture": ""})
    strips: bool = False  # removes folders from the names of files

    def add(self, tag: _Tag) -> None:
        self.tags.append(tag)
        if tag.name == "compiler" and tag.values:
            for key, kinds in FOLDERS.items():
                if key in tag.values:
                    self.folders.update(dict.fromkeys(kinds, tag.values[key]))
            self.strips = tag.values.get("strippath", str(self.strips)).lower() == "true"

    def file(self, name: str, kind: str) -> Path:
        """The path of a mesh, a texture, or a file of another kind."""
        if self.strips:
            name = PurePosixPath(_slashes(name)).name
        return self.path.parent / _slashes(self.folders.get(kind, "")) / _slashes(name)


class _Reader:
    def __init__(self, scene: Path) -> None:
        self._scene = scene
        self._left = {"bytes": MOST_BYTES, "bytes of XML": MOST_XML, "elements": MOST_ELEMENTS}
        self._models: dict[Path, str] = {}  # the name of each
        self._texts: dict[str, str] = {}
        self._assets: dict[str, bytes] = {}

    def read(self) -> SceneFiles:
        xml = self._model(self._scene)
        return SceneFiles(xml, self._texts, self._assets)

    def _model(self, path: Path) -> str:
        model = _Model(path)
        self._parse(model, path, ())
        return "".join(self._written(model))

    def _parse(self, model: _Model, path: Path, within: tuple[Path, ...]) -> None:
        """Add the elements of a file to a model, and those of the files that it includes."""
        parser = expat.ParserCreate()
        included = bool(within)
        depth = 0
        left_out = 0  # the depth of the element that is left out, with all in it

        def start(name: str, values: dict[str, str]) -> None:
            nonlocal depth, left_out
            self._spend("elements", 1)
            depth += 1
            is_root = depth == 1
            if is_root and not included and name != ROOT:
                what = f"a scene must start with <{ROOT}>, not {shortened(name)}"
                raise line_error(path, parser.CurrentLineNumber, what)
            if left_out or (is_root and included):
                return
            acts = name == "plugin" and not values.get(name, SHAPES).startswith(SHAPES)
            if acts or name in LEFT_OUT:
                left_out = depth
            elif name == "include":
                self._include(model, path, values.get(FILE, ""), within)
            else:
                model.add(_Tag(0 if included else parser.CurrentLineNumber, name, values))

        def end(name: str) -> None:
            nonlocal depth, left_out
            if not left_out and name != "include" and not (depth == 1 and included):
                model.add(_Tag(0, name))
            if left_out == depth:
                left_out = 0
            depth -= 1

        def refuse(*_: object) -> None:
            what = "entities are not supported; remove <!ENTITY ...>"
            raise line_error(path, parser.CurrentLineNumber, what)

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.EntityDeclHandler = refuse
        # MuJoCo accepts comments that are not valid in XML, such as <!-- --- -->.
        data = COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), self._bytes(path))
        self._spend("bytes of XML", len(data))
        feed(parser, path, data)

    def _include(self, model: _Model, path: Path, name: str, within: tuple[Path, ...]) -> None:
        """Add the elements of a file whose path is relative to the model or to this file."""
        near = model.path.parent / _slashes(name), path.parent / _slashes(name)
        file = next((each for each in near if _is_file(each)), near[0])
        check_named(self._scene, file)
        real = file.resolve()
        if not name or real in model.included:
            raise InputError(
                f"{path} includes {shortened(name)}, which is missing or included already"
            )
        if len(within) == DEEPEST:
            raise InputError(f"{path}: more than {DEEPEST} includes within each other")
        model.included.add(real)
        self._parse(model, file, (*within, file))

    def _written(self, model: _Model) -> Iterator[str]:
        """The XML of a model, in which files have the names of `SceneFiles`."""
        line = 1
        for tag in model.tags:
            if tag.values is None:
                yield f"</{tag.name}>"
                continue
            yield "\n" * (tag.line - line)
            line = max(line, tag.line)
            values = (
                f" {key}={quoteattr(self._value(model, tag.name, key, text))}"
                for key, text in tag.values.items()
                if not (tag.name == "compiler" and key in RESOLVED)
            )
            yield f"<{tag.name}{''.join(values)}>"

    def _value(self, model: _Model, tag: str, key: str, text: str) -> str:
        """The value of an attribute: for files, the name of what they contain."""
        if not key.startswith(FILE) or not text:
            return text
        if tag == "model":
            return self._attached(model.path.parent / _slashes(text))
        path = model.file(text, "texture" if tag == "texture" else "mesh")
        check_named(self._scene, path)
        data = self._bytes(path)
        # MuJoCo names meshes after their files.
        name = f"{sha256(data).hexdigest()}/{path.name}"
        self._assets[name] = data
        return name

    def _attached(self, path: Path) -> str:
        check_named(self._scene, path)
        real = path.resolve()
        if real not in self._models:
            self._models[real] = f"model{len(self._models)}.xml"
            self._texts[self._models[real]] = self._model(path)
        return self._models[real]

    def _bytes(self, path: Path) -> bytes:
        data = read_bytes(path, MOST_BYTES)
        self._spend("bytes", len(data))
        return data

    def _spend(self, what: str, count: int) -> None:
        """Refuse a scene that has more than it may."""
        self._left[what] -= count
        if self._left[what] < 0:
            raise InputError(f"{self._scene} and its files have too many {what}; make it smaller")


def _slashes(name: str) -> str:
    """The name of a file or folder as this system writes it; MuJoCo accepts both slashes."""
    if len(name) > LONGEST_PATH:
        raise InputError(f"a scene cannot name a file {shortened(name)}: the name is too long")
    return name.replace("\\", "/")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
