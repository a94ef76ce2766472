"""Whether a moving source has a newer version at its public address."""

import re
from collections.abc import Mapping
from typing import Any

from repline.errors import InputError
from repline.sources.catalogue import Place, Source, SourceFile
from repline.sources.transfer_progress import say
from repline.sources.verify import Unavailable
from repline.sources.web_server import PATIENCE, Patience, Version, head, text

ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256"}  # by the number of hexadecimal digits


def upstream(source: Source, patience: Patience = PATIENCE) -> dict[str, Version] | None:
    """Ask the public address of a moving source for its version, without fetching the files.

    Args:
        source: an entry of sources.yaml.
        patience: how long to wait for the server.

    Returns:
        `{file name: {"etag", "last_modified", "bytes", "dump_date"}}`, with "checksum" if there is a list of checksums;
        values are None where the server states none. None for a source that cannot change (its sha256 is stated).

    Raises:
        InputError: the server cannot be reached or refuses.
    """
    if not source.moving:
        return None
    try:
        return {file.name: public_version(file, patience) for file in source.files}
    except Unavailable as reason:
        raise InputError(f"{source.name}: cannot ask {source.home} for its version: {reason}") from None


def changed(locked: Mapping[str, Version], public: Mapping[str, Version]) -> list[str]:
    """The names of the files whose public version is not the locked one.

    Args:
        locked: the versions in a raw folder, from `locked(folder)`.
        public: the versions from `upstream(source)`.
    """
    return [name for name in public if differs(locked.get(name), public[name])]


def differs(old: Version | None, new: Version) -> bool:
    """False where two versions of a file are known to be the same; the first property that both state decides."""
    if old and old.get("dump_date") and new.get("dump_date") and old["dump_date"] != new["dump_date"]:
        return True
    for key in ("checksum", "etag", "last_modified", "bytes"):
        if old and old.get(key) and new.get(key):
            return _strong(old[key]) != _strong(new[key])
    return True


def public_version(file: SourceFile, patience: Patience) -> Version:
    """The version of a file at its first web address; Unavailable if it has none or the server does not answer."""
    place = next((place for place in file.places if place.kind == "https"), None)
    if place is None:
        raise Unavailable(f"{file.name} has no https place")
    version = head(place.address, patience)
    version["dump_date"] = dump_date(place, patience)
    if place.checksums:
        version.update(published_checksum(place, file.name, patience))
    return version


def published_checksum(place: Place, name: str, patience: Patience) -> Version:
    """The checksum of a file, and its date, in the list of checksums that its home publishes.

    A "latest" in the file's name stands for a date (YYYYMMDD) in the list, as at dumps.wikimedia.org.

    Returns:
        `checksum`, hexadecimal, and `dump_date` (YYYY-MM-DD) if the list names one.

    Raises:
        Unavailable: there is no such list, or the file is not in it (yet: a dump is listed once it is finished).
    """
    name_pattern = re.escape(name).replace("latest", r"(?:latest|(20\d\d)([01]\d)([0-3]\d))")
    for line in text(str(place.checksums), patience).splitlines():
        match = re.fullmatch(rf"([0-9a-fA-F]{{32,64}})\s+\*?{name_pattern}\s*", line)
        if match and len(match[1]) in ALGORITHMS:
            date = match.groups()[1:]
            version: Version = {"checksum": match[1].lower()}
            if date and all(date):
                version["dump_date"] = "-".join(date)
            return version
    raise Unavailable(f"{place.checksums} does not list {name}")


def dump_date(place: Place, patience: Patience) -> str | None:
    """The date (YYYY-MM-DD) in the text that dates a file; None if there is no such text or no date in it."""
    if place.dated_by is None:
        return None
    try:
        match = re.search(r"(?<!\d)(20\d\d)([01]\d)([0-3]\d)(?!\d)", text(place.dated_by, patience))
    except Unavailable as reason:
        say(place.dated_by, f"the date of the dump stays unknown: {reason}")
        return None
    return "-".join(match.groups()) if match else None


def _strong(value: Any) -> Any:
    return value.removeprefix("W/") if isinstance(value, str) else value
