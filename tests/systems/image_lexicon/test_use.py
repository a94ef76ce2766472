"""A copied run translates words as it was evaluated, and folders of new pictures."""

import json
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.corpora.pictures import efficientnet_lite
from repline.corpora.pictures.picture_features import Extractor, read_features, write_features
from repline.corpora.pictures.recipes import Features
from repline.errors import InputError
from repline.systems.image_lexicon.image_words import read_lists
from repline.systems.image_lexicon.translation import write_run

WORDS = {"dog": "Hund", "cat": "Katze", "run": "rennen", "red": "rot"}
COLOURS = {"dog": (200, 30, 30), "cat": (30, 200, 30), "run": (30, 30, 200), "red": (220, 210, 20)}


def draw(path, colour, rng):
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.clip(np.array(colour) + rng.normal(0, 15, (48, 48, 3)), 0, 255).astype(np.uint8)
    pixels[:, colour[0] % 40 : colour[0] % 40 + 8] = 255 - pixels[:, :8]
    Image.fromarray(pixels).save(path)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The copy of a run, and the source's pictures; the features that it was made from are gone."""
    root, rng = tmp_path_factory.mktemp("run"), np.random.default_rng(0)
    for word, translation in WORDS.items():
        for number in range(3):
            draw(root / f"pictures/en/{word}/{number}.png", COLOURS[word], rng)
            draw(root / f"pictures/de/{translation}/{number}.png", COLOURS[word], rng)
    lines = [f"{word}\t{translation}\tN\n" for word, translation in WORDS.items()]
    (root / "pictures/en_de.txt").write_text("".join(lines), encoding="utf-8")
    write_features(root / "pictures", root / "features", Features(form="folders"))
    write_run(root / "made", read_features(root / "features"), read_lists(root / "pictures"))
    shutil.copytree(root / "made", root / "copied")
    shutil.rmtree(root / "made")
    shutil.rmtree(root / "features")
    return root / "copied", root / "pictures/en"


def test_words_are_translated_as_in_the_evaluation(run):
    model = repline.load(run[0])
    rows = pq.read_table(run[0] / "translations.parquet").to_pylist()
    expected = {row["source"]: row["answer"] for row in rows if row["method"] == "avgmax"}
    answers = model.translate(list(WORDS), n=4)
    assert {word: answer.translations[0].word for word, answer in zip(WORDS, answers, strict=True)} == expected
    assert expected == {word: translation.casefold() for word, translation in WORDS.items()}
    assert all(len(answer.translations) == 4 and answer.pictures == 3 for answer in answers)
    assert model.translate(" DOG ", "de", n=4) == answers[0]


def test_pictures_of_words_with_a_sharp_s_stay_apart(tmp_path):
    rng = np.random.default_rng(0)
    words = {"measures": "Maße", "mass": "Masse"}
    for (word, translation), colour in zip(words.items(), COLOURS.values(), strict=False):
        draw(tmp_path / f"pictures/en/{word}/1.png", colour, rng)
        draw(tmp_path / f"pictures/de/{translation}/1.png", colour, rng)
    lines = [f"{word}\t{translation}\tN\n" for word, translation in words.items()]
    (tmp_path / "pictures/en_de.txt").write_text("".join(lines), encoding="utf-8")
    write_features(tmp_path / "pictures", tmp_path / "features", Features(form="folders"))
    write_run(tmp_path / "run", read_features(tmp_path / "features"), read_lists(tmp_path / "pictures"))
    answers = repline.load(tmp_path / "run").translate(list(words))
    assert [answer.translations[0].word for answer in answers] == ["maße", "masse"]


def test_new_pictures_are_translated_as_those_of_a_word(run, tmp_path):
    model = repline.load(run[0])
    for word in WORDS:
        of_pictures, of_word = model.translate_pictures(run[1] / word), model.translate(word)
        assert [item.word for item in of_pictures.translations] == [item.word for item in of_word.translations]
        similarities = [item.similarity for item in of_word.translations]
        assert [item.similarity for item in of_pictures.translations] == pytest.approx(similarities, abs=1e-5)
    draw(tmp_path / "new/a.png", COLOURS["cat"], np.random.default_rng(7))
    assert model.translate_pictures(tmp_path / "new").translations[0].word == "katze"


def test_pictures_of_a_run_with_a_network(tmp_path):
    torch.manual_seed(0)
    model, rng = efficientnet_lite.EfficientNetLite0().eval(), np.random.default_rng(0)
    save_file(model.state_dict(), tmp_path / efficientnet_lite.WEIGHTS)
    for word in ("dog", "cat"):
        for language in ("en", "de"):
            draw(tmp_path / f"pictures/{language}/{word}/1.png", COLOURS[word], rng)
    (tmp_path / "pictures/en_de.txt").write_text("dog\tdog\tN\ncat\tcat\tN\n", encoding="utf-8")
    weights = tmp_path / efficientnet_lite.WEIGHTS
    extractor = Extractor("lite0", efficientnet_lite.SIZE, model.features, weights=weights)
    write_features(tmp_path / "pictures", tmp_path / "features", Features(form="folders"), extractor)
    write_run(tmp_path / "run", read_features(tmp_path / "features"), read_lists(tmp_path / "pictures"))
    translator = repline.load(tmp_path / "run")
    of_pictures, of_word = translator.translate_pictures(tmp_path / "pictures/en/dog"), translator.translate("dog")
    assert dict(of_pictures.translations) == pytest.approx(dict(of_word.translations), abs=1e-5)
    shutil.rmtree(tmp_path / "run/network")
    with pytest.raises(InputError, match=r"the features of this run \(lite0\) came without what makes more of them"):
        repline.load(tmp_path / "run").translate_pictures(tmp_path / "pictures/en/dog")


def test_words_without_pictures_and_mistakes(run, tmp_path):
    model = repline.load(run[0])
    for word in ("", "  ", "horse", "狗"):
        assert model.translate(word) == model.translate([word])[0]
        assert (model.translate(word).translations, model.translate(word).pictures) == ([], 0)
    assert model.translate([]) == []
    for call, message in (
        (lambda: model.translate([["dog"]]), "translate takes a text or a list of texts"),
        (lambda: model.translate("dog", "fr"), "there are no pictures of the language 'fr'; there are de"),
        (lambda: model.translate("dog", ["de"]), "there are no pictures of the language"),
        (lambda: model.translate_pictures(tmp_path / "absent"), "there is no such folder of pictures"),
        (lambda: model.translate_pictures(tmp_path), "the folder holds no picture"),
    ):
        with pytest.raises(InputError, match=message):
            call()
    (tmp_path / "broken.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match="the picture cannot be decoded"):
        model.translate_pictures(tmp_path)


def test_the_command_takes_words_and_folders(run, tmp_path):
    (tmp_path / "words.txt").write_text(f"dog\n{run[1] / 'cat'}\nhorse\tde\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(run[0]), str(tmp_path / "words.txt")])
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["translations"][0][0] for answer in answers[:2]] == ["hund", "katze"]
    assert answers[2]["translations"] == []


def test_a_word_is_no_folder_without_a_slash(run, tmp_path, monkeypatch):
    model = repline.load(run[0])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    shutil.copytree(run[1] / "cat", tmp_path / "kitten")
    no_word, no_picture, folder = model.answers([{"word": word} for word in ("docs", "kitten", "./kitten")])
    assert no_word["pictures"] == no_picture["pictures"] == 0
    assert folder["translations"][0][0] == "katze"


def test_a_damaged_folder_is_one_sentence(run, tmp_path):
    shutil.copytree(run[0], tmp_path / "copy")
    means = (tmp_path / "copy/means.npy").read_bytes()
    for damaged in (b"", means[:-10], b"no array"):
        (tmp_path / "copy/means.npy").unlink()
        (tmp_path / "copy/means.npy").write_bytes(damaged)
        with pytest.raises(InputError, match=r"means\.npy: this is no whole \.npy file"):
            repline.load(tmp_path / "copy")
    (tmp_path / "copy/means.npy").write_bytes(means)
    (tmp_path / "copy/features.npy").unlink()
    with pytest.raises(InputError, match=r"features.npy: there is no such file"):
        repline.load(tmp_path / "copy")
    (tmp_path / "copy/entries.parquet").write_bytes(b"no table")
    with pytest.raises(InputError, match="the lists of words cannot be read"):
        repline.load(tmp_path / "copy")
