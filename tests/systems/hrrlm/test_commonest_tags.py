"""The tag of each word, through dropped punctuation and unknown words."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.systems.hrrlm.commonest_tags import commonest_tags


def _corpus(root, **columns):
    source = root / "source"
    source.mkdir()
    sentence = {"tokens": ["I", ",", "run", "a", "run", "run", "."], "tag": ["PRP", ",", "VB", "DT", "NN", "VB", "."]}
    sentence |= {"pos": ["PRON", "PUNCT", "VERB", "DET", "NOUN", "VERB", "PUNCT"]}
    rows = [{"doc_id": str(number), "sentence_id": 0, **sentence} for number in range(20)]
    table = pa.Table.from_pylist(rows).select(["doc_id", "sentence_id", "tokens", "pos", *columns])
    pq.write_table(table, source / "part-0.parquet")
    (source / "card.json").write_text(json.dumps({"name": "made", "licence": "CC0", "sources": []}))
    language_modeling.build(source, root / "corpus")
    return LanguageModelingCorpus.load(root / "corpus")


def test_a_word_has_its_commonest_tag(tmp_path):
    corpus = _corpus(tmp_path, tag=True)
    tags_found = dict(zip(corpus.words, commonest_tags(corpus), strict=True))
    assert tags_found == {"<unk>": "", "<eos>": "", "run": "VB", "a": "DT", "i": "PRP"}
    assert commonest_tags(corpus, "test", "pos")[corpus.index["run"]] == "VERB"


def test_a_corpus_without_tags(tmp_path):
    with pytest.raises(InputError, match="expected the column tag"):
        commonest_tags(_corpus(tmp_path))
