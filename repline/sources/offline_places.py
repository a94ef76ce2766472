"""Places of files that need no web server: installed packages, generators of this project, and a mirror."""

import importlib
import importlib.metadata
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from repline.errors import InputError
from repline.sources.catalogue import REQUIREMENT, Place
from repline.sources.verify import Unavailable


@contextmanager
def open_packaged(place: Place) -> Iterator[BinaryIO]:
    """Open a file of an installed distribution, whose version must be the stated one."""
    requirement = REQUIREMENT.fullmatch(place.address)
    if requirement is None:
        raise Unavailable(f"expected a requirement like name==1.0, found {place.address!r}")
    name, version = requirement.group("name", "version")
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        raise Unavailable(f"{name} is not installed") from None
    if distribution.version != version:
        raise Unavailable(f"{name} {distribution.version} is installed, {version} is needed")
    path = Path(str(distribution.locate_file(place.path)))
    if not path.is_file():
        raise Unavailable(f"{name} {version} has no file {place.path}")
    with open(path, "rb") as file:
        yield file


@contextmanager
def open_mirrored(place: Place, mirror: str | None) -> Iterator[BinaryIO]:
    """Open a file of the mirror, a folder or any URL that fsspec knows."""
    if not mirror:
        raise Unavailable("REPLINE_MIRROR is not set")
    import fsspec

    try:
        system, root = fsspec.core.url_to_fs(mirror)
        file = system.open(f"{root.rstrip('/')}/{place.address}", "rb")
    except (OSError, ValueError, ImportError) as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else str(error) or repr(error)
        raise Unavailable(f"{mirror}: {reason}") from None
    with file:
        yield file


def make(place: Place, folder: Path) -> None:
    """Run a generator that writes its files into `folder`: `function(folder, **arguments)`.

    Raises:
        Unavailable: there is no such generator, it does not know the arguments, or it refuses them.
    """
    module, _, name = place.address.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
        inspect.signature(function).bind(folder, **place.arguments)
    except (ImportError, AttributeError, TypeError) as error:
        raise Unavailable(str(error)) from None
    try:
        function(folder, **place.arguments)
    except InputError as error:
        raise Unavailable(str(error)) from None
