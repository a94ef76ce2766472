import json

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder, untrained_encoder, write_encoder
from repline.vectors import store


def given(folder, sentences, vectors):
    folder.mkdir(exist_ok=True)
    (folder / "sentences.txt").write_text("".join(f"{sentence}\n" for sentence in sentences), encoding="utf-8")
    np.save(folder / "vectors.npy", np.array(vectors, dtype=np.float32))
    return folder


def test_a_folder_of_vectors(tmp_path):
    encode = load_encoder(given(tmp_path / "v", ["one", "two"], [[1, 2], [3, 4]]))
    assert encode(["two", "one", "two"]).tolist() == [[3, 4], [1, 2], [3, 4]]
    with pytest.raises(InputError, match=r"sentences\.txt: 1 sentences of the tasks are not there, the first is 'x'"):
        encode(["one", "x"])


@pytest.mark.parametrize(
    ("sentences", "vectors", "message"),
    [
        (["one", "two"], [[1, 2], [np.nan, 4]], r"sentences\.txt, line 2: vectors\.npy gives .* not finite"),
        (["one", " "], [[1, 2], [3, 4]], r"sentences\.txt, line 2: the sentence is empty"),
        (["one", "two"], [[1, 2]], "a vector for each line of sentences.txt, found 1 x 2"),
        (["one", "two"], [1, 2], "a vector for each line of sentences.txt, found 2 numbers"),
    ],
)
def test_a_broken_folder_of_vectors_is_named(tmp_path, sentences, vectors, message):
    with pytest.raises(InputError, match=message):
        load_encoder(given(tmp_path / "v", sentences, vectors))


def test_a_pickle_is_not_loaded(tmp_path):
    folder = given(tmp_path / "v", ["one"], [[1]])
    np.save(folder / "vectors.npy", np.array([[{"a": 1}]], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"vectors\.npy: this is no whole \.npy file"):
        load_encoder(folder)


def test_a_callable_and_a_class(tmp_path, monkeypatch):
    (tmp_path / "my_encoders_of_a_test.py").write_text(
        "def encode(sentences):\n    return [[len(one)] for one in sentences]\n\n"
        "class Model:\n    def __call__(self, sentences):\n        return encode(sentences)\n\n"
        "number = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    assert load_encoder("my_encoders_of_a_test:encode")(["ab"]) == [[2]]
    assert load_encoder("my_encoders_of_a_test:Model()")(["ab"]) == [[2]]
    for address, message in (
        ("my_encoders_of_a_test:other", "my_encoders_of_a_test has no other"),
        ("my_encoders_of_a_test:number", "takes sentences and returns an array, found 3"),
        ("no_such_module_here:encode", "there is no module no_such_module_here here"),
        ("nowhere", "expected a folder, a name in data/models or MODULE:FUNCTION"),
    ):
        with pytest.raises(InputError, match=message):
            load_encoder(address)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "this is not valid JSON"),
        ("[]", 'expected {"system": NAME'),
        (json.dumps({"system": "../x"}), "is not the name of a system"),
        (json.dumps({"system": "nobody"}), "the system 'nobody' has no encoder of sentences"),
        (json.dumps({"system": "transea"}), "the system 'transea' has no encoder of sentences"),
    ],
)
def test_a_model_that_names_no_encoder(tmp_path, content, message):
    (tmp_path / "encoder.json").write_text(content)
    with pytest.raises(InputError, match=message):
        load_encoder(tmp_path)


def test_a_folder_of_neither_kind(tmp_path):
    with pytest.raises(InputError, match=r"expected encoder\.json, or sentences\.txt and vectors\.npy"):
        load_encoder(tmp_path)
    with pytest.raises(InputError, match="the system 'nobody' has no encoder"):
        write_encoder(tmp_path, "nobody")
    assert not list(tmp_path.iterdir())


def test_an_untrained_encoder_takes_the_words_of_a_folder(tmp_path):
    store.save(tmp_path / "v", ["a", "dog"], np.eye(2, dtype=np.float32))
    assert untrained_encoder("average", tmp_path / "v")(["a dog", "Dog"]).tolist() == [[0.5, 0.5], [0, 1]]
