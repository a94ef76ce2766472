"""Mentions compared with a search by hand, and the numbered corpus."""

from itertools import pairwise

import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.jet import corpus, terminology
from repline.systems.jet.mentions import find_mentions, trie_of
from tests.systems.jet.made_corpus import SENTENCES, TERMS, made, write_sentences, write_terminology


def names_of(text, mentions):
    terms = text.terms["term"].to_pylist()
    return [(terms[term], int(first), int(last)) for term, first, last in zip(*mentions, strict=True)]


def test_overlapping_mentions_are_kept(tmp_path):
    text = made(tmp_path)
    assert names_of(text, text.mentions)[:3] == [("new york", 1, 2), ("new york city", 1, 3), ("today", 4, 4)]


def test_special_characters_part_tokens_and_leave_no_trace(tmp_path):
    text = made(tmp_path)
    assert ("new york", 12, 13) in names_of(text, text.mentions)
    assert np.diff(text.sentences).tolist() == [5, 6, 5, 4]


def test_mentions_are_those_of_a_search_by_hand():
    rng = np.random.default_rng(0)
    terms = sorted({tuple(rng.integers(0, 4, size=rng.integers(1, 5)).tolist()) for _ in range(40)})
    tokens = rng.integers(-1, 4, size=500).astype(np.int32)
    sentences = np.array([0, 3, 3, 120, 121, 500])
    flat = np.array([token for term in terms for token in term], np.int32)
    trie = trie_of(flat, np.append(0, np.cumsum([len(term) for term in terms])), 4)
    mentions = find_mentions(tokens, sentences, trie)
    expected = {
        (number, start, start + len(term) - 1)
        for low, high in pairwise(sentences.tolist())
        for start in range(low, high)
        for number, term in enumerate(terms)
        if start + len(term) <= high and tuple(tokens[start : start + len(term)].tolist()) == term
    }
    assert set(zip(*(column.tolist() for column in mentions), strict=True)) == expected
    assert len(mentions.terms) == len(expected)
    order = list(zip(mentions.last.tolist(), mentions.first.tolist(), strict=True))
    assert order == sorted(order)


def test_a_term_with_an_unknown_token_is_never_found():
    trie = trie_of(np.array([0, -1, 1], np.int32), np.array([0, 2, 3]), 2)
    mentions = find_mentions(np.array([0, 1], np.int32), np.array([0, 2]), trie)
    assert mentions.terms.tolist() == [1]


def test_chunks_do_not_change_what_is_found(tmp_path, monkeypatch):
    whole = made(tmp_path / "whole")
    monkeypatch.setattr(corpus, "CHUNK", 7)
    cut = made(tmp_path / "cut")
    for expected, column in zip((whole.words, *whole.mentions), (cut.words, *cut.mentions), strict=True):
        np.testing.assert_array_equal(column, expected)


def test_rare_words_are_holes_and_rare_terms_are_gone(tmp_path):
    text = made(tmp_path, minimum_count=2)
    words = text.vocabulary["word"].to_pylist()
    first = [words[word] if word >= 0 else None for word in text.words[:5]]
    assert first == ["in", "new", "york", "city", "today"]
    assert "of" not in words
    assert (text.words[5:11] < 0).sum() == 1
    assert set(text.terms["term"].to_pylist()) == {"today", "new york", "the"}
    assert set(text.entities["entity"].to_pylist()) == {"state", "city", "now", "article"}


def test_corpus_polysemy_by_hand():
    offsets, candidates = np.array([0, 1, 8]), np.array([0, 0, 1, 2, 3, 4, 5, 6], np.int32)
    mentions, polysemy = corpus.corpus_polysemy(np.array([3, 1]), offsets, candidates, 8)
    assert mentions.tolist() == [4, 1, 1, 1, 1, 1, 1, 0]
    assert polysemy[:2].tolist() == [2.5, 7]
    assert np.isnan(polysemy[7])
    _, common_cold = corpus.corpus_polysemy(np.array([5, 95]), offsets, candidates, 8)
    assert common_cold[0] == pytest.approx(6.7)


def test_entities_of_each_term(tmp_path):
    text = made(tmp_path)
    offsets, rows = text.candidates()
    names = text.entities["entity"].to_pylist()
    of = {
        term: {names[row] for row in rows[low:high]}
        for term, (low, high) in zip(text.terms["term"].to_pylist(), pairwise(offsets.tolist()), strict=True)
    }
    assert of["new york"] == {"state", "city"}
    assert of["new york city"] == {"city"}
    polysemy = dict(zip(names, text.entities["polysemy"].to_pylist(), strict=True))
    assert polysemy["city"] == pytest.approx((3 * 2 + 1) / 4)


def test_sizes_of_a_terminology(tmp_path):
    sizes = terminology.sizes(terminology.read(write_terminology(tmp_path / "terms", stop_words="en")))
    assert (sizes["terms"], sizes["entities"], sizes["most_terms"], sizes["most_entities"]) == (3, 3, 2, 2)
    assert sizes["entities_a_term"] == {"one": 2, "two": 1, "three_to_ten": 0, "more": 0}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("york\n", {}, "terms.tsv, line 1: expected a term and an entity"),
        ("york\tcity\n\tcity\n", {}, "terms.tsv, line 2: expected a term and an entity"),
        ("# nothing\n", {}, "expected a term and an entity a line, found none"),
        ("the\tarticle\n", {"stop_words": "en"}, "expected terms of 1 to 5 tokens in the terminology, found none"),
        ("york\tcity\n", {"stop_words": "qq"}, "spaCy knows no language 'qq'"),
    ],
)
def test_a_wrong_terminology_is_told_in_a_sentence(tmp_path, text, options, message):
    with pytest.raises(InputError, match=message):
        write_terminology(tmp_path / "terms", text, **options)
    assert not (tmp_path / "terms").exists()


@pytest.mark.parametrize(("terms", "count", "message"), [(TERMS, 9, "no word occurs 9"), ("tokyo\tx", 1, "no term of")])
def test_a_corpus_without_words_or_terms(tmp_path, terms, count, message):
    terms_folder = write_terminology(tmp_path / "terms", terms)
    text = write_sentences(tmp_path / "text", SENTENCES)
    with pytest.raises(InputError, match=message):
        corpus.write(text, terms_folder, tmp_path / "jet", minimum_count=count)
    assert not (tmp_path / "jet").exists()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="this is no corpus of jet"):
        corpus.read(tmp_path)
    with pytest.raises(InputError, match="this is no terminology of jet"):
        terminology.read(tmp_path)
