import pytest

from repline.corpora.chunks.parse_chunks import chunk_tags
from repline.corpora.treebanks import made_treebank
from repline.errors import InputError
from repline.reading import conllu


def test_it_is_a_treebank(tmp_path):
    made_treebank.write(tmp_path, seed=1, documents=5, sentences=20)
    sentences = list(conllu.read([tmp_path / made_treebank.FILE]))
    assert len(sentences) == 100
    assert len({sentence["doc_id"] for sentence in sentences}) == 5
    for sentence in sentences:
        heads = sentence["head"]
        assert heads.count(-1) == 1
        for word in range(len(heads)):  # a tree: every word leads to the root
            steps = 0
            while word >= 0:
                word, steps = heads[word], steps + 1
                assert steps <= len(heads)
    relations = {relation for sentence in sentences for relation in sentence["dep"]}
    assert {"nsubj", "obj", "obl", "nmod", "amod", "case", "acl:relcl", "root"} <= relations
    kinds = {tag[2:] for row in sentences for tag in chunk_tags(row["tokens"], row["tag"], row["head"], row["dep"])}
    assert {"NP", "VP", "PP"} <= kinds


def test_it_follows_its_seed(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        made_treebank.write(tmp_path / name, seed=seed, documents=2, sentences=5)
    texts = [(tmp_path / name / made_treebank.FILE).read_bytes() for name in "abc"]
    assert texts[0] == texts[1] != texts[2]
    with pytest.raises(InputError, match="one sentence at least"):
        made_treebank.write(tmp_path, seed=1, documents=0)
