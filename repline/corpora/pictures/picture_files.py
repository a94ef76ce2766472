"""Picture files of words, `<language>/<word>/*.jpg` in a folder or in `<language>.zip`, decoded with care."""

import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from repline.errors import InputError, in_one_line

if TYPE_CHECKING:
    from PIL import Image

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
LARGEST = 64 * 2**20  # bytes of one file in a zip
UNREADABLE = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, zipfile.BadZipFile)


@dataclass(frozen=True)
class PictureFile:
    """One file: its word, its name inside the collection, and how to read its bytes. `where` is for messages."""

    word: str
    name: str
    where: str
    read: Callable[[], bytes]


def decode(content: bytes, where: str) -> "Image.Image":
    """A picture as RGB of 8 bits, upright, on a white ground; the first one of an animation.

    Pillow's limit of pixels is kept: what exceeds it is refused before it is unpacked.

    Args:
        content: PNG, JPEG, WebP, GIF or BMP.
        where: the file, for messages.

    Raises:
        InputError: it cannot be decoded, or has more pixels than Pillow allows.
    """
    from PIL import Image, ImageOps  # an extra, which features that are there do without

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
                return _on_white(ImageOps.exif_transpose(picture))
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        limit = f"{Image.MAX_IMAGE_PIXELS:,}"
        raise InputError(f"{where}: the picture has more than {limit} pixels, which could exhaust the memory") from None
    except UNREADABLE as error:
        what = in_one_line(error)
        if "cannot identify" in what:
            what = "no PNG, JPEG, WebP, GIF or BMP"
        raise InputError(f"{where}: the picture cannot be decoded ({what}); repair or remove it") from None


def _on_white(picture: "Image.Image") -> "Image.Image":
    from PIL import Image

    if picture.mode.startswith("I"):
        picture = _at_eight_bits(picture)
    if picture.mode in ("RGB", "L") and "transparency" not in picture.info:
        return picture.convert("RGB")
    covering = picture.convert("RGBA")
    ground = Image.new("RGBA", covering.size, "white")
    return Image.alpha_composite(ground, covering).convert("RGB")


def _at_eight_bits(picture: "Image.Image") -> "Image.Image":
    """A grey picture of 16 bits with the high byte of each pixel, as Pillow reads colours of 16 bits.

    Pillow's conversion would cut off all values above 255, and so make nearly every pixel white.
    """
    from PIL import Image

    values = np.asarray(picture)
    grey = Image.fromarray((values >> 8).astype(np.uint8))
    if (transparent := picture.info.get("transparency")) is not None:  # a value of 16 bits, too
        grey.putalpha(Image.fromarray(np.where(values == transparent, 0, 255).astype(np.uint8)))
    return grey


def languages(source: str | Path) -> dict[str, Path]:
    """The collections of a source: each inner folder and each zip, by its name without `.zip`.

    Raises:
        InputError: there is no such folder, none of these in it, or a folder and a zip of one name.
    """
    source = Path(source)
    if not source.is_dir():
        raise InputError(f"{source}: there is no such folder of pictures")
    inner = sorted(path for path in source.iterdir() if not path.name.startswith("."))
    folders: dict[str, Path] = {}
    for path in inner:
        if path.is_dir() or path.suffix == ".zip":
            name = path.stem if path.suffix == ".zip" else path.name
            if name in folders:
                raise InputError(f"{source}: {folders[name].name} and {path.name} are both the language {name}")
            folders[name] = path
    if not folders:
        raise InputError(f"{source}: expected a folder or a zip for each language, as en/dog/1.jpg, found none")
    return folders


def word_pictures(folder: str | Path) -> Iterator[PictureFile]:
    """The files `<word>/<picture>` of a folder or of a zip, by word and name; other files are left out.

    Raises:
        InputError: there is no picture at all, a word has an empty folder, or the zip is broken.
    """
    folder = Path(folder)
    pictures = sorted(
        _in_zip(folder) if folder.suffix == ".zip" else _in_folder(folder),
        key=lambda picture: (picture.word, picture.name),
    )
    if not pictures:
        raise InputError(f"{folder}: expected pictures as <word>/1.jpg, found none")
    yield from pictures


def _in_folder(folder: Path) -> Iterator[PictureFile]:
    for word in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        files = [path for path in word.iterdir() if path.suffix.lower() in SUFFIXES]
        if not files:
            raise InputError(f"{word}: the folder holds no picture ({', '.join(SUFFIXES)}); add some or remove it")
        for path in files:
            yield PictureFile(word.name, f"{word.name}/{path.name}", str(path), path.read_bytes)


def _in_zip(archive: Path) -> Iterator[PictureFile]:
    pictures = PictureZip(archive)
    for name in pictures.names:
        path = PurePosixPath(name)
        if len(path.parts) == 2 and path.suffix.lower() in SUFFIXES:
            yield PictureFile(path.parts[0], name, f"{archive}: {name}", partial(pictures.read, name))


class PictureZip:
    """A zip whose files are read one at a time; nothing is unpacked onto the disk.

    Raises:
        InputError: it is no zip.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._opened = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file") from None
        except (zipfile.BadZipFile, OSError) as error:
            raise InputError(f"{path}: this is not a readable zip ({in_one_line(error)})") from None
        self.names = [entry.filename for entry in self._opened.infolist() if not entry.is_dir()]

    def read(self, name: str) -> bytes:
        """The bytes of one file; InputError if it is not there, damaged or unreasonably large."""
        try:
            size = self._opened.getinfo(name).file_size
            if size > LARGEST:
                raise InputError(f"{self.path}: {name} would be {size:,} bytes, expected {LARGEST:,} at most")
            return self._opened.read(name)
        except KeyError:
            raise InputError(f"{self.path}: there is no {name} in it") from None
        except (*UNREADABLE, NotImplementedError, RuntimeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{self.path}: {name} cannot be unpacked ({in_one_line(error)}); get the file again"
            ) from None
