import gzip

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import read_card
from repline.systems.urn.agreement import corpus as agreement
from repline.systems.urn.agreement import sentence_templates as agreement_templates
from tests.systems.urn.agreement.small_corpora import CATS, DOG, RULES, card, corpus, parsed, read, vocabulary

RARE = parsed("Shy/JJ/1/amod gnus/NNS/2/nsubj graze/VBP/-1/ROOT")


def test_a_parsed_corpus_becomes_numbered_prefixes(tmp_path):
    source = corpus(tmp_path / "source")
    written = agreement.extract(source, tmp_path / "out", RULES)
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


def test_a_treebank_of_a_users_own_needs_no_card(tmp_path):
    (corpus(tmp_path / "mine") / "card.json").unlink()
    written = agreement.extract(tmp_path / "mine", tmp_path / "out", RULES)
    origin = written["sources"][0]["corpus"]
    assert (written["licence"], origin["name"]) == ("not stated", "mine")
    assert [file["name"] for file in origin["files"]] == ["part-00000.parquet", "part-00001.parquet"]


def test_no_document_is_in_both_parts_and_order_is_kept(tmp_path):
    agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", RULES)
    train, test = read(tmp_path / "out", "train"), read(tmp_path / "out", "test")
    assert not {row["doc_id"] for row in train} & {row["doc_id"] for row in test}
    for part in (train, test):
        order = [(int(row["doc_id"].split()[1]), row["sentence_id"]) for row in part]
        assert order == sorted(order)


def test_another_seed_tests_other_documents(tmp_path):
    source = corpus(tmp_path / "source")
    test_documents = set()
    for seed in range(3):
        agreement.extract(source, tmp_path / "out", RULES.model_copy(update={"seed": seed}))
        test_documents.add(tuple(row["doc_id"] for row in read(tmp_path / "out", "test")))
    assert len(test_documents) == 3


def test_same_input_same_bytes_whatever_the_files(tmp_path):
    for name, files in (("one", 1), ("two", 2)):
        agreement.extract(corpus(tmp_path / name / "source", files=files), tmp_path / name / "out", RULES)
    agreement.extract(tmp_path / "one/source", tmp_path / "again", RULES)
    for path in (tmp_path / "one/out").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
        assert (tmp_path / "two/out" / path.name).read_bytes() == path.read_bytes()


def test_rare_words_become_their_tags(tmp_path):
    source = corpus(tmp_path / "source", documents=4, sentences=(DOG, CATS, RARE))
    agreement.extract(source, tmp_path / "out", RULES.model_copy(update={"minimum_count": 4}))
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
    agreement.extract(source, tmp_path / "out", RULES)
    (held_out,) = {row["doc_id"] for row in read(tmp_path / "out", "test")}
    table = pq.read_table(source / "part-00000.parquet").to_pylist()
    for row in table:
        if row["doc_id"] == held_out:
            row |= parsed("The/DT/1/det gnu/NN/3/nsubj ,/,/3/punct barks/VBZ/-1/ROOT")
    pq.write_table(pa.Table.from_pylist(table), source / "part-00000.parquet")
    agreement.extract(source, tmp_path / "out", RULES)
    assert "gnu" not in vocabulary(tmp_path / "out")
    # no rare word of train is a noun, so the tag is unknown as well
    assert read(tmp_path / "out", "test")[0]["tokens"] == ["the", "<unk>", "<unk>"]
    assert read(tmp_path / "out", "test")[0]["ids"][1] == 1


def test_number_of_nouns_comes_from_their_tags(tmp_path):
    agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", RULES)
    numbers = {word: row["noun_number"] for word, row in vocabulary(tmp_path / "out").items()}
    assert numbers["dog"] == "singular"
    assert numbers["cats"] == "plural"
    assert numbers["the"] is None
    assert numbers["rome"] is None


def test_reserved_words_of_the_text_are_not_taken_for_padding(tmp_path):
    pad = parsed("The/DT/1/det dog/NN/3/nsubj <pad>/SYM/1/dep barks/VBZ/-1/ROOT")
    agreement.extract(corpus(tmp_path / "source", sentences=(pad,)), tmp_path / "out", RULES)
    assert read(tmp_path / "out", "train")[0]["tokens"] == ["the", "dog", "<SYM>"]
    assert vocabulary(tmp_path / "out")["<pad>"]["count"] == 0


def test_card_counts_examples_by_attractors_and_reasons(tmp_path):
    key = parsed("keys/NNS/4/nsubj to/IN/0/prep the/DT/3/det door/NN/1/pobj fit/VBP/-1/ROOT")
    they = parsed("They/PRP/1/nsubj bark/VBP/-1/ROOT")
    source = corpus(tmp_path / "source", sentences=(DOG, key, they))
    card = agreement.extract(source, tmp_path / "out", RULES)
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
    counts = agreement.extract(tmp_path / "source", tmp_path / "out", RULES)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (6, 2)
    assert read(tmp_path / "out", "test")[0]["tokens"] == ["dogs"]


NUMBERS = ("singular", "plural")


def test_made_templates_keep_their_split(tmp_path):
    source = card(tmp_path / "source")
    agreement_templates.write(source, seed=3, sentences=500)
    counts = agreement.extract(source, tmp_path / "out", RULES)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (450, 50)
    assert "train_with_3_attractors" not in counts
    assert counts["test_with_6_attractors"] > 0
    rows = vocabulary(tmp_path / "out")
    stated = {form: number for pair in agreement_templates.NOUNS for form, number in zip(pair, NUMBERS, strict=True)}
    number_of_form = {form: rows[form]["noun_number"] for form in stated if form in rows}
    assert number_of_form == {form: stated[form] for form in number_of_form}
    assert len(number_of_form) > 100
