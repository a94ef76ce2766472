"""Pictures from folders and zips, and every way in which one can be wrong."""

import gzip
import io
import json
import struct
import zipfile
import zlib

import numpy as np
import pytest
from PIL import Image

from repline.corpora.pictures import picture_files
from repline.corpora.pictures.emoji import emoji_pictures, emoji_words
from repline.corpora.pictures.picture_files import PictureZip, decode, languages, word_pictures
from repline.errors import InputError


def png(colour=(255, 0, 0), size=(8, 8), mode="RGB", form="PNG", **options):
    file = io.BytesIO()
    Image.new(mode, size, colour).save(file, form, **options)
    return file.getvalue()


def header_only(width, height):
    """A PNG that says it is large, with hardly any data."""
    ihdr = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", ihdr) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


def test_transparent_ground_becomes_white():
    assert decode(png((0, 0, 0, 0), mode="RGBA"), "a").getpixel((3, 3)) == (255, 255, 255)
    assert decode(png((0, 0, 0, 255), mode="RGBA"), "a").getpixel((3, 3)) == (0, 0, 0)
    assert decode(png(0, mode="P", transparency=0), "a").getpixel((3, 3)) == (255, 255, 255)
    assert decode(png(7, mode="L", transparency=7), "a").getpixel((3, 3)) == (255, 255, 255)
    assert decode(png((0, 0), mode="LA"), "a").getpixel((3, 3)) == (255, 255, 255)


def test_other_formats_and_grey():
    assert decode(png((10, 200, 30), form="WEBP", lossless=True), "a").getpixel((0, 0)) == (10, 200, 30)
    assert decode(png(9, mode="L"), "a").getpixel((0, 0)) == (9, 9, 9)
    assert decode(png((0, 0, 0, 0), mode="CMYK", form="JPEG"), "a").mode == "RGB"


def sixteen_bits(values, transparent=None):
    """A grey PNG of 16 bits a pixel."""
    file = io.BytesIO()
    Image.fromarray(values.astype(np.uint16)).save(file, "PNG")
    content = file.getvalue()
    if transparent is None:
        return content
    chunk = b"tRNS" + struct.pack(">H", transparent)
    end_of_header = 8 + 12 + 13
    chunk = struct.pack(">I", 2) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return content[:end_of_header] + chunk + content[end_of_header:]


def test_grey_of_sixteen_bits_is_as_grey_of_eight():
    grey = np.arange(256, dtype=np.uint8).reshape(16, 16)
    file = io.BytesIO()
    Image.fromarray(grey).save(file, "PNG")
    of_eight = np.asarray(decode(file.getvalue(), "a"))
    assert np.array_equal(np.asarray(decode(sixteen_bits(grey * np.uint16(257)), "a")), of_eight)
    assert np.asarray(decode(sixteen_bits(np.full((2, 2), 300)), "a")).tolist() == [[[1] * 3] * 2] * 2
    pixels = np.asarray(decode(sixteen_bits(np.array([[300, 301], [65535, 0]]), transparent=300), "a"))
    assert pixels[..., 0].tolist() == [[255, 1], [255, 0]]


def test_photos_are_turned_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees
    assert decode(png(size=(20, 10), form="JPEG", exif=exif), "a").size == (10, 20)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "photo.jpg: the picture cannot be decoded (no PNG, JPEG, WebP, GIF or BMP)"),
        (b"<svg/>", "photo.jpg: the picture cannot be decoded (no PNG, JPEG"),
        (png(size=(99, 99))[:80], "photo.jpg: the picture cannot be decoded"),
        (header_only(9, 9), "photo.jpg: the picture cannot be decoded"),
        (header_only(12_000, 12_000), "photo.jpg: the picture has more than 89,478,485 pixels"),
        (header_only(60_000, 60_000), "photo.jpg: the picture has more than 89,478,485 pixels"),
    ],
)
def test_what_cannot_be_decoded_is_one_sentence(content, message):
    with pytest.raises(InputError) as caught:
        decode(content, "photo.jpg")
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_folders_and_zips_are_read_alike(tmp_path):
    (tmp_path / "en/Dog").mkdir(parents=True)
    (tmp_path / "en/cat").mkdir()
    for name in ("Dog/2.png", "Dog/1.jpg", "cat/1.PNG"):
        (tmp_path / "en" / name).write_bytes(png())
    (tmp_path / "en/Dog/notes.txt").write_text("no picture")
    (tmp_path / "en/.hidden").mkdir()
    with zipfile.ZipFile(tmp_path / "de.zip", "w") as archive:
        for name in ("Dog/2.png", "Dog/1.jpg", "cat/1.PNG", "Dog/notes.txt", "loose.png"):
            archive.writestr(name, png())
    folders = languages(tmp_path)
    assert list(folders) == ["de", "en"]
    pictures = [[(picture.word, picture.name) for picture in word_pictures(folder)] for folder in folders.values()]
    assert pictures[0] == pictures[1] == [("Dog", "Dog/1.jpg"), ("Dog", "Dog/2.png"), ("cat", "cat/1.PNG")]
    assert next(word_pictures(folders["de"])).read() == next(word_pictures(folders["en"])).read() == png()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "expected a folder or a zip for each language, as en/dog/1.jpg, found none"),
        (["en/"], "expected pictures as <word>/1.jpg, found none"),
        (["en/dog/"], "the folder holds no picture"),
        (["en/dog/1.txt"], "the folder holds no picture"),
        (["en/dog/1.png", "en.zip"], "en and en.zip are both the language en"),
        (["en.zip"], "this is not a readable zip"),
    ],
)
def test_empty_and_doubtful_folders(tmp_path, names, message):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(parents=True, exist_ok=True) if name.endswith("/") else path.write_bytes(b"x")
    with pytest.raises(InputError, match=message):
        for folder in languages(tmp_path).values():
            list(word_pictures(folder))


def test_a_missing_folder(tmp_path):
    with pytest.raises(InputError, match="there is no such folder of pictures"):
        languages(tmp_path / "absent")


def test_zips_are_read_with_care(tmp_path, monkeypatch):
    path = tmp_path / "en.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("dog/1.png", png())
    with pytest.raises(InputError, match=r"there is no dog/2.png in it"):
        PictureZip(path).read("dog/2.png")
    broken = bytearray(path.read_bytes())
    broken[60] ^= 255  # in the picture: its checksum differs
    path.write_bytes(broken)
    with pytest.raises(InputError, match=r"dog/1.png cannot be unpacked"):
        PictureZip(path).read("dog/1.png")
    monkeypatch.setattr(picture_files, "LARGEST", 10)
    with pytest.raises(InputError, match=r"dog/1.png would be \d+ bytes, expected 10 at most"):
        PictureZip(path).read("dog/1.png")


@pytest.fixture
def emoji(tmp_path):
    lines = [
        {"code": "1f436", "en": {"tts": "dog face", "keywords": ["Dog", "face"]}},
        {"code": "1f431", "en": {"tts": "cat", "keywords": ["cat", "face"]}},
    ]
    with gzip.open(tmp_path / "annotations.jsonl.gz", "wt") as file:
        file.write("".join(json.dumps(line) + "\n\n" for line in lines))
    with zipfile.ZipFile(tmp_path / "pictures-google.zip", "w") as archive:
        archive.writestr("1f436.png", png())
        archive.writestr("1f431.png", png((0, 0, 255)))
    return tmp_path


def test_a_word_has_the_emoji_that_are_named_so(emoji):
    assert emoji_words(emoji, "en") == {
        "dog": ["1f436"],
        "face": ["1f436", "1f431"],
        "dog face": ["1f436"],
        "cat": ["1f431"],
    }
    pictures = emoji_pictures(emoji, "google", ["1f431", "1f436"])
    assert [picture.name for picture in pictures] == ["1f431.png", "1f436.png"]
    assert np.asarray(decode(pictures[0].read(), "a"))[0, 0].tolist() == [0, 0, 255]


def test_emoji_that_are_wrong(emoji, tmp_path):
    with pytest.raises(InputError, match="line 1: expected an emoji"):
        emoji_words(emoji, "de")
    with pytest.raises(InputError, match=r"there is no picture 1f600.png, which the annotations name"):
        emoji_pictures(emoji, "google", ["1f600"])
    with pytest.raises(InputError, match=r"pictures-twitter.zip: there is no such file"):
        emoji_pictures(emoji, "twitter", [])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the names of emoji; there is neither"):
        emoji_words(tmp_path / "empty", "en")
