"""Corpora for language modelling: the streams, their vocabulary, the split, and what goes wrong."""

import hashlib
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus, build
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.corpora.language_modeling.word_streams import Spelling, column_of_words
from repline.errors import InputError
from repline.parameters import check
from repline.segmentation import spaced, treebank
from repline.use.corpus_spelling import CorpusSpelling

CARD = json.dumps({"name": "made", "licence": "CC0", "files": []})


def _annotated(folder, documents, parts=1, batch=None, **columns):
    """documents: {doc_id: [sentence, ...]}; a sentence is a text, whose marks get the pos PUNCT."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for document, sentences in documents.items():
        for number, sentence in enumerate(sentences):
            tokens = sentence.split()
            pos = ["PUNCT" if token in ".,()" else "X" for token in tokens]
            rows.append({"doc_id": document, "sentence_id": number, "tokens": tokens, "pos": pos})
            rows[-1] |= {name: values[document] for name, values in columns.items()}
    schema = pa.schema(
        [("doc_id", pa.string()), ("sentence_id", pa.int32()), ("tokens", pa.list_(pa.string()))]
        + [("pos", pa.list_(pa.string()))]
        + [(name, pa.string()) for name in columns]
    )
    table = pa.Table.from_pylist(rows, schema)
    size = -(-len(table) // parts)
    for part in range(parts):
        pq.write_table(
            table.slice(part * size, size), folder / f"part-{part:05d}.parquet", row_group_size=batch or max(size, 1)
        )
    (folder / "card.json").write_text(CARD)
    return folder


def _documents(count=30):
    random = np.random.default_rng(0)
    words = [f"w{number}" for number in range(40)]
    return {
        f"d{document}": [
            " ".join([*random.choice(words, random.integers(1, 9)), "."]) for _ in range(random.integers(1, 6))
        ]
        for document in range(count)
    }


def _mikolov(folder, train="the cat sat\nthe <unk> N sat\n", valid="the cat\n", test="a dog\nthe cat\n"):
    folder.mkdir(parents=True)
    for name, text in {"train": train, "valid": valid, "test": test}.items():
        (folder / f"ptb.{name}.txt").write_text(text)
    (folder / "card.json").write_text(CARD)
    return folder


def _digest(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_streams_of_text_in_mikolovs_form(tmp_path):
    card = build(_mikolov(tmp_path / "raw"), tmp_path / "c")
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    assert corpus.words == ["<unk>", "<eos>", "sat", "the", "N", "cat"]  # by falling count, then by the string
    assert corpus.counts.tolist() == [1, 2, 2, 2, 1, 1]
    assert corpus.ids("train").tolist() == [3, 5, 2, 1, 3, 0, 4, 2, 1]
    assert corpus.ids("test").tolist() == [0, 0, 1, 3, 5, 1]  # "a" and "dog" are not in train
    assert corpus.sentences("train").tolist() == [0, 4, 9]
    assert corpus.position("train").tolist() == [0, 1, 2, -1, 0, 1, 2, 3, -1]
    assert corpus.rows("test")["doc_id"].to_pylist() == ["ptb.test", "ptb.test"]
    assert isinstance(corpus.ids("train"), np.memmap)
    assert [corpus.ids("train").dtype, corpus.sentences("train").dtype] == [np.int32, np.int64]
    assert corpus.position("train").dtype == np.int16
    assert (card["counts"]["train_tokens"], card["counts"]["vocabulary"]) == (9, 6)


def test_a_view_with_fewer_words(tmp_path):
    build(_mikolov(tmp_path / "raw"), tmp_path / "c")
    view = LanguageModelingCorpus.load(tmp_path / "c", vocabulary=4)
    assert view.words == ["<unk>", "<eos>", "sat", "the"]
    assert view.counts.tolist() == [3, 2, 2, 2]
    ids = view.ids("train")
    assert list(ids) == np.asarray(ids).tolist() == [3, 0, 2, 1, 3, 0, 0, 2, 1]
    assert list(ids[2:5]) == [2, 1, 3] and ids[np.array([[1, 2], [0, 8]])].tolist() == [[0, 2], [3, 1]]
    assert isinstance(ids.ids, np.memmap) and np.shares_memory(ids[2:5].ids, view.ids("train").ids)
    assert view.index["the"] == 3
    assert len(LanguageModelingCorpus.load(tmp_path / "c", minimum_count=2)) == 4
    assert np.bincount(view.ids("train"), minlength=4).tolist() == view.counts.tolist()


def test_spelling_and_the_tokens_that_words_stand_for(tmp_path):
    documents = {name: ["Hello , World ( 1,234.5 or -3 ) A4 .", ". ."] for name in "abc"}
    card = build(
        _annotated(tmp_path / "raw", documents), tmp_path / "c", StreamCorpus(validation_share=0.3, test_share=0.3)
    )
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    ids, position = corpus.ids("train"), corpus.position("train")
    assert [corpus.words[number] for number in ids] == ["hello", "world", "N", "or", "N", "a4", "<eos>"]
    tokens = corpus.rows("train")["tokens"][0].as_py()
    assert [tokens[token] for token in position[:-1]] == ["Hello", "World", "1,234.5", "or", "-3", "A4"]
    assert card["counts"]["dropped_empty_sentences"] == 3
    build(
        tmp_path / "raw",
        tmp_path / "d",
        StreamCorpus(lowercase=False, numbers=False, punctuation=True, validation_share=0.3, test_share=0.3),
    )
    corpus = LanguageModelingCorpus.load(tmp_path / "d")
    words = " ".join(corpus.words[number] for number in corpus.ids("train"))
    assert words == "Hello , World ( 1,234.5 or -3 ) A4 . <eos> . . <eos>"


def test_splits_hold_whole_documents_in_the_order_of_the_source(tmp_path):
    fifths = {"validation_share": 0.2, "test_share": 0.2}
    documents = _documents()
    build(
        _annotated(tmp_path / "raw", documents),
        tmp_path / "c",
        StreamCorpus(**fifths, seed=4),
    )
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    documents_by_split = {split: corpus.rows(split)["doc_id"].to_pylist() for split in language_modeling.SPLITS}
    assert sum(len(set(rows)) for rows in documents_by_split.values()) == len(documents)
    order = list(documents)
    for rows in documents_by_split.values():
        assert rows == sorted(rows, key=order.index)
    sizes = {split: len(corpus.ids(split)) for split in documents_by_split}
    assert 0.1 < sizes["test"] / sum(sizes.values()) < 0.35
    assert 0.1 < sizes["validation"] / sum(sizes.values()) < 0.35
    build(tmp_path / "raw", tmp_path / "other", StreamCorpus(**fifths, seed=5))
    assert (
        LanguageModelingCorpus.load(tmp_path / "other").rows("test")["doc_id"].to_pylist() != documents_by_split["test"]
    )


def test_the_streams_do_not_depend_on_how_the_source_is_cut(tmp_path, monkeypatch):
    documents = _documents()
    build(_annotated(tmp_path / "whole", documents), tmp_path / "a")
    build(tmp_path / "whole", tmp_path / "again")
    assert _digest(tmp_path / "a") == _digest(tmp_path / "again")
    monkeypatch.setattr("repline.corpora.language_modeling.text_sources.BATCH", 7)
    build(_annotated(tmp_path / "cut", documents, parts=3, batch=5), tmp_path / "b")
    first, second = (LanguageModelingCorpus.load(tmp_path / name) for name in "ab")
    assert (first.words, first.counts.tolist()) == (second.words, second.counts.tolist())
    for split in language_modeling.SPLITS:
        for name in ("ids", "sentences", "position"):
            np.testing.assert_array_equal(getattr(first, name)(split), getattr(second, name)(split))
        assert first.rows(split) == second.rows(split)


def test_a_split_that_the_source_has_is_kept(tmp_path):
    documents = {name: ["one two", "three ."] for name in "abc"}
    split = {"a": "test", "b": "train", "c": "validation"}
    build(_annotated(tmp_path / "raw", documents, split=split), tmp_path / "c")
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    assert [set(corpus.rows(name)["doc_id"].to_pylist()) for name in language_modeling.SPLITS] == [{"b"}, {"c"}, {"a"}]


def test_a_treebank_is_split_by_its_files(tmp_path):
    (tmp_path / "raw").mkdir()
    for part, word in {"train": "One", "dev": "one", "test": "two"}.items():
        line = f"1\t{word}\t_\tNUM\tCD\t_\t0\troot\t_\t_\n2\t!\t_\tPUNCT\t.\t_\t1\tpunct\t_\t_\n\n"
        (tmp_path / "raw" / f"en-ud-{part}.conllu").write_text(line)
    (tmp_path / "raw" / "card.json").write_text(CARD)
    build(tmp_path / "raw", tmp_path / "c")
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    assert [corpus.ids(split).tolist() for split in language_modeling.SPLITS] == [[2, 1], [2, 1], [0, 1]]
    assert corpus.rows("train", ["head", "dep"]).to_pylist() == [{"head": [-1, 0], "dep": ["root", "punct"]}]


def test_long_sentences_are_left_out_and_train_is_cut(tmp_path):
    raw = _mikolov(tmp_path / "raw", train="a b c d\na b\nc\na a\n", valid="a b c d\na\n", test="a\n")
    card = build(raw, tmp_path / "c", StreamCorpus(maximum_tokens=3, train_tokens=7))
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    assert [corpus.words[number] for number in corpus.ids("train")] == ["a", "b", "<eos>", "c", "<eos>"]
    assert card["counts"]["dropped_long_sentences"] == 2
    assert corpus.rows("train")["sentence_id"].to_pylist() == [1, 2]
    assert len(corpus.ids("validation")) == 2


def test_a_word_spelled_as_the_end_of_a_sentence_is_unknown(tmp_path):
    build(_mikolov(tmp_path / "raw", train="a <eos> b\n"), tmp_path / "c")
    assert LanguageModelingCorpus.load(tmp_path / "c").ids("train").tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"test_share": 1.5}, "language_modeling.test_share should be less than 1, found 1.5"),
        ({"test_share": 0.5, "validation_share": 0.5}, "leave nothing to train on"),
        ({"maximum_tokens": 0}, "language_modeling.maximum_tokens should be greater than or equal to 1, found 0"),
        ({"maximum_tokens": 1}, "no sentence with words is left for train"),
        ({"train_tokens": 3}, "no sentence with words is left for train"),
    ],
)
def test_parameters_out_of_range(tmp_path, changes, message):
    raw = _mikolov(tmp_path / "raw")
    with pytest.raises(InputError, match=message):
        build(raw, tmp_path / "c", check(StreamCorpus, changes, "language_modeling"))
    assert [path.name for path in tmp_path.iterdir()] == ["raw"]


def test_a_sentence_over_the_limit_of_the_format(tmp_path, monkeypatch):
    monkeypatch.setattr(language_modeling, "LONGEST", 3)
    raw = _mikolov(tmp_path / "raw", test="a\na b c d\n")
    with pytest.raises(
        InputError, match=r"document ptb.train, sentence 1: the sentence has 4 words and the limit is 3"
    ):
        build(raw, tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_files_of_a_users_own_need_no_card(tmp_path):
    expected = build(_mikolov(tmp_path / "with"), tmp_path / "a")
    (_mikolov(tmp_path / "mine") / "card.json").unlink()
    card = build(tmp_path / "mine", tmp_path / "b")
    assert (card["licence"], card["counts"]) == ("not stated", expected["counts"])
    (_annotated(tmp_path / "rows", _documents()) / "card.json").unlink()
    assert build(tmp_path / "rows", tmp_path / "c")["parameters"]["splitter"] == "treebank"


def test_sources_that_are_no_corpus(tmp_path):
    with pytest.raises(InputError, match="no card"):
        build(tmp_path / "absent", tmp_path / "c")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "card.json").write_text(CARD)
    with pytest.raises(InputError, match=r"expected an annotated corpus .* found card.json"):
        build(tmp_path / "empty", tmp_path / "c")
    (tmp_path / "empty" / "part-00000.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        build(tmp_path / "empty", tmp_path / "c")
    pq.write_table(pa.table({"doc_id": ["a"]}), tmp_path / "empty" / "part-00000.parquet")
    with pytest.raises(InputError, match="needs the column sentence_id, tokens"):
        build(tmp_path / "empty", tmp_path / "c")
    raw = _mikolov(tmp_path / "raw")
    (raw / "ptb.valid.txt").unlink()
    with pytest.raises(InputError, match="found none for validation"):
        build(raw, tmp_path / "c")
    (raw / "other.txt").write_text("a\n")
    with pytest.raises(InputError, match=r"other.txt: expected a file name with one of train"):
        build(raw, tmp_path / "c")
    split = {"a": "train", "b": "dev", "c": "test"}
    _annotated(tmp_path / "split", {name: ["a b"] for name in split}, split=split)
    with pytest.raises(InputError, match="the column split should be train, validation or test, found 'dev'"):
        build(tmp_path / "split", tmp_path / "c")
    with pytest.raises(InputError, match="no sentence with words is left for train"):
        build(_annotated(tmp_path / "one", {"a": ["a b"]}), tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_what_a_corpus_does_not_have(tmp_path):
    build(_mikolov(tmp_path / "raw"), tmp_path / "c")
    with pytest.raises(InputError, match="has 6 words, and 7 were asked for"):
        LanguageModelingCorpus.load(tmp_path / "c", vocabulary=7)
    with pytest.raises(InputError, match="has 4 words that occur 2 times, and 5 were asked for"):
        LanguageModelingCorpus.load(tmp_path / "c", vocabulary=5, minimum_count=2)
    with pytest.raises(InputError, match=r"and words\), found 2"):
        LanguageModelingCorpus.load(tmp_path / "c", vocabulary=2)
    corpus = LanguageModelingCorpus.load(tmp_path / "c")
    with pytest.raises(InputError, match="expected the column head, dep, found doc_id, sentence_id, tokens"):
        corpus.rows("train", ["head", "dep"])
    with pytest.raises(InputError, match="no split 'dev'; there are train, validation, test"):
        corpus.ids("dev")
    (tmp_path / "c/train/ids.npy").write_bytes(b"no array")
    with pytest.raises(InputError, match="cannot be read"):
        corpus.ids("train")
    with pytest.raises(InputError, match="no card"):
        LanguageModelingCorpus.load(tmp_path / "raw/absent")
    (tmp_path / "c/vocabulary.parquet").unlink()
    with pytest.raises(InputError, match="c: this is no corpus for language models; add it to language_modeling"):
        LanguageModelingCorpus.load(tmp_path / "c")


RAW = [
    "They don't like the well-known man.",
    "It (not) left-wing, can't be U.S. Rd.",
    'A state-of-the-art "non-motile" 5-10.',
]


def _splitter_corpus(folder, splitter):
    """The corpus for language modelling of sentences that were split so: RAW is each of its parts."""
    if splitter == "blanks":
        source = _mikolov(folder / "raw", *["\n".join(RAW) + "\n"] * 3)
    else:
        words = treebank.words if splitter == "treebank" else lambda text: spaced.segmenter("en")(text)["tokens"]
        sentences = [" ".join(words(text)) for text in RAW]
        parts = {name: name for name in ("train", "validation", "test")}
        source = _annotated(folder / "raw", dict.fromkeys(parts, sentences), split=parts)
        if splitter == "en":
            written = {"parameters": {"language": "en"}, "tools": {"spacy": "3.8"}}
            (source / "card.json").write_text(json.dumps(json.loads(CARD) | written))
    build(source, folder / "c")
    return LanguageModelingCorpus.load(folder / "c")


@pytest.mark.parametrize("splitter", ["treebank", "blanks", "en"])
def test_raw_sentences_are_split_as_those_of_the_stream(tmp_path, splitter):
    corpus = _splitter_corpus(tmp_path, splitter)
    spelling = CorpusSpelling.of_corpus(corpus.folder)
    assert spelling.splitter == splitter == spelling.record()["splitter"]
    assert CorpusSpelling.of(spelling.record(), "raw_input.json") == spelling
    ids, bounds = corpus.ids("train"), corpus.sentences("train")
    in_the_stream = [[corpus.words[number] for number in ids[bounds[row] : bounds[row + 1] - 1]] for row in range(3)]
    marks = {'"', "-"}  # whose part of speech is X in these rows, so that the stream has them
    assert [spelling.words(text, corpus.index) for text in RAW] == [
        [word for word in sentence if word not in marks] for sentence in in_the_stream
    ]


def test_between_blanks_a_word_that_the_vocabulary_lacks_is_split_further():
    spelling = CorpusSpelling(splitter="blanks")
    vocabulary = {"don't": 0, "(not)": 1, "N": 2, "<unk>": 3, "man": 4, "mr.": 5, "<eos>": 6}
    read = spelling.words("Mr. Man, don't (not) <unk> 5 N (man) can't. <eos>", vocabulary)
    assert read == ["mr.", "man", "don't", "(not)", "<unk>", "N", "N", "man", "ca", "n't", "<", "eos", ">"]


def test_models_without_a_splitter_are_of_the_penn_treebank():
    switches = {"lowercase": True, "numbers": True, "punctuation": False}
    assert CorpusSpelling.of(switches, "p").words("The well-known man") == ["the", "well-known", "man"]
    with pytest.raises(InputError, match="p: expected splitter, treebank, blanks or a language, found 3"):
        CorpusSpelling.of(switches | {"splitter": 3}, "p")


def test_punctuation_where_no_part_of_speech_says_so():
    tokens = ["Johnson", "&", "Johnson", ",", "``", "--", "$", "5", "%", "...", "<unk>", "'s", "(", "é"]
    words, is_kept = column_of_words(Spelling(lowercase=True, numbers=True, drop_punctuation=True), tokens)
    assert words == ["johnson", "&", "johnson", "$", "N", "%", "<unk>", "'s", "é"]
    assert [token for token, keep in zip(tokens, is_kept, strict=True) if not keep] == [",", "``", "--", "...", "("]


@pytest.mark.parametrize("number", ["5", "1,234.5", "-3", "+.5", "12:30", "1990-95", "3/4", "٣"])
def test_numbers(number):
    words, _ = column_of_words(Spelling(numbers=True), [number, f"{number}th", "N"])
    assert words == ["N", f"{number}th", "N"]
