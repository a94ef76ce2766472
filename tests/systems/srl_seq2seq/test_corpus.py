"""What a corpus of instances says where no word of it is known."""

import json

import numpy as np
import pytest

from repline.corpora.srl.role_corpus import write_roles
from repline.errors import InputError
from repline.reading.settings import Reading
from repline.systems.srl_seq2seq.corpus import write_data
from repline.systems.srl_seq2seq.settings import Corpus
from repline.vectors import store

PROPOSITION = {"args": [["A0", 0, 0], ["V", 1, 1]]}


@pytest.mark.parametrize(
    ("minimum_count", "message"),
    [
        (1, "vectors: none of the words of train has a vector; take vectors of its language"),
        (2, "roles: expected words that occur 2 times or more in train, found none; lower the minimum count, or take"),
    ],
)
def test_the_reason_for_no_known_word_is_named(tmp_path, minimum_count, message):
    rows = [
        {"id": split, "split": split, "words": ["Dogs", "bark"], "props": [PROPOSITION]}
        for split in ("train", "dev", "test")
    ]
    (tmp_path / "roles.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_roles(tmp_path / "roles.jsonl", tmp_path / "roles", Reading())
    store.save(tmp_path / "vectors", ["qq", "rr"], np.eye(2))
    corpus = Corpus(roles="roles", pretrained=True, minimum_count=minimum_count)
    with pytest.raises(InputError, match=message):
        write_data(tmp_path / "instances", corpus, "vectors", data=tmp_path)
