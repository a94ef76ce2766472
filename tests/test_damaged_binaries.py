"""Binary files that are cut, changed, empty or others: what is read says the same, or the error is one sentence."""

import bz2
import gzip
import io
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image
from safetensors.numpy import save_file

from repline.corpora.captions.caption_table import read_features
from repline.corpora.labelled.collections.reviews import read_movie_reviews
from repline.corpora.pictures.picture_files import decode
from repline.corpora.scenes.scene_files import read_scenes
from repline.corpora.wikipedia.extraction import extract
from repline.errors import InputError
from repline.reading.text_files import numbered_lines
from repline.systems.concreteness.ratings import read_ratings
from repline.systems.rnn_cnn.ordered_text import read_documents
from repline.vectors import store
from repline.vectors.formats.readers import read as read_vectors
from tests.strange_files import zstandard
from tests.text_readers import MEMORY

WORDS = ["süß", "hund", "brot"]
MATRIX = np.arange(6, dtype=np.float32).reshape(3, 2)
OTHERS = [
    b"",
    b"\0",
    b"PK\x03\x04",
    b"\x89PNG\r\n\x1a\n",
    b"\x93NUMPY",
    b"PAR1",
    b"text\n",
    b"\x80\x04",
    b"\x1f\x8b\x08",
]
CHANGES = 60  # of a byte, and as many cuts
PAGE = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en"><siteinfo>'
    "<namespaces>"
    '<namespace key="0" case="first-letter" /></namespaces></siteinfo><page><title>A</title><ns>0</ns><id>1</id>'
    "<revision><id>1</id><model>wikitext</model><format>text/x-wiki</format>"
    "<text>An article.</text></revision></page></mediawiki>"
)


class Binary(NamedTuple):
    """A file of a binary format.

    Attributes:
        write: writes it, and what lies beside it.
        name: of the file that is damaged, or of the folder's file.
        read: what is read from its folder.
    """

    write: Callable[[Path], Any]
    name: str
    read: Callable[[Path], Any]


def word2vec(folder: Path) -> None:
    rows = b"".join(f"{word} ".encode() + row.tobytes() for word, row in zip(WORDS, MATRIX, strict=True))
    (folder / "a.bin").write_bytes(b"3 2\n" + rows)


def safetensors(folder: Path) -> None:
    save_file({"vectors": MATRIX}, folder / "a.safetensors")
    (folder / "a.txt").write_text("".join(f"{word}\n" for word in WORDS))


def numpy_vectors(folder: Path) -> None:
    np.save(folder / "a.npy", MATRIX)
    (folder / "a.txt").write_text("".join(f"{word}\n" for word in WORDS))


def stored(folder: Path) -> None:
    store.save(folder / "mine", WORDS, MATRIX, description="small", licence="CC0", sources=[])


def sentences(folder: Path) -> None:
    table = pa.table({"doc_id": ["a", "a"], "sentence_id": [0, 1], "tokens": [["a", "b"], ["c"]]})
    pq.write_table(table, folder / "part-0.parquet", compression="zstd")


def ratings(folder: Path) -> None:
    columns = [pa.array([value, value], pa.float64()) for value in (4.5, 0.5, None, None)]
    names = ["word", "concreteness", "concreteness_sd", "imageability", "imageability_sd"]
    pq.write_table(pa.table([pa.array(["dog", "love"]), *columns], names=names), folder / "a.parquet")


def features(folder: Path) -> None:
    np.save(folder / "features.npy", MATRIX)
    (folder / "pictures.txt").write_text("a\nb\nc\n")


def picture(kind: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        content = io.BytesIO()
        Image.fromarray(np.arange(300, dtype=np.uint8).reshape(10, 10, 3)).save(content, kind)
        (folder / "a.picture").write_bytes(content.getvalue())

    return write


def members(name: str, files: dict[str, str]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, text in files.items():
                archive.writestr(member, text)

    return write


def packed(pack: Callable[[bytes], bytes], name: str, text: str = MEMORY) -> Callable[[Path], Any]:
    return lambda folder: (folder / name).write_bytes(pack(text.encode()))


def lines(name: str) -> Callable[[Path], Any]:
    return lambda folder: list(numbered_lines(folder / name))


def vectors(name: str) -> Callable[[Path], Any]:
    return lambda folder: [part if isinstance(part, list) else part.shape for part in read_vectors(folder / name)[:2]]


def articles(name: str) -> Callable[[Path], Any]:
    return lambda folder: extract(folder / name, folder / "articles")["counts"]


def size(folder: Path) -> tuple[int, int]:
    return decode((folder / "a.picture").read_bytes(), "a.picture").size


SCENE = {
    "a.train.txt": "1\tDogs\tdog\tNN\tNN\tO\t0\troot\tdog\n",
    "a.train_context.txt": "dog\t$Agent$\tbark\n",
}
REVIEWS = {"movie_reviews/neg/cv000_1.txt": "a bad film " * 9, "movie_reviews/pos/cv000_2.txt": "a good film " * 9}
BINARIES = {
    "word2vec": Binary(word2vec, "a.bin", vectors("a.bin")),
    "safetensors": Binary(safetensors, "a.safetensors", vectors("a.safetensors")),
    "NumPy vectors": Binary(numpy_vectors, "a.npy", vectors("a.npy")),
    "stored vectors": Binary(stored, f"mine/{store.VECTORS}", vectors("mine")),
    "stored vocabulary": Binary(stored, f"mine/{store.VOCABULARY}", vectors("mine")),
    "corpus": Binary(
        sentences, "part-0.parquet", lambda folder: [(name, list(text)) for name, text in read_documents(folder)]
    ),
    "ratings": Binary(ratings, "a.parquet", lambda folder: read_ratings(folder / "a.parquet").to_pylist()),
    "features": Binary(features, "features.npy", lambda folder: read_features(folder, ["a", "c"]).shape),
    **{
        kind: Binary(picture(kind), "a.picture", size)
        for kind in ("PNG", "JPEG", "GIF", "BMP")
    },
    "zip of scenes": Binary(members("a.zip", SCENE), "a.zip", read_scenes),
    "zip of reviews": Binary(
        members("movie_reviews.zip", REVIEWS), "movie_reviews.zip", lambda folder: list(read_movie_reviews(folder))
    ),
    "gzip": Binary(packed(gzip.compress, "a.gz"), "a.gz", lines("a.gz")),
    "bzip2": Binary(packed(bz2.compress, "a.bz2"), "a.bz2", lines("a.bz2")),
    "xz": Binary(packed(lzma.compress, "a.xz"), "a.xz", lines("a.xz")),
    "Zstandard": Binary(packed(zstandard, "a.zst"), "a.zst", lines("a.zst")),
    "dump": Binary(packed(bz2.compress, "a.xml.bz2", PAGE), "a.xml.bz2", articles("a.xml.bz2")),
}  # fmt: skip
CHECKED = ("bzip2", "gzip", "xz")  # by sums, so that no damage changes the text


def damages(content: bytes) -> list[bytes]:
    """Cuts at many places, single bytes that are others, and files that begin as other formats do."""
    drawn = random.Random(0)
    cuts = sorted({0, 1, len(content) - 1, *(drawn.randrange(len(content)) for _ in range(CHANGES))})
    changed = []
    for _ in range(CHANGES):
        position = drawn.randrange(len(content))
        byte = bytes([content[position] ^ drawn.randrange(1, 256)])
        changed.append(content[:position] + byte + content[position + 1 :])
    return [*(content[:cut] for cut in cuts), *changed, *(start + content[len(start) :] for start in OTHERS), *OTHERS]


@pytest.mark.parametrize("name", BINARIES)
def test_a_damaged_binary_is_read_or_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    binary = BINARIES[name]
    binary.write(tmp_path)
    path = tmp_path / binary.name
    content, right = path.read_bytes(), binary.read(tmp_path)
    refused = 0
    for damaged in damages(content):
        path.write_bytes(damaged)
        try:
            read = binary.read(tmp_path)
        except InputError as error:
            refused += 1
            message = str(error)
            assert message.isprintable() and len(message) < 700, ascii(message)
            assert path.stem.split(".")[0] in message or tmp_path.name in message, message
        else:
            assert name not in CHECKED or read == right or damaged in OTHERS, damaged
    assert refused > CHANGES / 2
