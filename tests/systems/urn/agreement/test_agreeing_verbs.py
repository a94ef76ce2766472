from collections import Counter

import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.systems.urn.agreement.agreeing_verbs import EXAMPLES, find

COLUMNS = pa.schema(
    [
        ("doc_id", pa.string()),
        ("sentence_id", pa.int32()),
        ("tokens", pa.list_(pa.string())),
        ("tag", pa.list_(pa.string())),
        ("head", pa.list_(pa.int32())),
        ("dep", pa.list_(pa.string())),
    ]
)


def sentence(text, number=0):
    """A parsed sentence from `word/tag/head/dep`, heads from 0 and -1 at the root."""
    words = [word.rsplit("/", 3) for word in text.split()]
    tokens, tags, heads, deps = map(list, zip(*words, strict=True))
    heads = [int(head) for head in heads]
    return {"doc_id": "d", "sentence_id": number, "tokens": tokens, "tag": tags, "head": heads, "dep": deps}


def examples(*texts, maximum_tokens=50):
    dropped = Counter()
    batch = pa.RecordBatch.from_pylist([sentence(text, number) for number, text in enumerate(texts)], COLUMNS)
    table = find(batch, maximum_tokens=maximum_tokens, dropped=dropped)
    assert table.schema == EXAMPLES
    return table.to_pylist(), {reason: number for reason, number in dropped.items() if number}


def one(text):
    rows, dropped = examples(text)
    assert len(rows) == 1
    assert not dropped
    return rows[0]


def dropped(text, **options):
    rows, reasons = examples(text, **options)
    assert rows == []
    return reasons


def test_a_main_verb_with_attractors_in_between():
    example = one(
        "The/DT/1/det Keys/NNS/8/nsubj to/IN/1/prep the/DT/4/det cabinet/NN/2/pobj of/IN/4/prep the/DT/7/det "
        "hall/NN/5/pobj open/VBP/-1/ROOT doors/NNS/8/dobj"
    )
    assert example == {
        "doc_id": "d",
        "sentence_id": 0,
        "split": None,
        "tokens": ["the", "keys", "to", "the", "cabinet", "of", "the", "hall"],
        "tags": ["DT", "NNS", "IN", "DT", "NN", "IN", "DT", "NN"],
        "verb": "open",
        "singular": False,
        "attractors": 2,
        "distance": 7,
    }


def test_nouns_of_the_same_number_and_names_are_no_attractors():
    example = one(
        "The/DT/1/det key/NN/9/nsubj to/IN/1/prep the/DT/4/det cabinet/NN/2/pobj of/IN/4/prep Smiths/NNPS/5/pobj "
        "in/IN/4/prep rooms/NNS/7/pobj fits/VBZ/-1/ROOT"
    )
    assert (example["singular"], example["attractors"], example["distance"]) == (True, 1, 8)


@pytest.mark.parametrize(
    "text",
    [
        "Dogs/NNS/2/nsubj have/VBP/2/aux slept/VBN/-1/ROOT",
        "Dogs/NNS/3/nsubjpass have/VBP/3/aux been/VBN/3/auxpass seen/VBN/-1/ROOT",
        "Dogs/NNS/3/nsubj:pass have/VBP/3/aux been/VBN/3/aux:pass seen/VBN/-1/root",
        "Dogs/NNS/3/nsubj have/VBP/3/aux been/VBN/3/cop animals/NNS/-1/root",
        "Dogs/NNS/2/nsubj have/VBP/2/aux been/VBN/-1/ROOT animals/NNS/2/attr",
        "Dogs/NNS/3/nsubj have/VBP/3/aux n't/RB/3/neg slept/VBN/-1/ROOT",
    ],
)
def test_the_finite_auxiliary_is_the_verb_in_both_analyses(text):
    example = one(text)
    assert (example["tokens"], example["verb"], example["singular"]) == (["dogs"], "have", False)


def test_the_copula_in_both_analyses():
    spacy = one("The/DT/1/det dog/NN/2/nsubj is/VBZ/-1/ROOT here/RB/2/advmod")
    universal = one("The/DT/1/det dog/NN/3/nsubj is/VBZ/3/cop here/RB/-1/root")
    assert spacy == universal
    assert (universal["verb"], universal["singular"]) == ("is", True)


def test_do_support():
    example = one("The/DT/1/det dog/NN/4/nsubj does/VBZ/4/aux not/RB/4/neg bark/VB/-1/ROOT")
    assert (example["verb"], example["distance"]) == ("does", 1)


def test_two_clauses_give_two_examples_in_the_order_of_the_verbs():
    # the outer subject comes first and its verb last
    rows, _ = examples("Dogs/NNS/5/nsubj that/WDT/4/dobj the/DT/3/det cat/NN/4/nsubj sees/VBZ/0/relcl run/VBP/-1/ROOT")
    assert [(row["verb"], row["singular"], row["attractors"]) for row in rows] == [
        ("sees", True, 0),
        ("run", False, 1),
    ]
    assert rows[1]["tokens"] == ["dogs", "that", "the", "cat", "sees"]


def test_an_outer_subject_takes_its_copula():
    rows, reasons = examples(
        "The/DT/1/det problem/NN/5/nsubj:outer is/VBZ/5/cop that/IN/5/mark dogs/NNS/5/nsubj bark/VBP/-1/root"
    )
    assert [(row["verb"], row["singular"]) for row in rows] == [("is", True)]
    assert reasons == {"inverted": 1}


@pytest.mark.parametrize(
    "text",
    [
        "The/DT/1/det dog/NN/2/nsubj barked/VBD/-1/ROOT",
        "The/DT/1/det dog/NN/3/nsubj will/MD/3/aux bark/VB/-1/ROOT",
        "The/DT/1/det dog/NN/3/nsubj has/VBD/3/aux barked/VBN/-1/ROOT",
        "There/EX/1/expl are/VBP/-1/ROOT dogs/NNS/1/nsubj",
        "dog/NN/-1/root",
        "Bark/VB/-1/ROOT",
    ],
)
def test_what_is_no_present_tense_dependency_is_not_even_counted(text):
    assert dropped(text) == {}


def test_reasons_for_leaving_out():
    assert dropped("They/PRP/1/nsubj bark/VBP/-1/ROOT") == {"subject_not_a_common_noun": 1}
    assert dropped("Rex/NNP/1/nsubj barks/VBZ/-1/ROOT") == {"subject_not_a_common_noun": 1}
    assert dropped("people/NNS/1/nsubj is/VBZ/-1/ROOT") == {"number_mismatch": 1}
    assert dropped("number/NN/3/nsubj of/IN/0/prep dogs/NNS/1/pobj bark/VBP/-1/ROOT") == {"number_mismatch": 1}
    assert dropped("Is/VBZ/2/aux dog/NN/2/nsubj barks/VBZ/-1/ROOT") == {"inverted": 1}
    assert dropped("dog/NN/2/nsubj cats/NNS/2/nsubj bark/VBP/-1/ROOT") == {"several_subjects": 2}


def test_coordinated_subjects_in_both_analyses():
    spacy = "dogs/NNS/3/nsubj and/CC/0/cc cats/NNS/0/conj fight/VBP/-1/ROOT"
    universal = "dogs/NNS/3/nsubj and/CC/2/cc cats/NNS/0/conj fight/VBP/-1/root"
    assert dropped(spacy) == dropped(universal) == {"coordinated_subject": 1}


def test_coordinated_verbs_and_modifiers_do_not_matter():
    example = one(
        "dogs/NNS/4/nsubj of/IN/0/prep red/JJ/1/pobj a/JJ/2/conj bark/VBP/-1/ROOT and/CC/4/cc bite/VBP/4/conj"
    )
    assert example["verb"] == "bark"


def test_long_sentences_are_counted():
    text = "The/DT/1/det dog/NN/2/nsubj barks/VBZ/-1/ROOT"
    assert dropped(text, maximum_tokens=2) == {"long_sentence": 1}
    assert len(examples(text, maximum_tokens=3)[0]) == 1


def test_sentences_of_a_batch_do_not_mix():
    dog = "The/DT/1/det dog/NN/2/nsubj barks/VBZ/-1/ROOT"
    cats = "Cats/NNS/1/nsubj sleep/VBP/-1/ROOT"
    rows, _ = examples(dog, "Run/VB/-1/ROOT", cats, dog)
    assert [(row["sentence_id"], row["verb"], row["tokens"]) for row in rows] == [
        (0, "barks", ["the", "dog"]),
        (2, "sleep", ["cats"]),
        (3, "barks", ["the", "dog"]),
    ]


def test_a_slice_of_a_batch_is_read_from_its_own_start():
    rows = [sentence("Cats/NNS/1/nsubj sleep/VBP/-1/ROOT", 0), sentence("Dogs/NNS/1/nsubj bark/VBP/-1/ROOT", 1)]
    batch = pa.RecordBatch.from_pylist(rows, COLUMNS).slice(1)
    assert find(batch, maximum_tokens=50, dropped=Counter())["tokens"].to_pylist() == [["dogs"]]


def test_dictionaries_and_large_lists_are_read_alike():
    texts = ["Cats/NNS/1/nsubj sleep/VBP/-1/ROOT", "The/DT/1/det dog/NN/2/nsubj barks/VBZ/-1/ROOT"]
    batch = pa.RecordBatch.from_pylist([sentence(text, number) for number, text in enumerate(texts)], COLUMNS)
    encoded = pa.list_(pa.dictionary(pa.int32(), pa.string()))
    columns = {
        "doc_id": pa.dictionary(pa.int32(), pa.string()),
        "sentence_id": pa.int64(),
        "head": pa.large_list(pa.int8()),
    }
    columns |= {"tokens": pa.large_list(pa.large_string()), "tag": encoded, "dep": encoded}
    recoded = pa.RecordBatch.from_pylist(batch.to_pylist(), pa.schema(columns))
    table = find(recoded, maximum_tokens=50, dropped=Counter())
    assert table.equals(find(batch, maximum_tokens=50, dropped=Counter()))


def test_no_sentence_and_no_token():
    for rows in ([], [{"doc_id": "d", "sentence_id": 0, "tokens": [], "tag": [], "head": [], "dep": []}]):
        batch = pa.RecordBatch.from_pylist(rows, COLUMNS)
        assert find(batch, maximum_tokens=50, dropped=Counter()).num_rows == 0


def test_broken_annotation_is_named():
    short = sentence("Dogs/NNS/1/nsubj bark/VBP/-1/ROOT", 7) | {"tag": ["NNS"]}
    with pytest.raises(InputError, match=r"document 'd', sentence 7: 2 tokens, but 1 values of 'tag'"):
        find(pa.RecordBatch.from_pylist([short], COLUMNS), maximum_tokens=50, dropped=Counter())
    rows = [sentence("Bark/VB/-1/ROOT", 8), sentence("Dogs/NNS/2/nsubj bark/VBP/-1/ROOT", 9)]
    with pytest.raises(InputError, match=r"sentence 9: a head points outside the sentence of 2 tokens"):
        find(pa.RecordBatch.from_pylist(rows, COLUMNS), maximum_tokens=50, dropped=Counter())
