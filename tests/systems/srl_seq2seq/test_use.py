"""A copied model labels raw sentences as its evaluation does, and finds their predicates."""

import shutil

import pytest

import repline
from repline.corpora.srl import made_roles
from repline.corpora.srl.linearisation import read_target
from repline.corpora.srl.role_corpus import write_roles
from repline.errors import InputError
from repline.systems.srl_seq2seq.corpus import read_data, write_data
from repline.systems.srl_seq2seq.settings import Corpus, Recipe
from repline.systems.srl_seq2seq.training import frequent_predicates, read_outputs, train
from repline.training.run import Run

RECIPE = {"epochs": 4, "learning_rate": 0.02, "batch": 8, "embedding": 12, "units": 12}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("srl")
    made_roles.write(folder / "raw", seed=0, train=200, dev=8, test=20, nouns=20, verbs=5)
    write_roles(folder / "raw", folder / "roles")
    write_data(folder / "data", Corpus(roles="roles"), "none", folder)
    return read_data(folder / "data")


@pytest.fixture(scope="module", params=["copying", "tagger"])
def folder(data, tmp_path_factory, request):
    trained = tmp_path_factory.mktemp("trained")
    decodings = {} if request.param == "tagger" else {"constrained": {"constrained": "next"}}
    recipe = Recipe(**RECIPE, kind=request.param, decodings=decodings)
    train(recipe, data, Run(trained / "model", scratch=trained / "scratch"))
    return shutil.copytree(trained / "model", tmp_path_factory.mktemp("elsewhere") / "model")


@pytest.fixture(scope="module")
def model(folder):
    return repline.load(folder)


def test_test_sentences_get_the_roles_of_the_evaluation(data, folder, model):
    outputs = read_outputs(folder)
    expected = outputs.get("constrained", outputs["plain"])
    test = data.instances["test"]
    sentences = [" ".join(instance.tokens) for instance in test]
    answers = model.label(sentences, [instance.tokens[instance.predicate] for instance in test])
    for instance, output, answer in zip(test, expected, answers, strict=True):
        (predicate,) = (item for item in answer.predicates if item.position == instance.predicate)
        spans = [(role.label, role.first, role.last) for role in predicate.roles]
        assert spans == [tuple(argument) for argument in read_target(output).arguments if argument.label != "V"]
    first = answers[0].predicates[0]
    assert model.label(sentences[0], first.word) == answers[0]
    assert all(role.text.split() == answers[0].words[role.first : role.last + 1] for role in first.roles)


def test_predicates_are_found_where_none_is_given(data, model):
    gold = {}
    for instance in data.instances["test"]:
        gold.setdefault(" ".join(instance.tokens), set()).add(instance.predicate)
    for sentence, positions in gold.items():
        predicted = {predicate.position for predicate in model.label(sentence).predicates}
        assert predicted >= positions
    assert set(frequent_predicates(data.instances["train"])) == model.predicates
    assert set(frequent_predicates(data.instances["train"], 1.1)) == set()


def test_a_predicate_of_several_words_and_capitals(model):
    verb = sorted(model.predicates)[0]
    answer = model.label(f"The Zorp {verb.upper()} up a zarp", f"{verb} up")
    assert answer.words[:2] == ["The", "Zorp"] and [item.position for item in answer.predicates] == [2]


def test_empty_unknown_and_many(model):
    assert model.label("").predicates == model.label("   ").predicates == []
    unknown = model.label("zig zag", "zag")
    assert unknown.known_words == 0 and unknown.predicates[0].position == 1
    assert model.label("房间").predicates == [] and model.label([]) == []
    verb = sorted(model.predicates)[0]
    answers = model.label([f"the dog {verb} a cat", ""] * 5, batch=3)
    assert len(answers) == 10 and answers[0] == answers[8]


def test_answers_of_the_command(model):
    assert model.fields == ("sentence",) and model.optional_fields == ("predicate",)
    verb = sorted(model.predicates)[0]
    rows = [{"sentence": f"the dog {verb} a cat"}, {"sentence": f"the dog {verb} a cat", "predicate": "cat"}]
    answers = model.answers(rows)
    assert [answer["predicates"][0]["word"] for answer in answers] == [verb, "cat"]


@pytest.mark.parametrize("sentences", [3, None, [["the", "dog"]], [1]])
def test_what_is_no_sentence_is_refused(model, sentences):
    with pytest.raises(InputError, match="label takes a text or a list of texts"):
        model.label(sentences)


def test_a_wrong_predicate_is_told(model):
    with pytest.raises(InputError, match="there is no 'saw' in the sentence 'the dog'"):
        model.label("the dog", "saw")
    for wrong in ("dog", ["dog"]):
        with pytest.raises(InputError, match="a predicate for each sentence"):
            model.label(["the dog", "a cat"], wrong)
    with pytest.raises(InputError, match="a word as the predicate, or a list of words; found 5"):
        model.label("the dog", predicate=5)
    with pytest.raises(InputError, match="a value of type int"):
        model.label(["the dog"], [1])
