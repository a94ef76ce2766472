"""`sources.yaml`: every external source, what its files are, and the places to get each file from."""

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from repline import parameters
from repline.errors import InputError, shown
from repline.parameters import Values

SOURCE_KEYS = ("title", "licence", "home", "used_by", "moving", "files", "places")
FILE_KEYS = ("name", "sha256", "bytes", "git_blob", "rows", "places", "made_of")
# the first key of a place is its kind; a made place passes its further keys to the generator
CHANGE_KEYS = ("unpack", "member", "encoding", "line_ends")
PLACE_KEYS = {
    "package": ("path", *CHANGE_KEYS),
    "made": None,
    "mirror": CHANGE_KEYS,
    "https": (*CHANGE_KEYS, "dated_by", "checksums"),
}
ARCHIVES = ("zip", "tar")
UNPACK = ("gzip", *ARCHIVES)
LINE_ENDS = ("lf", "closed")
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9.+!_-]+)")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Place:
    """One way to get one file.

    Attributes:
        kind: "package", "made", "mirror" or "https".
        address: `name==version` of a distribution, `module:function`, a path inside the mirror, or a URL.
        path: for a package, the file inside the distribution.
        unpack: "gzip" when the place holds the file compressed, "zip" or "tar" (compressed or not) when it is a
            member of an archive, else None.
        member: the name of the file in the archive, else None.
        encoding: what the text at the place is in, where the file in data/raw is UTF-8; else None.
        line_ends: "lf" when the place has other line ends, "closed" when it has none after the last line; else None.
        dated_by: for https, the URL of a short text that names the date of the file (YYYYMMDD), else None.
        checksums: for https, the URL of a text with a line for each file: MD5, SHA-1 or SHA-256, and its name; or None.
        arguments: for made, the keyword arguments of the generator.
    """

    kind: str
    address: str
    path: str = ""
    unpack: str | None = None
    member: str | None = None
    encoding: str | None = None
    line_ends: str | None = None
    dated_by: str | None = None
    checksums: str | None = None
    arguments: Values = field(default_factory=dict)

    @property
    def is_changed(self) -> bool:
        """Whether the bytes at the place are others than those of the file in data/raw."""
        return any((self.unpack, self.encoding, self.line_ends))


@dataclass(frozen=True)
class SourceFile:
    """One file of a source; `sha256` and `size` (bytes) describe the file in data/raw, None if moving or unknown.

    Attributes:
        git_blob: the id of the content in Git (SHA-1), which a tree on the web tells without the content; else None.
        made_of: for a file that only the mirror holds, what it was made of and how; else None.
    """

    name: str
    sha256: str | None
    size: int | None
    rows: int | None
    places: tuple[Place, ...]
    made_of: str | None = None
    git_blob: str | None = None

    @property
    def is_checked(self) -> bool:
        """Whether a checksum of the file is stated."""
        return self.sha256 is not None or self.git_blob is not None

    @property
    def is_public(self) -> bool:
        """Whether everybody can get the file, without a mirror."""
        return any(place.kind != "mirror" for place in self.places)


@dataclass(frozen=True)
class Source:
    """One external source. `moving`: the public file changes in time, so no sha256 can be stated beforehand."""

    name: str
    title: str
    licence: str
    home: str
    used_by: tuple[str, ...]
    moving: bool
    files: tuple[SourceFile, ...]


def load_sources(path: str | Path = "sources.yaml") -> dict[str, Source]:
    """Read and check a catalogue of sources.

    The `places` of a source hold for each of its files that lists none itself; `{name}` in a place is the file's name.

    Returns:
        sources by name, in the order of the file.

    Raises:
        InputError: the file is missing or no YAML, or an entry has an unknown or missing key or an impossible value.
    """
    return {name: _source(name, entry, f"{path}: {name}") for name, entry in parameters.read(path).items()}


def find_source(sources: Mapping[str, Source], name: str, path: str | Path = "sources.yaml") -> Source:
    """The source called `name`; InputError naming the nearest one if there is none."""
    if name not in sources:
        raise InputError(f"{path}: there is no source {shown(name)}{parameters.nearest(name, sources)}")
    return sources[name]


def public_counts(sources: Iterable[Source]) -> dict[str, int]:
    """How much of some sources everybody can get: the numbers of sources and files, and of those in a mirror alone."""
    chosen = list(sources)
    in_mirror = [sum(not file.is_public for file in source.files) for source in chosen]
    return {
        "sources": len(chosen),
        "files": sum(len(source.files) for source in chosen),
        "public_files": sum(file.is_public for source in chosen for file in source.files),
        "mirror_sources": sum(map(bool, in_mirror)),
        "mirror_files": sum(in_mirror),
    }


def _source(name: str, entry: Any, where: str) -> Source:
    if not _plain(name):
        raise InputError(f"{where}: a source's name becomes a folder of data/raw, so it must be a plain name")
    _check_keys(entry, SOURCE_KEYS, ("title", "licence", "home", "used_by", "files"), where)
    for key in ("title", "licence", "home"):
        _check(isinstance(entry[key], str) and entry[key], f"{where}: {key} should be a text", entry[key])
    used_by = entry["used_by"]
    _check(isinstance(used_by, list) and all(isinstance(user, str) for user in used_by), f"{where}: used_by", used_by)
    moving = entry.get("moving", False)
    _check(isinstance(moving, bool), f"{where}: moving should be true or false", moving)
    _check(isinstance(entry["files"], list) and entry["files"], f"{where}: files should be a list", entry["files"])
    shared = entry.get("places", [])
    files = tuple(
        _file(file, shared, moving, f"{where}: file {number}") for number, file in enumerate(entry["files"], 1)
    )
    names = [file.name for file in files]
    _check(len(set(names)) == len(names), f"{where}: file names should differ", names)
    return Source(name, entry["title"], entry["licence"], entry["home"], tuple(used_by), moving, files)


def _file(entry: Any, shared: Any, moving: bool, where: str) -> SourceFile:
    _check_keys(entry, FILE_KEYS, ("name", "sha256", "bytes"), where)
    name, sha256, size, rows = entry["name"], entry["sha256"], entry["bytes"], entry.get("rows")
    _check(_plain(name) and name != "card.json", f"{where}: name should be a plain file name (not card.json)", name)
    git_blob = entry.get("git_blob")
    if sha256 is None or size is None:
        _check(
            moving or git_blob,
            f"{where} ({name}): sha256 and bytes may be null only beside a git_blob or in a source with `moving: true`",
            "null",
        )
    for key, value, digits in (("sha256", sha256, 64), ("git_blob", git_blob, 40)):
        right = value is None or (isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value))
        _check(right, f"{where} ({name}): {key} should be {digits} hexadecimal digits in quotes", value)
    for key, value in (("bytes", size), ("rows", rows)):
        counted = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        _check(value is None or counted, f"{where} ({name}): {key} should be a count", value)
    places = entry.get("places", shared)
    _check(isinstance(places, list) and places, f"{where} ({name}): there should be at least one place", places)
    made_of = entry.get("made_of")
    _check(made_of is None or isinstance(made_of, str), f"{where} ({name}): made_of should be a text", made_of)
    checked = tuple(_place(place, name, f"{where} ({name})") for place in places)
    file = SourceFile(name, sha256, size, rows, checked, made_of, git_blob)
    _check(not (file.is_public and made_of), f"{where} ({name}): made_of is for files of the mirror alone", made_of)
    return file


def _place(entry: Any, name: str, where: str) -> Place:
    _check(isinstance(entry, dict) and entry, f"{where}: a place should be a mapping", entry)
    kind = next(iter(entry))
    if kind not in PLACE_KEYS:
        raise InputError(f"{where}: unknown kind of place {shown(kind)}{parameters.nearest(kind, PLACE_KEYS)}")
    rest = {key: value for key, value in entry.items() if key != kind}
    if kind == "made":
        address, arguments = entry[kind], rest
        generator = isinstance(address, str) and re.fullmatch(r"repline\.[\w.]+:\w+", address)
        _check(generator, f"{where}: made should be repline.module:function", address)
        return Place(kind, address, arguments=arguments)
    _check_keys(rest, PLACE_KEYS[kind] or (), ("path",) if kind == "package" else (), f"{where}: {kind}")
    texts = {key: value for key, value in entry.items() if value is not None}
    for key, value in texts.items():
        _check(isinstance(value, str) and value, f"{where}: {key} should be a text", value)
    texts = {key: value.replace("{name}", name) for key, value in texts.items()}
    address, path = texts[kind], texts.get("path", "")
    changes: dict[str, str | None] = {key: texts.get(key) for key in CHANGE_KEYS}
    dated_by, checksums = texts.get("dated_by"), texts.get("checksums")
    for key, values in (("unpack", UNPACK), ("line_ends", LINE_ENDS)):
        _check(changes[key] in (None, *values), f"{where}: {key} should be one of {', '.join(values)}", changes[key])
    is_archive = changes["unpack"] in ARCHIVES
    _check(is_archive == (changes["member"] is not None), f"{where}: member is for a zip or tar", changes["member"])
    _check(_is_encoding(changes["encoding"]), f"{where}: there should be such an encoding", changes["encoding"])
    if kind == "package":
        _check(REQUIREMENT.fullmatch(address), f"{where}: package should be name==version", address)
    inside = {"package": path, "mirror": address}.get(kind)
    if inside is not None:
        pure = PurePosixPath(inside)
        relative = not pure.is_absolute() and ".." not in pure.parts
        _check(relative, f"{where}: the path should stay inside the {kind}", inside)
    for url in (address, dated_by, checksums) if kind == "https" else ():
        _check(url is None or encrypted(url), f"{where}: expected an https:// address", url)
    return Place(
        kind,
        address,
        path,
        unpack=changes["unpack"],
        member=changes["member"],
        encoding=changes["encoding"],
        line_ends=changes["line_ends"],
        dated_by=dated_by,
        checksums=checksums,
    )


def _is_encoding(name: str | None) -> bool:
    try:
        return name is None or bool(codecs.lookup(name))
    except LookupError:
        return False


def encrypted(url: str) -> bool:
    """Whether the content is safe from change on its way of `url`: https, or a server on this machine."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK))


def _plain(name: Any) -> bool:
    return isinstance(name, str) and bool(re.fullmatch(r"\w[\w.+-]*", name))


def _check_keys(entry: Any, allowed: tuple[str, ...], needed: tuple[str, ...], where: str) -> None:
    _check(isinstance(entry, dict), f"{where}: expected a mapping", entry)
    for key in entry:
        if key not in allowed:
            raise InputError(f"{where}: unknown key {shown(key)}{parameters.nearest(key, allowed)}")
    for key in needed:
        if key not in entry:
            raise InputError(f"{where}: the key {shown(key)} is missing")


def _check(holds: Any, expected: str, value: Any) -> None:
    if not holds:
        raise InputError(f"{expected}, found {shown(value)}")
