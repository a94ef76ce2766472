"""Flickr8k's captions and the lists of its three parts.

Flickr8k.token.txt has a line for each caption, `NAME#NUMBER`, a tab and the caption, whose tokens are parted by blanks;
Flickr_8k.{trainImages,devImages,testImages}.txt have a name on each line. Some copies have further pictures, of birds,
whose names begin with `e`; these are left out, and so is what is in no list, as `2258277193_586949ec62.jpg.1`.

Source: Hodosh, Young & Hockenmaier 2013, "Framing Image Description as a Ranking Task".
"""

from collections.abc import Iterator
from pathlib import Path

from repline.corpora.captions.picture import PARTS, Part, Picture
from repline.errors import InputError
from repline.text_files import numbered_lines

CAPTIONS = "Flickr8k.token.txt"
LISTS: dict[Part, str] = {part: f"Flickr_8k.{part}Images.txt" for part in PARTS}
ADDED = "e"


def read_flickr8k(folder: str | Path) -> Iterator[Picture]:
    """The pictures of the three lists, in their order.

    Raises:
        InputError: a missing file, a line that is no caption, a caption that is there twice, a picture that is in two
            lists or that has no captions.
    """
    folder = Path(folder)
    captions = _captions(folder / CAPTIONS)
    seen: dict[str, str] = {}
    for part, file in LISTS.items():
        for number, line in numbered_lines(folder / file):
            name = line.strip()
            if not name or name.startswith(ADDED):
                continue
            where = f"{folder / file}, line {number}"
            if name in seen:
                raise InputError(f"{where}: {name} is in {seen[name]} already")
            if name not in captions:
                raise InputError(f"{where}: the picture {name} has no captions in {CAPTIONS}")
            seen[name] = file
            yield Picture(name, part, [caption for _, caption in sorted(captions[name].items())])


def _captions(path: Path) -> dict[str, dict[int, str]]:
    captions: dict[str, dict[int, str]] = {}
    for number, line in numbered_lines(path):
        name, tab, caption = line.partition("\t")
        name, sharp, which = name.rpartition("#")
        if not (tab and sharp and name and which.isdecimal()):
            raise InputError(f"{path}, line {number}: expected NAME#NUMBER, a tab and a caption, found {line[:60]!r}")
        if int(which) in captions.setdefault(name, {}):
            raise InputError(f"{path}, line {number}: caption {which} of {name} is there twice")
        captions[name][int(which)] = caption
    return captions
