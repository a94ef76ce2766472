"""A copied model finds the mentions in raw texts and disambiguates them as its evaluation does."""

import shutil
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import repline
from repline.errors import InputError
from repline.reading.text_cleaning import clean_text
from repline.systems.jet import gold_mentions
from repline.systems.jet.disambiguation import hits_by_method
from repline.systems.jet.model import load as load_space
from repline.systems.jet.settings import Model
from repline.systems.jet.training import candidates_of, train
from repline.systems.jet.use import tokenise
from tests.systems.jet.made_corpus import made

NAMES = [f"bass{number}" for number in range(8)]
TERMS = "".join(f"{name}\tfish_{name}\tanimal\ta fish\n{name}\tguitar_{name}\ttool\ta guitar\n" for name in NAMES)
TERMS += "".join(f"fishy {name}\tfish_{name}\tanimal\nloud {name}\tguitar_{name}\ttool\n" for name in NAMES)


def topical(random, kind):
    """A sentence in which words of a topic are around a name of that topic."""
    name = NAMES[random.integers(8)]
    words = [f"{kind}{number}" for number in random.integers(12, size=6)]
    return " ".join([*words[:3], f"{'fishy' if kind == 'sea' else 'loud'} {name}", *words[3:]])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    random = np.random.default_rng(0)
    sentences = [topical(random, ("sea", "band")[random.integers(2)]) for _ in range(400)]
    root = tmp_path_factory.mktemp("jet")
    return root, made(root, sentences, TERMS)


def trained(corpus, factory, **knobs):
    root, _ = corpus
    folder = factory.mktemp("trained") / "seed-1"
    model = Model(terminology="t", seeds=[1], dimensions=8, passes=8, sample=0, sample_terms=0, **knobs)
    train("full", model, root / "jet", folder, seed=1)
    return shutil.copytree(folder, factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def folder(corpus, tmp_path_factory):
    return trained(corpus, tmp_path_factory)


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def test_the_entities_are_those_of_the_evaluation(corpus, folder, model):
    space = load_space(folder, candidates_of(corpus[1]))
    random = np.random.default_rng(1)
    contexts = [[f"{kind}{n}" for n in random.integers(12, size=4)] for kind in ("sea", "band") * 10]
    texts = [f"{' '.join(words[:2])}, BASS3 {' '.join(words[2:])}!" for words in contexts]
    mentions = [mention for (mention,) in model.disambiguate(texts)]
    rows = np.array([space.entity_rows[mention.entity] for mention in mentions])
    term = space.term_rows["bass3"]
    instances = gold_mentions.Instances(
        np.full(len(rows), term), rows, [" ".join(words) for words in contexts], ["bass3"] * len(rows)
    )
    assert hits_by_method(space, instances)["entities"].all()
    expected = ["fish_bass3", "guitar_bass3"] * 10
    assert np.mean([mention.entity == entity for mention, entity in zip(mentions, expected, strict=True)]) >= 0.9
    first = mentions[0]
    assert (first.text, first.known_words) == ("BASS3", 4) and texts[0][first.start : first.end] == "BASS3"
    assert {candidate.entity for candidate in first.candidates} == {"fish_bass3", "guitar_bass3"}
    assert first.candidates[0].score >= first.candidates[1].score
    assert model.disambiguate(texts[0]) == [first] and model.disambiguate(texts, batch=3)[5] == [mentions[5]]


def test_the_longest_mentions_or_all(model):
    text = "sea1 loud bass2; a fishy\nbass3"
    mentions = model.disambiguate(text)
    assert [mention.text for mention in mentions] == ["loud bass2", "bass3"]  # none across the end of a line
    assert [mention.entity for mention in mentions][:1] == ["guitar_bass2"]
    every = model.disambiguate(text, overlapping=True)
    assert [mention.text for mention in every] == ["loud bass2", "bass2", "bass3"]


def test_texts_are_split_as_in_training():
    tokenised = tokenise(["The U.S. ended. Não é", "", "x"])
    assert tokenised.tokens == ["the", "u", "s", "ended", "não", "é", "x"]
    assert tokenised.texts.tolist() == [0, 6, 6, 7] and tokenised.sentences.tolist() == [0, 3, 4, 6, 7]


def test_vectors_of_entities_words_and_terms(corpus, folder, model):
    space = load_space(folder, candidates_of(corpus[1]))
    row = space.entity_rows["fish_bass0"]
    np.testing.assert_array_equal(model.vector("fish_bass0"), space.entity_vectors[row])
    assert model.most_similar("fish_bass0", n=1)[0].word.startswith("fish")
    np.testing.assert_array_equal(model.vector(" Fish Bass0"), model.vector("fish_bass0"))
    assert model.most_similar("Fish bass0", n=2) == model.most_similar("fish_bass0", n=2)
    np.testing.assert_array_equal(model.terms.vector("Fishy-BASS1"), space.term_vectors[space.term_rows["fishy bass1"]])
    assert "Sea1" in model.words and set(model.meanings("bass1")) == {"fish_bass1", "guitar_bass1"}
    assert model.meanings("trout") == []
    with pytest.raises(InputError, match="'trout' has no vector here"):
        model.vector("trout")


def test_empty_unknown_and_no_context(model):
    assert model.disambiguate(["", "  ", "a trout", "魚"]) == [[], [], [], []] and model.disambiguate([]) == []
    (mention,) = model.disambiguate("bass0")
    assert mention.known_words == 0 and mention.candidates[0].score == 0


def test_answers_of_the_command(model):
    assert model.fields == ("text",)
    answers = model.answers([{"text": "sea1 sea2 bass1 sea3"}, {"text": ""}])
    assert answers[0]["mentions"][0]["text"] == "bass1" and answers[1] == {"mentions": []}
    assert answers[0]["mentions"][0]["candidates"][0]["definition"] in ("a fish", "a guitar")


def test_a_mention_with_invisible_characters_is_told_as_it_is_written(model):
    text = "\ufeffsea1 sea2, fi\xadshy \u200bba\xadss1\u200b sea3"
    plain = "sea1 sea2, fishy bass1 sea3"
    (mention,), (expected,) = model.disambiguate([text, plain])
    assert mention.text == text[mention.start : mention.end] == "fi\xadshy \u200bba\xadss1"
    assert (mention.candidates, mention.known_words) == (expected.candidates, expected.known_words)
    assert plain[expected.start : expected.end] == "fishy bass1" and "sea\xad1" in model.words


def test_a_mention_in_decomposed_letters_is_told_as_it_is_written(model):
    accented = "se\u0301a1\u200b c\u0301\u0323 \x93fishy bass1\x94 e\u0323\u0301"
    (mention,) = model.disambiguate(accented)
    assert mention.text == accented[mention.start : mention.end] == "fishy bass1"
    spans = tokenise([accented]).spans
    assert [accented[start:end] for start, end in spans] == [
        "se\u0301a1",
        "c\u0301\u0323",
        "fishy",
        "bass1",
        "e\u0323\u0301",
    ]
    assert tokenise([accented]).tokens == tokenise([unicodedata.normalize("NFC", accented)]).tokens


STRANGE = "ea .\u0301\u0323\u0327\u200b\u200c\u200d\xad\x93\x8a\x81\u00e9\u1ec7\ud55c\u1112\u1161\u11ab"


@settings(derandomize=True, database=None, deadline=None)
@given(st.text(st.sampled_from(STRANGE), max_size=12))
def test_spans_of_any_text_give_its_tokens(text):
    tokens, spans = tokenise([text])[:2]
    assert [clean_text(text[start:end]).lower() for start, end in spans] == tokens


@pytest.mark.parametrize("texts", [3, None, [["bass0"]], [1]])
def test_what_is_no_text_is_refused(model, texts):
    with pytest.raises(InputError, match="disambiguate takes a text or a list of texts"):
        model.disambiguate(texts)


def test_a_model_without_entities_has_vectors_of_words(corpus, tmp_path_factory):
    model = repline.load(trained(corpus, tmp_path_factory, entities=False))
    assert "Sea1" in model and len(model.most_similar("sea1", n=3)) == 3


def test_an_incomplete_folder_is_told(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "entities.parquet").write_bytes(b"")
    with pytest.raises(InputError, match=r"entities\.parquet: it cannot be read"):
        repline.load(copy)
    (copy / "candidates.npy").write_bytes(b"")
    with pytest.raises(InputError, match=r"candidates\.npy: this is no whole \.npy file"):
        repline.load(copy)
    (copy / "candidates.npy").unlink()
    with pytest.raises(InputError, match=r"candidates\.npy: there is no such file"):
        repline.load(copy)
