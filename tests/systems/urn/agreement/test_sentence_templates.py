import csv
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.sources.catalogue import find_source, load_sources
from repline.systems.urn.agreement import sentence_templates as agreement_templates
from repline.systems.urn.agreement.marked_sentences import read_table


def rows(folder):
    with open(folder / agreement_templates.FILE, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def templates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("templates")
    agreement_templates.write(folder, seed=5, sentences=4000)
    return folder


def test_the_subject_decides_and_attractors_are_counted_right(templates):
    numbers = {singular: "VBZ" for singular, _ in agreement_templates.NOUNS}
    numbers |= {plural: "VBP" for _, plural in agreement_templates.NOUNS}
    forms = {
        form: tag for pair in agreement_templates.MAIN_VERBS for form, tag in zip(pair, ("VBZ", "VBP"), strict=True)
    }
    assert len(numbers) == 2 * len(agreement_templates.NOUNS)
    for row in rows(templates):
        tokens, tags = row["sentence"].split(), row["pos_sentence"].split()
        assert len(tokens) == len(tags)
        subject, verb = int(row["subj_index"]) - 1, int(row["verb_index"]) - 1
        assert numbers[tokens[subject]] == row["verb_pos"] == tags[verb] == forms[tokens[verb]]
        between = [numbers[token] for token in tokens[subject + 1 : verb] if token in numbers]
        assert int(row["n_diff_intervening"]) == sum(number != row["verb_pos"] for number in between)
        assert int(row["distance"]) == verb - subject
        assert [number == "VBP" for number in between] == [
            tag == "NNS" for tag in tags[subject + 1 : verb] if tag in ("NN", "NNS")
        ]


def test_clauses_agree_with_their_own_subject(templates):
    forms = {
        form: tag for pair in agreement_templates.CLAUSE_VERBS for form, tag in zip(pair, ("VBZ", "VBP"), strict=True)
    }
    clauses = 0
    for row in rows(templates):
        tokens, tags = row["sentence"].split(), row["pos_sentence"].split()
        for position, token in enumerate(tokens):
            if token == "that":
                clauses += 1
                assert forms[tokens[position + 3]] == {"NN": "VBZ", "NNS": "VBP"}[tags[position + 2]]
    assert clauses > 1000


def test_train_is_short_and_test_meets_every_count(templates):
    train = [row for row in rows(templates) if row["split"] == "train"]
    test = [row for row in rows(templates) if row["split"] == "test"]
    assert (len(train), len(test)) == (3600, 400)
    assert set(Counter(row["n_diff_intervening"] for row in train)) == {"0", "1", "2"}
    assert max(row["pos_sentence"].split()[2:].count("IN") + row["sentence"].count("that") for row in train) == 2
    met = Counter(row["n_diff_intervening"] for row in test)
    assert set(met) == set("0123456")
    assert min(met.values()) > 400 / 7 / 2
    for part in (train, test):
        plural = sum(row["verb_pos"] == "VBP" for row in part)
        assert abs(plural - len(part) / 2) < 4 * (len(part) / 4) ** 0.5


def test_read_table_reads_what_was_made(templates):
    dropped = Counter()
    table = pa.concat_tables(
        read_table(templates / agreement_templates.FILE, maximum_tokens=50, dropped=dropped)
    ).to_pylist()
    assert not dropped
    for row, made_row in zip(table, rows(templates), strict=True):
        assert row["split"] == made_row["split"]
        assert row["tokens"] == made_row["sentence"].split()[: int(made_row["verb_index"]) - 1]
        assert row["tags"] == made_row["pos_sentence"].split()[: int(made_row["verb_index"]) - 1]
        assert row["singular"] == (made_row["verb_pos"] == "VBZ")
        assert str(row["attractors"]) == made_row["n_diff_intervening"]


def test_same_arguments_same_bytes(templates, tmp_path):
    agreement_templates.write(tmp_path / "a", seed=5, sentences=4000)
    agreement_templates.write(tmp_path / "b", seed=6, sentences=4000)
    expected = (templates / agreement_templates.FILE).read_bytes()
    assert (tmp_path / "a" / agreement_templates.FILE).read_bytes() == expected
    assert (tmp_path / "b" / agreement_templates.FILE).read_bytes() != expected


def test_the_catalogue_states_the_bytes_that_are_made(tmp_path):
    (stated,) = find_source(load_sources(Path(__file__).parents[4] / "sources.yaml"), "agreement_templates").files
    (source_place,) = stated.places
    agreement_templates.write(tmp_path, **source_place.arguments)
    file_bytes = (tmp_path / stated.name).read_bytes()
    assert (sha256(file_bytes).hexdigest(), len(file_bytes), file_bytes.count(b"\n") - 1) == (
        stated.sha256,
        stated.size,
        stated.rows,
    )


def test_numbers_out_of_range(tmp_path):
    with pytest.raises(InputError, match="leave train or test empty"):
        agreement_templates.write(tmp_path, seed=1, sentences=3)
    with pytest.raises(InputError, match="expected 0 attractors or more"):
        agreement_templates.write(tmp_path, seed=1, sentences=100, train_attractors=-1)
    assert not list(tmp_path.iterdir())
