"""Seven words and their vectors, as files of each format."""

import json
import struct

import numpy as np

WORDS = ["the", "Кот", "naïve", "猫", 'quo"te', "a,b", "1999"]
MATRIX = np.random.default_rng(1).normal(size=(len(WORDS), 3)).astype(np.float32)
TEXT = "".join(f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in zip(WORDS, MATRIX, strict=True)).encode()
HEADER = b"7 3\n"
BINARY = HEADER + b"".join(word.encode() + b" " + row.tobytes() for word, row in zip(WORDS, MATRIX, strict=True))
LINES = HEADER + b"".join(b"%s %s\n" % (word.encode(), row.tobytes()) for word, row in zip(WORDS, MATRIX, strict=True))
WINK = json.dumps(
    {
        "precision": 8, "l2NormIndex": 3, "wordIndex": 4, "size": 7, "dimensions": 3, "words": WORDS,
        "vectors": {word: [*row.tolist(), 1.0, i] for i, (word, row) in enumerate(zip(WORDS, MATRIX, strict=True))},
        "unkVector": [0, 0, 0, 0, -1],
    },
    separators=(",", ":"),
).encode()  # fmt: skip


def fasttext(words=WORDS, rows=7, labels=0, quantised=False):
    """A model without n-grams, as fastText writes it."""
    head = struct.pack("<2i12id", 793712314, 12, 3, 5, 5, 1, 5, 1, 2, 2, 0, 0, 0, 100, 1e-4)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 10, 0) for word in words)
    matrix = struct.pack("<?2q", quantised, rows, 3) + MATRIX.tobytes()
    output = struct.pack("<?2q", False, 1, 3) + MATRIX[0].tobytes()
    return head + struct.pack("<3i2q", len(words), len(words) - labels, labels, 70, -1) + entries + matrix + output
