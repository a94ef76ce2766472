"""Sentence vectors that are made once: a store on disk that is keyed by the encoder and by the sentence itself.

`FOLDER/<mark of the encoder>/part-<n>/` holds `keys.npy`, 16 bytes for each sentence (BLAKE2 of its text, and of all
the text it was encoded with where the encoder looks at that), and `vectors.npy`, float32 [n, D]. A part appears whole,
so that an interrupted run goes on after the last one. Nothing is ever read from it by the name of an encoder: the mark
is made of the encoder's code, of its settings, and of the vectors that it gives a few sentences now.

These sentences are English, of which an encoder of another language may know no word. So it is given some of the kept
sentences again, too, and where their vectors are others now, all that was kept under the mark is made anew.
"""

import hashlib
import inspect
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.caches.library_code import LIBRARY, library_digest
from repline.errors import InputError, shown
from repline.files import new_folder

BLOCK = 4096  # sentences that are encoded and saved at a time
PROBES = (  # sentences that an encoder is known by
    "A man is playing a guitar .",
    "The film is not good , it is great .",
    "Who wrote the first dictionary of English ?",
    "Stocks fell sharply in New York on Tuesday .",
    "in the beginning",
    "I would not buy this phone again !",
    "two dogs run across the snow",
    "The committee has not decided yet .",
)
CHECKED = 8  # sentences of a task by which it is seen whose vectors were kept
NEAR = 0.01  # how far these may be off, as a share of the largest number: sums hang on the size of a batch
Encode = Callable[[Sequence[str]], NDArray[np.floating]]


class SentenceVectors:
    """The vectors of one encoder, made where they are not there yet.

    Args:
        name: of the encoder, for messages.
        encode: n sentences -> [n, D]. Where it has a true attribute `transductive`, what it makes of a sentence hangs
            on the others that it is given, and it is given the sentences of one part of a task at a time.
        folder: of the store; None keeps nothing, and so does an encoder with a true attribute `at_hand`, whose vectors
            lie on disk already.
    """

    def __init__(self, name: str, encode: Encode, folder: str | Path | None = None):
        self.name, self.encode = name, encode
        self.transductive = bool(getattr(encode, "transductive", False))
        self.folder = None if folder is None or getattr(encode, "at_hand", False) else Path(folder)
        self.made, self.seconds = 0, 0.0  # sentences that the encoder was given by `of`, and how long it took
        self._mark: str | None = None
        self._known: dict[bytes, NDArray[np.float32]] = {}
        self._unchecked: set[bytes] = set()  # keys of vectors that an earlier run kept

    def of(self, sentences: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
        """The vector of each sentence.

        Args:
            sentences: sentence -> the place where it stands; for a transductive encoder, all that belong together.

        Raises:
            InputError: the encoder gives something else than a finite number for each dimension of each sentence; the
                place of the first such sentence is named, and its vectors are not kept.
        """
        if not sentences:
            return {}
        texts = list(sentences)
        self._open()
        context = self._context(sentences) if self.transductive else b""
        keys = [_digest(text.encode() + context) for text in texts]
        if not self.transductive:
            self._check_kept(keys, sentences)
        missing = [row for row, key in enumerate(keys) if key not in self._known]
        size = max(1, len(missing)) if self.transductive else BLOCK
        for start in range(0, len(missing), size):
            block = missing[start : start + size]
            texts_to_encode = texts if self.transductive else [texts[row] for row in block]
            started = time.perf_counter()
            encoded = self.encode(texts_to_encode)
            self.made, self.seconds = self.made + len(texts_to_encode), self.seconds + time.perf_counter() - started
            vectors = checked(self.name, encoded, {text: sentences[text] for text in texts_to_encode})
            self._keep([keys[row] for row in block], vectors[block] if self.transductive else vectors)
        return {text: self._known[key] for text, key in zip(texts, keys, strict=True)}

    def _open(self) -> None:
        if self.folder is None or self._mark is not None:
            return
        settings = _settings(self.encode)  # before it is used, which may change them
        vectors = checked(self.name, self.encode(list(PROBES)), dict.fromkeys(PROBES, "a first try"))
        digest = hashlib.sha256(vectors.tobytes())
        digest.update(settings)
        for source in _sources(self.encode):
            digest.update(source)
        self._mark = digest.hexdigest()[:16]
        for part in sorted((self.folder / self._mark).glob("part-*")):
            keys, vectors = np.load(part / "keys.npy"), np.load(part / "vectors.npy", mmap_mode="r")
            self._known |= {key.tobytes(): vector for key, vector in zip(keys, vectors, strict=True)}
        self._unchecked = set(self._known)

    def _context(self, sentences: Mapping[str, str]) -> bytes:
        """What the vectors of a transductive encoder hang on: all sentences, and what it makes of the first ones."""
        if self.folder is None:
            return _digest("\n".join(sentences).encode())
        first = dict(islice(sentences.items(), CHECKED))
        places = dict.fromkeys(PROBES, "a first try") | first
        vectors = checked(self.name, self.encode(list(places)), places)
        return _digest("\n".join(sentences).encode() + vectors.tobytes())

    def _check_kept(self, keys: Sequence[bytes], sentences: Mapping[str, str]) -> None:
        """Forget all that was kept where the encoder gives some of these sentences other vectors now."""
        key_by_text = {text: key for text, key in zip(sentences, keys, strict=True) if key in self._unchecked}
        if not key_by_text:
            return
        some = dict(islice(key_by_text.items(), 0, None, -(-len(key_by_text) // CHECKED)))
        now = checked(self.name, self.encode(list(some)), {text: sentences[text] for text in some})
        before = np.stack([self._known[key] for key in some.values()])
        if now.shape == before.shape and np.abs(now - before).max() <= NEAR * np.abs(before).max():
            self._unchecked -= set(key_by_text.values())
            return
        shutil.rmtree(Path(str(self.folder)) / str(self._mark))
        self._known.clear()
        self._unchecked.clear()

    def _keep(self, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        self._known |= dict(zip(keys, vectors, strict=True))
        if self.folder is None:
            return
        path = self.folder / str(self._mark)
        with new_folder(path / f"part-{len(list(path.glob('part-*'))):05d}") as partial:
            np.save(partial / "keys.npy", np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), -1))
            np.save(partial / "vectors.npy", vectors)


def checked(name: str, vectors: Any, sentences: Mapping[str, str]) -> NDArray[np.float32]:
    """What an encoder gave, as float32 [n, D]; InputError where it is anything else, naming the sentence's place."""
    array = vectors.detach().cpu().numpy() if hasattr(vectors, "detach") else vectors
    try:
        array = np.asarray(array, dtype=np.float32)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected an array of numbers, found {type(vectors).__name__}") from None
    if array.ndim != 2 or len(array) != len(sentences) or not array.shape[1]:
        shape = " x ".join(map(str, array.shape)) or "a single number"
        raise InputError(f"{name}: expected a vector for each of {len(sentences)} sentences, found {shape}")
    bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
    if len(bad):
        text, where = list(sentences.items())[bad[0]]
        raise InputError(
            f"{where}: {name} gives the sentence {shown(text)} a vector that is not finite (NaN or infinity)"
        )
    return array


def _settings(encode: Encode) -> bytes:
    """The name of an encoder's function or class, and the texts and numbers among the attributes of its object."""
    owner = encode.__self__ if isinstance(encode, MethodType) else encode
    names = [getattr(value, "__qualname__", "") for value in (type(owner), owner, encode)]
    attributes = getattr(owner, "__dict__", {}).items()
    return repr(
        [names, sorted((name, value) for name, value in attributes if isinstance(value, str | float | int))]
    ).encode()


def _sources(encode: Encode) -> Iterator[bytes]:
    """The code of an encoder: its module, where it has one; of this package with all that the module can reach."""
    owner = type(encode.__self__) if isinstance(encode, MethodType) else encode
    name = getattr(owner, "__module__", None) or type(encode).__module__
    if name.split(".")[0] == LIBRARY:
        yield library_digest(name).encode()
        return
    module = sys.modules.get(name)
    try:
        yield inspect.getsource(module).encode() if module else b""
    except (OSError, TypeError):
        return


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
