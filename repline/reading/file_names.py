"""Names of files that may be compressed: `a.txt` may be `a.TXT.gz`."""

from pathlib import Path

from repline.errors import InputError

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def unpacked_name(path: str | Path) -> str:
    """The name of a file without the suffix of its compression, and with its own suffix in lower case.

    `News.EN.TXT.GZ` is `News.EN.txt`, so patterns of names need to know neither.
    """
    name = Path(path).name
    while name.lower().endswith(COMPRESSED):
        name = name[: name.rindex(".")]
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}{dot}{suffix.lower()}" if stem else name


def files_by_name(folder: str | Path) -> dict[str, Path]:
    """The files of a folder by `unpacked_name`, in the order of their names; InputError where two have the same."""
    return _by_name(folder, ("",))


def _by_name(folder: str | Path, suffixes: tuple[str, ...]) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for path in sorted(path for path in Path(folder).glob("*") if not path.is_dir()):
        name = unpacked_name(path)
        if not name.endswith(suffixes):
            continue
        if name in paths:
            raise InputError(f"{folder}: {paths[name].name} and {path.name} are the same file twice; keep one of them")
        paths[name] = path
    return paths


def files_with(source: str | Path, *suffixes: str) -> list[Path]:
    """A file itself, or the files of a folder whose `unpacked_name` has one of the suffixes, in the order of names.

    Raises:
        InputError: two of them have the same `unpacked_name`, as `a.txt` and `a.txt.gz`.
    """
    source = Path(source)
    if source.is_file():
        return [source]
    return list(_by_name(source, suffixes).values())


def present(path: str | Path) -> Path:
    """The path, or where no such file is there, the one that `unpacked_name` calls so: `a.txt` may be `a.TXT.gz`."""
    path = Path(path)
    if path.exists() or not path.parent.is_dir():
        return path
    names = (other for other in sorted(path.parent.iterdir()) if unpacked_name(other) == unpacked_name(path))
    return next(names, path)
