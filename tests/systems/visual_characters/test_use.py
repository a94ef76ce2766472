"""Copied folders take raw text: vectors of characters never seen, tags and translations as the models give them."""

import json
import shutil

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.glyphs.font_rendering import draw
from repline.glyphs.recipes import Drawing
from repline.pretrained import pretrained
from repline.systems.visual_characters import character_pictures
from repline.systems.visual_characters.character_numbers import character_ids
from repline.systems.visual_characters.character_pictures import default_font, installed_font
from repline.systems.visual_characters.glosses.gloss_model import GlossModel
from repline.systems.visual_characters.glosses.gloss_training import GlossData, train_glosses
from repline.systems.visual_characters.settings import Decoding, GlossRecipe, TaggerRecipe, TranslatorRecipe
from repline.systems.visual_characters.tagging.tagger import Tagger
from repline.systems.visual_characters.tagging.tagger_training import TaggedData, train_tagger
from repline.systems.visual_characters.translation.translation_pairs import END
from repline.systems.visual_characters.translation.translator import Translator
from repline.systems.visual_characters.translation.translator_training import train_translator
from repline.systems.visual_characters.use import Translation
from repline.training.recipes import CPU
from repline.training.run import Run

FONT = installed_font()
CHARACTERS = "天地人山水火木金土日月大小上下中"
DRAWN = draw(CHARACTERS, FONT, Drawing(face=2))
DECODING = Decoding(beam=3, longest=4)
SHAPE = {"dimensions": 6, "epochs": 2, "batch": 8, "learning_rate": 0.01, "hardware": CPU}
TEXTS = ["天地人", "山水", "火木 金土", "日月大小上下中"]
LABELS = ["B-n", "B-v", "I-n", "I-v"]


def run_in(folder, name):
    return Run(folder / name, name=name, scratch=folder / "scratch")


def trained_glosses(folder, kind):
    ids = character_ids(list(CHARACTERS) + TEXTS[:2], DRAWN)
    words = {split: (ids, torch.arange(len(ids))[:, None] % 3) for split in ("train", "dev")}
    data = GlossData(DRAWN, ["sky", "earth", "man"], words)
    train_glosses(GlossRecipe(kind=kind, **SHAPE), data, run_in(folder, f"glosses-{kind}"))
    return folder / f"glosses-{kind}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folders of two dictionary models, an adapted and two fixed taggers, and two translators; each a copy."""
    trained_folders, copies = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("copies")
    sentences = character_ids(["天地", "山水火"], DRAWN)
    data = TaggedData(DRAWN, LABELS, {part: (sentences, (sentences % 4).long()) for part in ("train", "dev")})
    tagger = {key: value for key, value in SHAPE.items() if key != "dimensions"} | {"hidden": 8, "dilations": [1, 2]}
    models = {kind: trained_glosses(trained_folders, kind) for kind in ("emb", "fc_2l")}
    for kind, mode in (("fc_2l", "fix"), ("fc_2l", "adapt"), ("emb", "fix")):
        train_tagger(
            TaggerRecipe(mode=mode, **tagger), data, models[kind], run_in(trained_folders, f"tagger-{kind}-{mode}")
        )
    pairs = [{"source": text, "target": ["so", "it", "is"]} for text in ("天地", "山水", "火")]
    recipe = TranslatorRecipe(
        kind="fc_2l", units=6, layers=1, decoder_units=[8], pretraining_epochs=1, minimum_count=1, **SHAPE
    )
    rows = {"train": pairs, "dev": pairs}
    train_translator(recipe, rows, DRAWN, run_in(trained_folders, "translator"), DECODING)
    table = recipe.model_copy(update={"kind": "emb"})
    train_translator(table, rows, DRAWN, run_in(trained_folders, "translator-emb"), DECODING)
    for folder in trained_folders.iterdir():
        if (folder / "raw_input.json").exists():
            shutil.copytree(folder, copies / folder.name)
    shutil.rmtree(trained_folders)
    return copies


def with_bitmaps(model):
    model.encoder.show(torch.from_numpy(DRAWN.pixels))
    return model


def test_vectors_are_those_of_the_encoder_and_words_are_means(folders):
    model, plain = (
        repline.load(folders / "glosses-fc_2l"),
        with_bitmaps(pretrained(GlossModel, folders / "glosses-fc_2l")),
    )
    table = plain.encoder.cached_table()
    np.testing.assert_allclose(model.vector("水"), table[DRAWN.rows["水"] + 1], atol=1e-6)
    np.testing.assert_allclose(
        model.vector("山 水"), plain.word_vectors(character_ids(["山水"], DRAWN))[0].detach(), atol=1e-6
    )
    assert model.most_similar("水", 3)[0].word in CHARACTERS


def test_a_character_never_seen_is_drawn(folders):
    model, plain = repline.load(folders / "glosses-fc_2l"), pretrained(GlossModel, folders / "glosses-fc_2l")
    pixels = torch.from_numpy(draw("森", FONT, Drawing(face=2)).pixels)
    expected = plain.encoder.encode_pixels(pixels)[0].detach()
    np.testing.assert_allclose(model.vector("森"), expected, atol=1e-6)
    assert len(model.most_similar("森", 2)) == 2
    other_face = plain.encoder.encode_pixels(torch.from_numpy(draw("天", FONT, Drawing(face=2)).pixels))[0].detach()
    np.testing.assert_allclose(model.vector("天", font=FONT), other_face, atol=1e-6)


def test_a_table_has_vectors_of_the_characters_that_training_had_twice(folders):
    model = repline.load(folders / "glosses-emb")
    assert model.words == list("天地人山水") and "火" not in model and "天地" in model
    with pytest.raises(InputError, match="火' has no vector: the model is a table of the characters that training had"):
        model.vector("火")
    assert {neighbour.word for neighbour in model.most_similar("天", 20)} == set("地人山水")
    np.testing.assert_array_equal(model.vector("水"), model.model.encoder.table.weight[5].detach())
    assert model.glosses("火") == model.glosses("") != model.glosses("天")
    assert repline.load(folders / "tagger-emb-fix").tag("天火").unknown == ["火"]


def test_what_has_no_vector_is_one_sentence(folders, tmp_path):
    model = repline.load(folders / "glosses-fc_2l")
    for word in ("", " \n"):
        with pytest.raises(InputError, match=r"has no vector: it is empty$"):
            model.vector(word)
    for word in ("\ue000", "水\ue000"):
        with pytest.raises(InputError, match=r"has no vector: .* vector\(word, font=FILE\)"):
            model.vector(word)
    with pytest.raises(InputError, match="森' has no vector"):
        repline.load(folders / "glosses-emb").vector("森")  # a table
    with pytest.raises(InputError, match="there is no such font file"):
        model.vector("森", font=tmp_path / "absent.ttf")
    with pytest.raises(InputError, match="vector takes a word"):
        model.vector(["森"])


def test_glosses_of_known_and_unknown_words(folders):
    model = repline.load(folders / "glosses-fc_2l")
    answers = model.glosses(["天", "森", "", "\ue000"], n=3)
    assert all(sum(chance for _, chance in row) == pytest.approx(1) for row in answers)
    bias = torch.softmax(model.model.output.bias, 0).sort(descending=True).values
    for row in answers[2:]:
        assert [chance for _, chance in row] == pytest.approx(bias.tolist(), abs=1e-6)
    assert model.glosses("天", n=3) == answers[0] and model.glosses([]) == []


@pytest.mark.parametrize("name", ["tagger-fc_2l-adapt", "tagger-fc_2l-fix", "tagger-emb-fix"])
def test_raw_texts_are_tagged_as_the_model_does(folders, name):
    tagger, plain = repline.load(folders / name), pretrained(Tagger, folders / name)
    if plain.encoder is not None:
        with_bitmaps(plain)
    labels = plain.tag(character_ids([text.replace(" ", "") for text in TEXTS], DRAWN))
    answers = tagger.tag(TEXTS)
    assert [len("".join(word for word, _ in answer.words)) for answer in answers] == list(map(len, labels))
    firsts = [sum(label.startswith("B") for label in row[1:]) for row in labels]
    assert all(len(answer.words) > first for answer, first in zip(answers, firsts, strict=True))
    assert [tagger.tag(text, batch=1) for text in TEXTS] == answers
    unseen = tagger.tag("森林\ue000")
    assert "".join(word for word, _ in unseen.words) == "森林\ue000"
    assert unseen.unknown == (["\ue000"] if "fc" in name else sorted("森林\ue000"))
    assert tagger.tag(["", " \n"]) == [tagger.tag(""), tagger.tag("  ")]
    assert tagger.tag("").words == []
    assert len(tagger.tag("天地人" * 2000).words) > 0
    with pytest.raises(InputError, match="tag takes a text or a list of texts"):
        tagger.tag([["天"]])


@pytest.mark.parametrize("name", ["translator", "translator-emb"])
def test_raw_texts_are_translated_as_the_evaluation_does(folders, name):
    translator, plain = repline.load(folders / name), with_bitmaps(pretrained(Translator, folders / name))
    assert translator.decoding == DECODING
    ids = [character_ids([text.replace(" ", "")], DRAWN) for text in TEXTS]
    for beam, decoding in ((None, DECODING), (1, DECODING.model_copy(update={"beam": 1}))):
        answers = translator.translate(TEXTS, beam=beam)
        assert [answer.translation.split() for answer in answers] == [plain.translate(row, decoding)[0] for row in ids]
        assert max(len(answer.translation.split()) for answer in answers) <= 4


def test_a_table_translates_characters_that_share_its_unknown_vector(folders):
    translator = repline.load(folders / "translator-emb")
    with torch.no_grad():
        translator.model.decoder.output.bias[END] = -100.0  # write as much as there may be
    answer = translator.translate("天")  # once in training
    assert answer.unknown == ["天"] and len(answer.translation.split()) == 4
    assert [answer.translation.split()] == translator.model.translate(character_ids(["天"], DRAWN), DECODING)
    assert translator.translate("森") == Translation("", ["森"])


def test_a_folder_without_decoding_translates_by_the_default(folders, tmp_path):
    folder = shutil.copytree(folders / "translator", tmp_path / "copy")
    values = json.loads((folder / "raw_input.json").read_text())
    del values["decoding"]
    (folder / "raw_input.json").write_text(json.dumps(values))
    assert repline.load(folder).decoding == Decoding()
    for damaged in ({"beam": 0}, {"wide": 3}, "wide", None):
        (folder / "raw_input.json").write_text(json.dumps(values | {"decoding": damaged}))
        with pytest.raises(InputError, match="decoding is damaged"):
            repline.load(folder)


def test_what_cannot_be_translated(folders):
    translator = repline.load(folders / "translator")
    assert translator.translate("").translation == "" and translator.translate([]) == []
    assert translator.translate("森").unknown == [] and translator.translate("\ue000") == Translation("", ["\ue000"])
    with pytest.raises(InputError, match="translate takes a text or a list of texts"):
        translator.translate(7)


def test_an_answer_depends_on_no_earlier_call(folders, monkeypatch):
    def answer(name, model, font):
        if name == "translator":
            return model.translate("森林天\ue000", font=font)
        return model.tag("森林天\ue000", font=font) if "tagger" in name else model.vector("森林", font=font).tolist()

    monkeypatch.setattr(character_pictures, "installed_font", lambda: None)
    for name in ("tagger-fc_2l-adapt", "tagger-fc_2l-fix", "translator", "glosses-fc_2l"):
        model = repline.load(folders / name)
        if name == "glosses-fc_2l":
            assert "森" not in model
        else:
            assert answer(name, model, None).unknown == sorted("森林\ue000")
        assert answer(name, model, FONT) == answer(name, repline.load(folders / name), FONT)
    tagger = repline.load(folders / "tagger-fc_2l-adapt")
    assert tagger.tag("森", font=FONT).unknown == [] and tagger.tag("森").unknown == ["森"]


def test_a_character_is_drawn_with_the_font_of_each_call(folders, tmp_path):
    other = shutil.copy(FONT, tmp_path / "other.ttc")  # its first face, where the installed font has the mainland's
    translator = repline.load(folders / "translator")
    numbers = translator.numbers
    first, second = (numbers.known("直", font)["直"] for font in (None, other))
    assert numbers.known("直", FONT)["直"] == first != second == numbers.known("直", str(other))["直"]
    assert (translator.model.encoder.bitmaps[first] != translator.model.encoder.bitmaps[second]).any()


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [("glosses-fc_2l", "森", "glosses"), ("tagger-fc_2l-fix", "天地", "words"), ("translator", "天地", "translation")],
)
def test_the_command_answers_a_line(folders, tmp_path, name, text, key):
    (tmp_path / "texts.txt").write_text(text + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folders / name), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    assert key in json.loads(result.stdout.splitlines()[0])


def test_a_damaged_folder_is_one_sentence(folders, tmp_path):
    shutil.copytree(folders / "tagger-fc_2l-fix", tmp_path / "copy")
    (tmp_path / "copy/encoder.safetensors").unlink()
    with pytest.raises(InputError, match="the encoder cannot be read"):
        repline.load(tmp_path / "copy")
    (tmp_path / "copy/pixels.npy").write_bytes(b"")
    with pytest.raises(InputError, match=r"pixels\.npy"):
        repline.load(tmp_path / "copy")
    np.save(tmp_path / "copy/pixels.npy", np.zeros((2, 3), np.uint8))
    with pytest.raises(InputError, match=f"expected pictures of {len(CHARACTERS)} characters"):
        repline.load(tmp_path / "copy")


def test_without_an_installed_font_the_extra_is_named(tmp_path, monkeypatch):
    assert default_font() == installed_font()
    monkeypatch.setattr(character_pictures, "installed_font", lambda: None)
    with pytest.raises(InputError, match=r"^no font is installed: `pip install 'repline\[data\]'` brings one, or name"):
        default_font()
