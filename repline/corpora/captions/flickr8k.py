"""Flickr8k's captions and the lists of its three parts.

Flickr8k.token.txt has a line for each caption, `NAME#NUMBER`, a tab and the caption, whose tokens are parted by blanks;
Flickr_8k.{trainImages,devImages,testImages}.txt have a name on each line. Some copies have further pictures, of birds,
whose names begin with `e`; these are left out, and so is what is in no list, as `2258277193_586949ec62.jpg.1`.

Source: Hodosh, Young & Hockenmaier 2013, "Framing Image Description as a Ranking Task".
"""

from collections.abc import Iterator
from pathlib import Path

from repline.corpora.captions.picture import PARTS, Part, Picture
from repline.errors import shown
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

CAPTIONS = "Flickr8k.token.txt"
LISTS: dict[Part, str] = {part: f"Flickr_8k.{part}Images.txt" for part in PARTS}
ADDED = "e"


def read_flickr8k(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Picture]:
    """The pictures of the three lists, in their order.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a missing file, a line that is no caption, a caption that is there twice, a picture that is in two
            lists or that has no captions.
    """
    folder, left_out = Path(folder), LeftOut.of(on_error)
    captions = _captions(folder / CAPTIONS, left_out, encoding)
    seen: dict[str, str] = {}
    for part, file in LISTS.items():
        for number, line in visible_lines(folder / file, encoding, left_out):
            name = line.strip()
            if not name or name.startswith(ADDED):
                continue
            if name in seen:
                problem, reason = f"{name} is in {seen[name]} already", "a picture twice"
            elif name not in captions:
                problem, reason = (
                    f"the picture {shown(name)} has no captions in {CAPTIONS}",
                    "a picture without captions",
                )
            else:
                problem = reason = ""
            if problem:
                left_out.add(WrongRecord(folder / file, f"line {number}", problem, reason))
                continue
            seen[name] = file
            yield Picture(name, part, [caption for _, caption in sorted(captions[name].items())])


def _captions(path: Path, left_out: LeftOut, encoding: str) -> dict[str, dict[int, str]]:
    captions: dict[str, dict[int, str]] = {}
    for number, line in visible_lines(path, encoding, left_out):
        name, tab, caption = line.partition("\t")
        name, sharp, which = name.rpartition("#")
        with left_out:
            if not (tab and sharp and name and which.isdecimal()):
                problem = f"expected NAME#NUMBER, a tab and a caption, found {shown(line)}"
                raise WrongRecord(path, f"line {number}", problem, "no picture and caption")
            if int(which) in captions.get(name, {}):
                problem = f"caption {which} of {name} is there twice"
                raise WrongRecord(path, f"line {number}", problem, "a caption twice")
            captions.setdefault(name, {})[int(which)] = caption
    return captions
