import gzip

import pytest

from repline.corpora.labelled.collections.benchmarks import ALL, read_benchmarks
from repline.corpora.labelled.labelled_sentences import read_labelled
from repline.errors import InputError


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return sorted(folder.iterdir())


def pairs(examples):
    return [(example.label, example.text) for example in examples]


def test_two_files_are_one_part_without_blank_lines(tmp_path):
    paths = write(tmp_path, custrev__neg="too small .\n\nit broke .\n", custrev__pos="I love it .\n")
    benchmarks = read_benchmarks(paths)["CR"]
    assert benchmarks.parts.keys() == {ALL}
    assert pairs(benchmarks.parts[ALL]) == [
        ("negative", "too small ."),
        ("negative", "it broke ."),
        ("positive", "I love it ."),
    ]
    assert benchmarks.parts[ALL][1].where == f"{tmp_path}/custrev.neg, line 3"
    assert benchmarks.labels == ["negative", "positive"]


def test_splits_coarse_and_fine_labels_and_compression(tmp_path):
    (tmp_path / "TREC.train.gz").write_bytes(gzip.compress(b"LOC:city Where is Rome ?\nNUM:date When ?\n"))
    paths = write(tmp_path, TREC__test="LOC:city Where ?\n")
    benchmarks = read_benchmarks(paths)
    assert benchmarks.keys() == {"TREC", "TREC-50"}
    assert pairs(benchmarks["TREC"].parts["train"]) == [("LOC", "Where is Rome ?"), ("NUM", "When ?")]
    assert benchmarks["TREC-50"].labels == ["LOC:city", "NUM:date"]


def test_phrases_take_the_place_of_the_training_sentences(tmp_path):
    files = {f"stsa__binary__{split}": "1 good\n0 bad\n" for split in ("train", "dev", "test")}
    paths = write(tmp_path, **files, **{"sst2-phrases-train__tsv": "no wit \t0\nfunny\t1\n"})
    benchmarks = read_benchmarks(paths)
    assert benchmarks.keys() == {"SST-2"}
    assert pairs(benchmarks["SST-2"].parts["train"]) == [("0", "no wit"), ("1", "funny")]
    assert pairs(benchmarks["SST-2"].parts["dev"]) == [("1", "good"), ("0", "bad")]


def test_own_tables_and_a_choice_of_names(tmp_path):
    paths = write(
        tmp_path, mine__tsv="a\tone\nb\ttwo\n", x__train__tsv="a\tc\nb\td\n", x__test__tsv="a\te\n", y__pairs__tsv=""
    )
    assert read_benchmarks(paths).keys() == {"mine", "x"}
    benchmarks = read_benchmarks(paths, ["x"])
    assert benchmarks.keys() == {"x"} and benchmarks["x"].parts.keys() == {"train", "test"}
    with pytest.raises(InputError, match="no files of the benchmark z; there are mine, x"):
        read_benchmarks(paths, ["z"])


@pytest.mark.parametrize("dev", ["dev", "valid", "validation", "val"])
def test_the_part_dev_has_several_names(tmp_path, dev):
    files = {f"my-set__{part}__tsv": "a\tone\nb\ttwo\n" for part in ("train", dev, "test")}
    assert read_benchmarks(write(tmp_path, **files))["my-set"].parts.keys() == {"train", "dev", "test"}
    table = read_labelled(sorted(tmp_path.iterdir()), str.split)
    assert table["task"].unique().to_pylist() == ["my-set"]
    assert set(table["split"].to_pylist()) == {"train", "dev", "test"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a__tsv": "x\tone\ny\t \n"}, r"a\.tsv, line 2: the text is empty"),
        ({"a__tsv": "x\tone\n\ttwo\n"}, r"a\.tsv, line 2: the label is empty"),
        ({"a__tsv": "x\tone\nno tab\n"}, r"a\.tsv, line 2: expected label and text .* found 'no tab'"),
        ({"a__tsv": "x\tone\nx\ttwo\n"}, "a: expected at least two labels, found only x"),
        ({"a__tsv": ""}, "expected rows of label, tab, text, found none"),
        ({"a__train__tsv": "x\t1\ny\t2\n"}, r"there is no a\.test\.tsv next to a\.train\.tsv"),
        (
            {"a__train__tsv": "x\t1\n", "a__evaluation__tsv": "x\t1\n"},
            r"a\.evaluation\.tsv: expected the name NAME\.tsv",
        ),
        ({"a__dev__tsv": "x\t1\n", "a__val__tsv": "x\t1\n"}, r"a\.val\.tsv and a\.dev\.tsv are both the part dev of a"),
        ({"a__tsv": "x\t1\n", "a__test__tsv": "x\t1\n"}, r"a: there is a\.tsv and also"),
        (
            {"a__train__tsv": "x\t1\ny\t2\n", "a__test__tsv": "x\t1\nz\t2\n"},
            r"a\.test\.tsv, line 2: the label 'z' of the part test does not occur in train",
        ),
        ({"custrev__neg": "bad\n"}, r"CR: custrev\.pos is not next to .*custrev\.neg"),
        ({"TREC__train": "LOC Where ?\n", "TREC__test": ""}, r"TREC\.train, line 1: expected CLASS:fine"),
    ],
)
def test_mistakes_are_named_by_file_and_line(tmp_path, files, message):
    with pytest.raises(InputError, match=message):
        read_benchmarks(write(tmp_path, **files))


def test_the_part_of_mr_that_comes_with_a_package(tmp_path):
    paths = write(tmp_path, pang_lee_polarity__cor="__label__neg dull film\n__label__pos a joy\n")
    assert pairs(read_benchmarks(paths)["MR-200"].parts[ALL]) == [("neg", "dull film"), ("pos", "a joy")]
    with pytest.raises(InputError, match=r"line 1: expected __label__ and a class"):
        read_benchmarks(write(tmp_path, pang_lee_polarity__cor="neg dull film\n"))
