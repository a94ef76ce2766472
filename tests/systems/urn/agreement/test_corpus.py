import gzip
import json
from collections import Counter

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline import conllu
from repline.cards import read_card
from repline.errors import InputError
from repline.systems.urn.agreement import corpus as agreement
from repline.systems.urn.agreement import sentence_templates as agreement_templates
from repline.systems.urn.agreement.marked_sentences import read_linzen, read_table

PARAMETERS = {"minimum_count": 2, "maximum_tokens": 50, "test_share": 0.25, "seed": 1}


def card(folder, **more):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "card.json").write_text(json.dumps({"name": "made", "licence": "CC0"} | more))
    return folder


def parsed(text):
    words = [word.split("/") for word in text.split()]
    tokens, tags, heads, deps = map(list, zip(*words, strict=True))
    return {"tokens": tokens, "tag": tags, "head": [int(head) for head in heads], "dep": deps}


DOG = parsed("The/DT/1/det dog/NN/2/nsubj barks/VBZ/-1/ROOT")
CATS = parsed("The/DT/1/det Cats/NNS/4/nsubj of/IN/1/prep Rome/NNP/2/pobj sleep/VBP/-1/ROOT")
RARE = parsed("Shy/JJ/1/amod gnus/NNS/2/nsubj graze/VBP/-1/ROOT")


def corpus(folder, documents=20, sentences=(DOG, CATS), files=2):
    card(folder)
    rows = [
        {"doc_id": f"document {document}", "sentence_id": number} | sentence
        for document in range(documents)
        for number, sentence in enumerate(sentences)
    ]
    schema = pa.schema([field for field in conllu.SCHEMA if field.name not in ("lemma", "pos")])
    size = -(-len(rows) // files)
    for file in range(files):
        part = pa.Table.from_pylist(rows[file * size : (file + 1) * size], schema)
        pq.write_table(part, folder / f"part-{file:05}.parquet")
    return folder


def linzen(folder, rows):
    card(folder)
    sentences, gold = zip(*rows, strict=True)
    (folder / "made.text").write_text("".join(f"{sentence} <eos>\n" for sentence in sentences))
    (folder / "made.gold").write_text("".join("\t".join(map(str, row)) + "\n" for row in gold))
    return folder


def read(folder, name):
    return pq.read_table(folder / f"{name}.parquet").to_pylist()


def vocabulary(folder):
    return {row["word"]: row for row in read(folder, "vocabulary")}


def test_a_parsed_corpus_becomes_numbered_prefixes(tmp_path):
    source = corpus(tmp_path / "source")
    written = agreement.extract(source, tmp_path / "out", **PARAMETERS)
    assert written == read_card(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "card.json",
        "test.parquet",
        "train.parquet",
        "vocabulary.parquet",
    ]
    train, test = read(tmp_path / "out", "train"), read(tmp_path / "out", "test")
    assert pq.read_schema(tmp_path / "out/train.parquet") == agreement.SCHEMA
    assert pq.read_schema(tmp_path / "out/vocabulary.parquet") == agreement.VOCABULARY
    assert (len(train), len(test)) == (30, 10)
    words = vocabulary(tmp_path / "out")
    assert [row["id"] for row in words.values()] == list(range(len(words)))
    for row in train + test:
        assert row["ids"] == [words[token]["id"] for token in row["tokens"]]
        expected = {
            "barks": (["the", "dog"], True, 0, 1),
            "sleep": (["the", "cats", "of", "rome"], False, 0, 3),
        }[row["verb"]]
        assert (row["tokens"], row["singular"], row["attractors"], row["distance"]) == expected


def test_no_document_is_in_both_parts_and_order_is_kept(tmp_path):
    agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", **PARAMETERS)
    train, test = read(tmp_path / "out", "train"), read(tmp_path / "out", "test")
    assert not {row["doc_id"] for row in train} & {row["doc_id"] for row in test}
    for part in (train, test):
        order = [(int(row["doc_id"].split()[1]), row["sentence_id"]) for row in part]
        assert order == sorted(order)


def test_another_seed_tests_other_documents(tmp_path):
    source = corpus(tmp_path / "source")
    chosen = set()
    for seed in range(3):
        agreement.extract(source, tmp_path / "out", **PARAMETERS | {"seed": seed})
        chosen.add(tuple(row["doc_id"] for row in read(tmp_path / "out", "test")))
    assert len(chosen) == 3


def test_same_input_same_bytes_whatever_the_files(tmp_path):
    for name, files in (("one", 1), ("two", 2)):
        agreement.extract(corpus(tmp_path / name / "source", files=files), tmp_path / name / "out", **PARAMETERS)
    agreement.extract(tmp_path / "one/source", tmp_path / "again", **PARAMETERS)
    for path in (tmp_path / "one/out").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
        assert (tmp_path / "two/out" / path.name).read_bytes() == path.read_bytes()


def test_rare_words_become_their_tags(tmp_path):
    source = corpus(tmp_path / "source", documents=4, sentences=(DOG, CATS, RARE))
    agreement.extract(source, tmp_path / "out", **PARAMETERS | {"minimum_count": 4})
    words = vocabulary(tmp_path / "out")
    assert list(words)[:2] == ["<pad>", "<unk>"]
    # three training documents: `the` occurs 6 times there, every other word 3 times
    assert {word: row["count"] for word, row in words.items()} == {
        "<pad>": 0, "<unk>": 0, "<IN>": 3, "<JJ>": 3, "<NN>": 3, "<NNP>": 3, "<NNS>": 6, "the": 6,
    }  # fmt: skip
    assert [row["tokens"] for row in read(tmp_path / "out", "test")] == [
        ["the", "<NN>"],
        ["the", "<NNS>", "<IN>", "<NNP>"],
        ["<JJ>", "<NNS>"],
    ]


def test_words_of_test_alone_are_not_in_the_vocabulary(tmp_path):
    source = corpus(tmp_path / "source", documents=4, sentences=(DOG,), files=1)
    agreement.extract(source, tmp_path / "out", **PARAMETERS)
    (held_out,) = {row["doc_id"] for row in read(tmp_path / "out", "test")}
    table = pq.read_table(source / "part-00000.parquet").to_pylist()
    for row in table:
        if row["doc_id"] == held_out:
            row |= parsed("The/DT/1/det gnu/NN/3/nsubj ,/,/3/punct barks/VBZ/-1/ROOT")
    pq.write_table(pa.Table.from_pylist(table), source / "part-00000.parquet")
    agreement.extract(source, tmp_path / "out", **PARAMETERS)
    assert "gnu" not in vocabulary(tmp_path / "out")
    # no rare word of train is a noun, so the tag is unknown as well
    assert read(tmp_path / "out", "test")[0]["tokens"] == ["the", "<unk>", "<unk>"]
    assert read(tmp_path / "out", "test")[0]["ids"][1] == 1


def test_number_of_nouns_comes_from_their_tags(tmp_path):
    agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", **PARAMETERS)
    numbers = {word: row["noun_number"] for word, row in vocabulary(tmp_path / "out").items()}
    assert numbers["dog"] == "singular"
    assert numbers["cats"] == "plural"
    assert numbers["the"] is None
    assert numbers["rome"] is None


def test_reserved_words_of_the_text_are_not_taken_for_padding(tmp_path):
    pad = parsed("The/DT/1/det dog/NN/3/nsubj <pad>/SYM/1/dep barks/VBZ/-1/ROOT")
    agreement.extract(corpus(tmp_path / "source", sentences=(pad,)), tmp_path / "out", **PARAMETERS)
    assert read(tmp_path / "out", "train")[0]["tokens"] == ["the", "dog", "<SYM>"]
    assert vocabulary(tmp_path / "out")["<pad>"]["count"] == 0


def test_card_counts_examples_by_attractors_and_reasons(tmp_path):
    key = parsed("keys/NNS/4/nsubj to/IN/0/prep the/DT/3/det door/NN/1/pobj fit/VBP/-1/ROOT")
    they = parsed("They/PRP/1/nsubj bark/VBP/-1/ROOT")
    source = corpus(tmp_path / "source", sentences=(DOG, key, they))
    card = agreement.extract(source, tmp_path / "out", **PARAMETERS)
    counts = card["counts"]
    assert counts["train_examples"] == 30
    assert counts["train_singular"] == counts["train_with_0_attractors"] == counts["train_with_1_attractors"] == 15
    assert counts["train_with_0_attractors_singular"] == 15
    assert counts["train_with_1_attractors_singular"] == 0
    assert counts["train_tokens"] == 15 * 2 + 15 * 4
    assert counts["dropped_subject_not_a_common_noun"] == 20
    assert counts["vocabulary"] == len(read(tmp_path / "out", "vocabulary"))
    assert card["sources"] == [{"corpus": read_card(source)}]
    assert card["licence"] == "CC0"
    assert card["notes"] == ["always the more frequent number: right for 50.0% of test"]


def test_a_treebank_is_a_source(tmp_path):
    card(tmp_path / "source")
    sentence = "1\tDogs\tdog\tNOUN\tNNS\t_\t3\tnsubj\t_\t_\n2\tare\tbe\tAUX\tVBP\t_\t3\tcop\t_\t_\n"
    sentence += "3\there\there\tADV\tRB\t_\t0\troot\t_\t_\n\n"
    text = "".join(f"# newdoc id = {number}\n{sentence}" for number in range(8))
    (tmp_path / "source/made.conllu.gz").write_bytes(gzip.compress(text.encode()))
    counts = agreement.extract(tmp_path / "source", tmp_path / "out", **PARAMETERS)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (6, 2)
    assert read(tmp_path / "out", "test")[0]["tokens"] == ["dogs"]


NUMBERS = ("singular", "plural")


def test_made_templates_keep_their_split(tmp_path):
    source = card(tmp_path / "source")
    agreement_templates.write(source, seed=3, sentences=500)
    counts = agreement.extract(source, tmp_path / "out", **PARAMETERS)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (450, 50)
    assert "train_with_3_attractors" not in counts
    assert counts["test_with_6_attractors"] > 0
    rows = vocabulary(tmp_path / "out")
    stated = {form: number for pair in agreement_templates.NOUNS for form, number in zip(pair, NUMBERS, strict=True)}
    found = {form: rows[form]["noun_number"] for form in stated if form in rows}
    assert found == {form: stated[form] for form in found}
    assert len(found) > 100


LINZEN = [
    ("the two versions of the game have sound .", (6, "have", "has", 1)),
    ("the release contains a picture .", (2, "contains", "contain", 0)),
    ("the dog carries bones", (2, "carries", "carry", 0)),
    ("the dogs carry bones", (2, "carry", "carries", 0)),
    ("the men lie there", (2, "lie", "lie", 0)),
    ("the key is here", (2, "is", "are", 0)),
    ("the keys are here", (2, "are", "is", 0)),
    ("the bus does stop", (2, "does", "do", 0)),
    ("we are the fallen", (1, "Are", "Is", 2)),
]


def test_sentences_of_linzen_are_labelled_by_the_form(tmp_path):
    source = linzen(tmp_path / "source", LINZEN)
    dropped = Counter()
    tables = read_linzen(source / "made.text", source / "made.gold", maximum_tokens=50, dropped=dropped)
    rows = pa.concat_tables(tables).to_pylist()
    assert dropped == {"verb_not_at_index": 1}
    assert [row["singular"] for row in rows] == [False, True, True, False, False, True, False, True]
    assert rows[0]["tokens"] == ["the", "two", "versions", "of", "the", "game"]
    assert (rows[0]["verb"], rows[0]["attractors"], rows[0]["distance"], rows[0]["tags"]) == ("have", 1, None, None)


def test_the_end_mark_is_not_a_token_of_the_sentence(tmp_path):
    source = linzen(tmp_path / "source", LINZEN[:2])
    dropped = Counter()
    files = source / "made.text", source / "made.gold"
    assert sum(table.num_rows for table in read_linzen(*files, maximum_tokens=9, dropped=dropped)) == 2
    assert sum(table.num_rows for table in read_linzen(*files, maximum_tokens=8, dropped=dropped)) == 1
    assert dropped == {"long_sentence": 1}


def test_without_tags_rare_words_are_split_by_form(tmp_path):
    prefix = "the 4th ending of tired dogs near xylo"
    rows = [(f"the dog number{number} is", (3, "is", "are", 0)) for number in range(30)]
    rows += [("the dogs are", (2, "are", "is", 0))] * 30 + [(f"{prefix} is", (8, "is", "are", 0))]
    source = linzen(tmp_path / "source", rows)
    for seed in range(9):  # until the one sentence is in train, and all its words but `the` and `dogs` are rare
        agreement.extract(source, tmp_path / "out", **PARAMETERS | {"seed": seed})
        if any(len(row["tokens"]) == 8 for row in read(tmp_path / "out", "train")):
            break
    (row,) = [row for row in read(tmp_path / "out", "train") if len(row["tokens"]) == 8]
    assert row["tokens"] == ["the", "<unk-digit>", "<unk-ing>", "<unk>", "<unk-ed>", "dogs", "<unk>", "<unk>"]
    assert list(vocabulary(tmp_path / "out"))[:6] == [
        "<pad>",
        "<unk>",
        "<unk-digit>",
        "<unk-ed>",
        "<unk-ing>",
        "<unk-s>",
    ]
    assert vocabulary(tmp_path / "out")["<unk-digit>"]["count"] > 20
    assert vocabulary(tmp_path / "out")["<unk-s>"] == {"id": 5, "word": "<unk-s>", "count": 0, "noun_number": None}


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("gnu", "NN", "<NN>"),
        ("1990s", None, "<unk-digit>"),
        ("gnus", None, "<unk-s>"),
        ("grazing", None, "<unk-ing>"),
        ("grazed", None, "<unk-ed>"),
        ("gnu", None, "<unk>"),
    ],
)
def test_what_stands_for_a_rare_word(word, tag, expected):
    assert agreement.unknown_word(word, tag) == expected


@pytest.mark.parametrize(
    "row", ["2\tis\tare", "x\tis\tare\t0", "2\tis\tare\tmany", "2\t\tare\t0", "", "2\tis\tare\t0\t1"]
)
def test_a_bad_gold_row_is_named(tmp_path, row):
    source = linzen(tmp_path / "source", LINZEN[:2])
    gold = source / "made.gold"
    gold.write_text(gold.read_text().splitlines()[0] + "\n" + row + "\n")
    with pytest.raises(InputError, match=r"made\.gold, line 2: expected index, right form, wrong form"):
        agreement.extract(source, tmp_path / "out", **PARAMETERS)
    assert not (tmp_path / "out").exists()


def test_text_and_gold_of_different_length_are_named(tmp_path):
    source = linzen(tmp_path / "source", LINZEN)
    gold = source / "made.gold"
    gold.write_text("".join(gold.read_text().splitlines(keepends=True)[:3]))
    with pytest.raises(InputError, match=r"made\.gold: ends before line 4, but .*made\.text goes on"):
        agreement.extract(source, tmp_path / "out", **PARAMETERS)


TABLE = {
    "sentence": "the keys to the door fit .", "pos_sentence": "DT NNS IN DT NN VBP .", "verb_pos": "VBP",
    "verb_index": "6", "n_diff_intervening": "1", "distance": "4",
}  # fmt: skip


def table(path, *rows):
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_table_without_split_is_split_by_line(tmp_path):
    source = card(tmp_path / "source")
    table(source / "made.tsv", *[TABLE] * 8)
    counts = agreement.extract(source, tmp_path / "out", **PARAMETERS)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (6, 2)
    row = read(tmp_path / "out", "train")[0]
    assert (row["tokens"], row["attractors"], row["distance"]) == (["the", "keys", "to", "the", "door"], 1, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verb_index": "1"}, "line 3: verb_index should be 2 to 7, found '1'"),
        ({"verb_index": "8"}, "line 3: verb_index"),
        ({"verb_pos": "VBD"}, "line 3: verb_pos should be VBZ or VBP, found 'VBD'"),
        ({"n_diff_intervening": "-"}, "line 3: n_diff_intervening should be a count"),
        ({"distance": "x"}, "line 3: distance should be a count"),
        ({"pos_sentence": "DT NNS"}, "line 3: 7 tokens in sentence but 2 tags"),
        ({"distance": "4\t5"}, "line 3: expected 6 fields as in the heading, found 7"),
    ],
)
def test_a_bad_table_row_is_named(tmp_path, change, message):
    path = table(tmp_path / "made.tsv", TABLE, TABLE | change)
    with pytest.raises(InputError, match=message):
        list(read_table(path, maximum_tokens=50, dropped=Counter()))


def test_a_table_without_a_column_is_named(tmp_path):
    (tmp_path / "made.tsv").write_text("sentence\tverb_pos\n")
    with pytest.raises(InputError, match=r"made\.tsv: the table has no column verb_index, n_diff_intervening"):
        list(read_table(tmp_path / "made.tsv", maximum_tokens=50, dropped=Counter()))


def test_a_bad_split_is_named(tmp_path):
    path = table(tmp_path / "made.tsv", TABLE | {"split": "dev"})
    with pytest.raises(InputError, match="line 2: split should be train or test, found 'dev'"):
        list(read_table(path, maximum_tokens=50, dropped=Counter()))


def test_a_corpus_without_parse_names_what_it_lacks(tmp_path):
    source = corpus(tmp_path / "source", files=1)
    path = source / "part-00000.parquet"
    duckdb.sql(f"COPY (SELECT doc_id, sentence_id, tokens, tag FROM '{path}') TO '{tmp_path}/bare.parquet'")
    (tmp_path / "bare.parquet").rename(path)
    with pytest.raises(InputError, match=r"part-00000\.parquet: .*no column head, dep; set agreement\.source"):
        agreement.extract(source, tmp_path / "out", **PARAMETERS)


def test_a_damaged_part_is_named(tmp_path):
    source = corpus(tmp_path / "source")
    path = source / "part-00001.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError, match=r"part-00001\.parquet: this is not a readable Parquet file"):
        agreement.extract(source, tmp_path / "out", **PARAMETERS)


def test_sources_that_give_nothing(tmp_path):
    message = "found 0 agreement examples for train and 0 for test"
    with pytest.raises(InputError, match=message):
        agreement.extract(corpus(tmp_path / "empty", documents=0), tmp_path / "out", **PARAMETERS)
    run = parsed("Run/VB/-1/ROOT !/./0/punct")
    with pytest.raises(InputError, match=message):
        agreement.extract(corpus(tmp_path / "verbless", sentences=(run,)), tmp_path / "out", **PARAMETERS)
    with pytest.raises(InputError, match="0 agreement examples for train and 2 for test"):
        agreement.extract(corpus(tmp_path / "one", documents=1), tmp_path / "out", **PARAMETERS)
    with pytest.raises(InputError, match=r"expected an annotated corpus .* found card\.json"):
        agreement.extract(card(tmp_path / "nothing"), tmp_path / "out", **PARAMETERS)
    with pytest.raises(InputError, match="no card"):
        agreement.extract(tmp_path / "absent", tmp_path / "out", **PARAMETERS)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "change", [{"minimum_count": 0}, {"maximum_tokens": 1}, {"test_share": 0.0}, {"test_share": 1.0}]
)
def test_parameters_out_of_range(tmp_path, change):
    with pytest.raises(InputError, match=f"agreement.{next(iter(change))}"):
        agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", **PARAMETERS | change)


def test_a_failure_leaves_the_old_corpus(tmp_path):
    agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", **PARAMETERS)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    with pytest.raises(InputError):
        agreement.extract(corpus(tmp_path / "one", documents=1), tmp_path / "out", **PARAMETERS)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "out", "source"]
