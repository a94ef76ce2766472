"""Files as they should not be, made of good ones: what people's programs, disks and servers do to text files."""

import bz2
import gzip
import io
import lzma
import re
import zipfile
from collections.abc import Callable, Mapping

import pyarrow as pa

Change = Callable[[str], bytes]
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
WEB_PAGE = "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>Not Found</body></html>\n"
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.])|(?<=[\t ])\d+$", re.MULTILINE)
WORD = re.compile(r"\w{3,}")


def written(change: Callable[[str], str]) -> Change:
    return lambda text: change(text).encode("utf-8", "surrogatepass")


def packed(change: Callable[[bytes], bytes]) -> Change:
    return lambda text: change(text.encode())


def halves(pack: Callable[[bytes], bytes]) -> Change:
    """A file of two members, which meet inside a line."""
    return packed(lambda content: pack(content[: len(content) // 2]) + pack(content[len(content) // 2 :]))


def numbers(number: str) -> Change:
    return written(lambda text: NUMBER.sub(number, text))


def words(change: Callable[[str], str]) -> Change:
    return written(lambda text: WORD.sub(lambda word: change(word[0]), text))


def in_the_middle(inserted: str) -> Change:
    return written(lambda text: text[: len(text) // 2] + inserted + text[len(text) // 2 :])


def zstandard(content: bytes) -> bytes:
    return pa.compress(content, codec="zstd", asbytes=True)


def zstandard_stream(content: bytes) -> bytes:
    file = pa.BufferOutputStream()
    with pa.CompressedOutputStream(file, "zstd") as stream:
        stream.write(content)
    return file.getvalue().to_pybytes()


def archive(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        members.writestr("a.txt", content)
    return file.getvalue()


def second_line(change: Callable[[str], str]) -> Change:
    return written(lambda text: "\n".join([*(lines := text.split("\n"))[:1], change(lines[1]), *lines[2:]]))


SAME: Mapping[str, Change] = {
    "line ends of three kinds": written(
        lambda text: "".join(
            line + ("\r\n", "\n", "\r")[number % 3] for number, line in enumerate(text[:-1].split("\n"))
        )
    ),
    "a gzip of two members": halves(gzip.compress),
    "a bzip2 of two members": halves(bz2.compress),
    "an xz of two members": halves(lzma.compress),
    "a Zstandard of two members": halves(zstandard),
    "a Zstandard behind a frame to pass over": packed(
        lambda content: b"\x50\x2a\x4d\x18\x04\0\0\0size" + zstandard(content)
    ),
    "a Zstandard of no stated size": packed(zstandard_stream),
    "an empty gzip before a gzip": packed(lambda content: gzip.compress(b"") + gzip.compress(content)),
    "zeros behind a gzip": packed(lambda content: gzip.compress(content) + bytes(20)),
}
REFUSED: Mapping[str, Change] = {
    "a NUL": in_the_middle("\0"),
    "NULs at the end": written(lambda text: f"{text}\0\0"),
    "half a character of UTF-16": packed(lambda content: content.decode().encode("utf-16") + b"\0"),
    "a lonely surrogate": in_the_middle("\ud800"),
    "a gzip in a gzip": packed(lambda content: gzip.compress(gzip.compress(content))),
    "a zip": packed(archive),
    "a zip in a gzip": packed(lambda content: gzip.compress(archive(content))),
    "more behind a gzip": packed(lambda content: gzip.compress(content) + b"garbage"),
    "a gzip cut off": packed(lambda content: gzip.compress(content)[:-9]),
    "a gzip with another checksum": packed(lambda content: gzip.compress(content)[:-8] + b"abcd" + bytes(4)),
    "LZMA without a head": packed(lambda content: lzma.compress(content, format=lzma.FORMAT_ALONE)),
    "a pointer of Git LFS": written(lambda text: POINTER),
    "a web page": written(lambda text: WEB_PAGE),
}
SAME_OR_REFUSED: Mapping[str, Change] = {  # XML ends where its element ends, and is never in UTF-32
    "UTF-16 without a mark": packed(lambda content: content.decode().encode("utf-16-le")),
    "UTF-16 without a mark, its high byte first": packed(lambda content: content.decode().encode("utf-16-be")),
    "UTF-32": packed(lambda content: content.decode().encode("utf-32")),
    "two marks in front": written(lambda text: f"\ufeff\ufeff{text}"),
    "a mark in front of all lines": written(lambda text: re.sub("(?m)^", "\ufeff", text)),
    "the end of a file of DOS": written(lambda text: f"{text}\x1a"),
    "an infinite number": numbers("-inf"),
    "a number too large": numbers("1e400"),
    "a number of 500 digits": numbers("9" * 500),
    "a comma between thousands": numbers("1,234"),
    "a decimal comma": numbers("3,5"),
    "an underscore in a number": numbers("1_5"),
    "a hexadecimal number": numbers("0x1p3"),
    "a word in place of a number": numbers("many"),
}
ANY: Mapping[str, Change] = {  # other records, or an error a person can read
    "nothing": written(lambda text: ""),
    "a mark alone": written(lambda text: "\ufeff"),
    "blank lines alone": written(lambda text: "\n\n\n"),
    "a compressed nothing": packed(lambda content: gzip.compress(b"")),
    "the first line alone": written(lambda text: text.partition("\n")[0] + "\n"),
    "the first line twice": written(lambda text: f"{text.partition(chr(10))[0]}\n{text}"),
    "a colour of the terminal": second_line(lambda line: f"\x1b[31m{line}"),
    "writing from right to left": words(lambda word: f"\u202e{word}\u202c"),
    "marks of writing from right to left": words(lambda word: f"{word}\u200f"),
    "line separators in words": words(lambda word: f"{word[0]}\u2028{word[1:]}"),
    "vertical tabs in words": words(lambda word: f"{word[0]}\x0b{word[1:]}"),
    "next lines in words": words(lambda word: f"{word[0]}\x85{word[1:]}"),
    "separators of files in words": words(lambda word: f"{word[0]}\x1c{word[1:]}"),
    "blanks of no width in words": words(lambda word: f"{word[0]}\u200b{word[1:]}"),
    "a word of 5,000 letters": second_line(lambda line: WORD.sub(lambda word: word[0] + "x" * 5000, line, count=1)),
    "a line of a million letters": second_line(lambda line: f"{line}{'x' * 1_000_000}"),
    "words between tabs of blanks": written(lambda text: text.replace("\t", "    ")),
    "semicolons": written(lambda text: text.replace("," if "," in text else "\t", ";")),
    "a first line that says sep=": written(lambda text: f"sep=,\n{text}"),
    "digits of full width": numbers("１.５"),
    "a quoted field over two lines": written(
        lambda text: re.sub(r"\w{3,}(?=[^\n]*\n?$)", lambda word: f'"{word[0][0]}\n{word[0][1:]}"', text, count=1)
    ),
    "all fields quoted": written(lambda text: re.sub(r"[^\t\n]+", lambda field: f'"{field[0]}"', text)),
    "keys of JSON twice": written(lambda text: re.sub(r'\{"(\w+)": ', r'{"\1": 5, "\1": ', text)),
    "half a character of JSON": written(lambda text: re.sub(r': (\[?)"', r': \1"\\ud800', text)),
    "JSON in JSON in JSON": written(lambda text: re.sub(r": [^,}]+", ": " + "[" * 9999, text, count=1)),
}
