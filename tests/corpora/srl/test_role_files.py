"""Files of roles: two forms, tags from files next to them, and what is told about mistakes."""

import json
from collections import Counter, defaultdict

import pytest

from repline.corpora.srl import made_roles
from repline.corpora.srl.propositions import Argument, Proposition
from repline.corpora.srl.role_corpus import read_roles, write_roles
from repline.errors import InputError

LINE = {
    "id": "letters-0002",
    "split": "train",
    "words": ["Dogs", "bark", "."],
    "props": [{"frame": "bark.01", "args": [["V", 1, 1], ["A0", 0, 0]]}],
}
COLUMNS = "Dogs\t-\t(A0*)\nbark\tbark\t(V*)\n.\t-\t*\n\nNo\t-\ncats\t-\n"
PROPOSITION = Proposition(1, "bark.01", (Argument("A0", 0, 0), Argument("V", 1, 1)))
WORD = "{}\t{}\t_\t_\t{}\t_\t0\troot\t_\t_\n"


def write(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def conllu(words, tags=("NNS", "VBP", ".")):
    rows = (WORD.format(number, *pair) for number, pair in enumerate(zip(words, tags, strict=True), 1))
    return (
        "# sent_id = letters-0001\n"
        + WORD.format(1, "Hi", "UH")
        + "\n# sent_id = letters-0002\n"
        + "".join(rows)
        + "\n"
    )


def test_json_lines_with_tags_from_beside(tmp_path):
    source = write(tmp_path / "own", "roles.jsonl", json.dumps(LINE) + "\n")
    write(source, "words.conllu", conllu(["Dogs", "bark", "."]))
    counts = write_roles(source, tmp_path / "roles")["counts"]
    assert counts["predicates"] == counts["tagged"] == counts["without_roles"] == 1 and counts["arguments"] == 2
    (sentence,) = read_roles(tmp_path / "roles", "train")
    assert sentence == ("letters", 1, "train", ["Dogs", "bark", "."], ["NNS", "VBP", "."], [PROPOSITION])
    assert not list(read_roles(tmp_path / "roles", "test"))


def test_blank_lines_of_json_lines_are_passed_over(tmp_path):
    source = write(tmp_path / "own", "roles.jsonl", f"\n{json.dumps(LINE)}\n \n\n")
    assert write_roles(source, tmp_path / "roles")["counts"]["predicates"] == 1


def test_columns_of_brackets(tmp_path):
    write_roles(write(tmp_path / "own", "dev.props", COLUMNS), tmp_path / "roles")
    first, second = read_roles(tmp_path / "roles")
    assert (first.split, first.tags, first.propositions) == ("dev", None, [PROPOSITION._replace(roleset="bark")])
    assert (second.tokens, second.propositions, second.sentence_id) == (["No", "cats"], [], 1)


def props(*spans):
    return LINE | {"props": [{"args": [list(span) for span in spans]}]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (props(("V", 1, 1), ("A0", 0, 1)), "A0 (words 0 to 1) and V (1 to 1) share a word"),
        (props(("V", 1, 1), ("A0", 2, 3)), "A0 is from word 2 to 3"),
        (props(("A0", 0, 0)), "expected one span labelled V, the predicate, found 0"),
        (props(("V", 1, 1), ("A 0", 0, 0)), "expected a label without blanks, brackets and stars, found 'A 0'"),
        (props(("V", 1, "1")), 'expected a label and two places of words, found ["V", 1, "1"]'),
        (LINE | {"split": "training"}, "expected the split train, dev, test, found 'training'"),
        (LINE | {"words": []}, "words: List should have at least 1 item"),
        (LINE | {"tags": ["NNS"]}, "expected a tag for each of 3 words, found 1"),
        ([1], "expected a sentence with roles as JSON"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_written(tmp_path, line, message):
    source = write(tmp_path / "own", "roles.jsonl", json.dumps(LINE) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(InputError) as raised:
        write_roles(source, tmp_path / "roles")
    assert f"{source / 'roles.jsonl'}, line 2: " in str(raised.value) and message in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (COLUMNS.replace("(A0*)", "(A0*"), "line 2: column 3: (V opens inside (A0, which word 0 opened"),
        (COLUMNS.replace("(A0*)", "*)"), "line 1: column 3: a bracket closes that none has opened"),
        (COLUMNS.replace("(V*)", "(V*").replace("*\n\n", "*\n\n"), "line 2: column 3: (V is never closed"),
        (COLUMNS.replace("(A0*)", "(A0"), "line 1: column 3: expected a cell like (A0*, *, *) or (A0*), found '(A0'"),
        (COLUMNS.replace("(V*)", ""), "line 2: expected 3 columns"),
    ],
)
def test_brackets_that_do_not_invert(tmp_path, columns, message):
    source = write(tmp_path / "own", "train.props", columns)
    with pytest.raises(InputError) as raised:
        write_roles(source, tmp_path / "roles")
    assert f"{source / 'train.props'}, {message}" in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Dogs", "barked", "."], "has 'barked' as word 1 in the files with the words, and 'bark' here"),
        (["Dogs", "bark"], "has 2 words in the files with the words, and 3 here"),
        (None, "sentence 2 of document 'letters' is not in the files with the words"),
    ],
)
def test_roles_that_do_not_match_their_words(tmp_path, words, message):
    source = write(tmp_path / "own", "roles.jsonl", json.dumps(LINE) + "\n")
    text = conllu(words, ["NN"] * len(words)) if words else "# sent_id = a-1\n" + WORD.format(1, "Hi", "UH") + "\n"
    write(source, "words.conllu", text)
    with pytest.raises(InputError) as raised:
        write_roles(source, tmp_path / "roles")
    assert f"{source / 'roles.jsonl'}, line 1: " in str(raised.value) and message in str(raised.value)


def test_files_that_are_missing_empty_or_twice(tmp_path):
    with pytest.raises(InputError, match="expected files of roles"):
        write_roles(write(tmp_path / "none", "a.txt", "x"), tmp_path / "roles")
    with pytest.raises(InputError, match="there is no sentence"):
        write_roles(write(tmp_path / "empty", "train.props", "\n"), tmp_path / "roles")
    with pytest.raises(InputError, match=r"sentence 2 of 'letters': it is in train twice"):
        write_roles(write(tmp_path / "twice", "a.jsonl", (json.dumps(LINE) + "\n") * 2), tmp_path / "roles")
    with pytest.raises(InputError, match=r"expected the name train.props"):
        write_roles(write(tmp_path / "name", "mine.props", COLUMNS), tmp_path / "roles")
    with pytest.raises(InputError, match="expected a corpus of semantic roles, found no part"):
        list(read_roles(tmp_path / "roles"))


def test_made_sentences(tmp_path):
    made_roles.write(tmp_path / "a", seed=1, train=400, dev=50, test=100, nouns=200)
    made_roles.write(tmp_path / "b", seed=1, train=400, dev=50, test=100, nouns=200)
    content = (tmp_path / "a/made_roles.jsonl").read_bytes()
    assert content == (tmp_path / "b/made_roles.jsonl").read_bytes()
    counts = write_roles(tmp_path / "a", tmp_path / "roles")["counts"]
    assert 550 <= counts["predicates"] <= 553 and counts["tagged"] == sum(
        counts[argument] for argument in ("train", "dev", "test")
    )
    nouns = {"train": Counter(), "test": Counter()}
    labels = Counter()
    prepositions = defaultdict(lambda: defaultdict(set))  # of each verb, by role
    for sentence in read_roles(tmp_path / "roles"):
        of_split = nouns.get(sentence.split, Counter())
        of_split.update(word for word, tag in zip(sentence.tokens, sentence.tags, strict=True) if tag == "NN")
        labels.update(argument.label for proposition in sentence.propositions for argument in proposition.arguments)
        for proposition in sentence.propositions:
            for argument in proposition.arguments:
                if sentence.tags[argument.first] == "IN":
                    verb = sentence.tokens[proposition.predicate]
                    prepositions[verb][argument.label].add(sentence.tokens[argument.first])
    unseen = sum(count for noun, count in nouns["test"].items() if noun not in nouns["train"])
    assert 0.2 < unseen / nouns["test"].total() < 0.4
    assert set(labels) == {"A0", "A1", "A2", "V", "AM-LOC", "AM-DIR", "AM-MNR", "AM-TMP", "AM-ADV"}
    second_objects = [by_role.pop("A2") for by_role in prepositions.values() if "A2" in by_role]
    assert all(
        len(marks) == 1 for marks in second_objects
    )  # a verb marks its second object with a preposition of its own
    assert len(set().union(*second_objects)) > 3
    with pytest.raises(InputError, match="made roles need an instance in each split"):
        made_roles.write(tmp_path, seed=0, train=0)
