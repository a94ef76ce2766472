import bz2
import gzip
import lzma
from collections import Counter

import duckdb
import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.systems.urn.agreement import corpus as agreement
from repline.systems.urn.agreement.marked_sentences import read_table
from tests.systems.urn.agreement.small_corpora import RULES, card, corpus, parsed, read

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
    counts = agreement.extract(source, tmp_path / "out", RULES)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (6, 2)
    row = read(tmp_path / "out", "train")[0]
    assert (row["tokens"], row["attractors"], row["distance"]) == (["the", "keys", "to", "the", "door"], 1, 4)


def test_a_table_may_leave_out_what_is_only_counted(tmp_path):
    row = {name: TABLE[name] for name in ("sentence", "verb_pos", "verb_index")}
    path = table(tmp_path / "made.tsv", row)
    ((example,),) = [part.to_pylist() for part in read_table(path, maximum_tokens=50, dropped=Counter())]
    assert (example["attractors"], example["distance"], example["verb"]) == (0, None, "fit")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verb_index": "1"}, "line 3: verb_index should be 2 to 7, found '1'"),
        ({"verb_index": "8"}, "line 3: verb_index"),
        ({"verb_pos": "VBD"}, "line 3: verb_pos should be VBZ or VBP, found 'VBD'"),
        ({"n_diff_intervening": "-"}, "line 3: n_diff_intervening should be a count"),
        ({"distance": "x"}, "line 3: distance should be a count"),
        ({"pos_sentence": "DT NNS"}, "line 3: expected a tag in pos_sentence for each of 7 tokens, found 2"),
        ({"distance": "4\t5"}, "line 3: expected 6 fields as in the heading, found 7"),
    ],
)
def test_a_bad_table_row_is_named(tmp_path, change, message):
    path = table(tmp_path / "made.tsv", TABLE, TABLE | change)
    with pytest.raises(InputError, match=message):
        list(read_table(path, maximum_tokens=50, dropped=Counter()))


def test_a_table_without_a_column_is_named(tmp_path):
    (tmp_path / "made.tsv").write_text("sentence\tverb_pos\n")
    with pytest.raises(InputError, match=r"made\.tsv: expected the columns verb_index, found sentence, verb_pos"):
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
    with pytest.raises(InputError, match=r"part-00000\.parquet: .*no column head, dep; take an annotated one"):
        agreement.extract(source, tmp_path / "out", RULES)


def test_a_damaged_part_is_named(tmp_path):
    source = corpus(tmp_path / "source")
    path = source / "part-00001.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError, match=r"part-00001\.parquet: this is not a readable Parquet file"):
        agreement.extract(source, tmp_path / "out", RULES)


def test_sources_that_give_nothing(tmp_path):
    message = "found 0 agreement examples for train and 0 for test"
    with pytest.raises(InputError, match=message):
        agreement.extract(corpus(tmp_path / "empty", documents=0), tmp_path / "out", RULES)
    run = parsed("Run/VB/-1/ROOT !/./0/punct")
    with pytest.raises(InputError, match=message):
        agreement.extract(corpus(tmp_path / "verbless", sentences=(run,)), tmp_path / "out", RULES)
    with pytest.raises(InputError, match="0 agreement examples for train and 2 for test"):
        agreement.extract(corpus(tmp_path / "one", documents=1), tmp_path / "out", RULES)
    with pytest.raises(InputError, match=r"expected an annotated corpus .* found card\.json"):
        agreement.extract(card(tmp_path / "nothing"), tmp_path / "out", RULES)
    with pytest.raises(InputError, match="no card"):
        agreement.extract(tmp_path / "absent", tmp_path / "out", RULES)
    assert not (tmp_path / "out").exists()


def test_a_failure_leaves_the_old_corpus(tmp_path):
    agreement.extract(corpus(tmp_path / "source"), tmp_path / "out", RULES)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    with pytest.raises(InputError):
        agreement.extract(corpus(tmp_path / "one", documents=1), tmp_path / "out", RULES)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "out", "source"]


TREES = """1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tcafé\tcafé\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tcloses\tclose\tVERB\tVBZ\t_\t0\troot\t_\t_

"""


def packed(path, content):
    path.parent.mkdir()
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}.get(path.suffix)
    if path.suffix == ".zst":
        content = pa.compress(content, codec="zstd", asbytes=True)
    path.write_bytes(pack(content) if pack else content)
    return path


@pytest.mark.parametrize("name", ["a.conllu", "a.CONLLU.xz", "a.conllu.zst", "a.conllu.bz2", "a.conllu.gz"])
@pytest.mark.parametrize("alone", [True, False])
def test_a_treebank_is_packed_in_any_way_a_folder_or_a_file(tmp_path, name, alone):
    documents = [f"# newdoc id = {number}\n{TREES}" for number in range(4)]
    path = packed(tmp_path / "treebank" / name, "".join(documents).encode())
    counts = agreement.extract(path if alone else path.parent, tmp_path / "out", RULES)["counts"]
    assert (counts["train_examples"], counts["test_examples"]) == (3, 1)


def test_an_encoding_is_named_and_wrong_sentences_are_counted(tmp_path):
    wrong = TREES.replace("\t2\tdet", "\t9\tdet")
    documents = [f"# newdoc id = {number}\n{TREES}" for number in range(4)]
    path = packed(tmp_path / "treebank" / "a.conllu", "".join([*documents, wrong]).encode("latin-1"))
    rules = RULES.model_copy(update={"encoding": "latin-1"})
    with pytest.raises(InputError, match=r"a\.conllu, line 21: expected a head from 0 to 3"):
        agreement.extract(path.parent, tmp_path / "out", rules)
    card = agreement.extract(path.parent, tmp_path / "out", rules.model_copy(update={"on_error": "salvage"}))
    assert card["counts"]["wrong_records"] == 1
    assert card["parameters"]["encoding"] == "latin-1"
    assert read(tmp_path / "out", "train")[0]["tokens"] == ["the", "café"]
