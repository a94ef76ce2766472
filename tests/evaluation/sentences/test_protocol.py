import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.replication.weighted_draws import draws, pearson_of_draws
from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.recipes import Protocol
from repline.evaluation.sentences.sentence_cache import SentenceVectors
from repline.evaluation.sentences.sentence_table import as_text, table
from repline.evaluation.sentences.sentence_tasks import Part, Task

RANDOM = np.random.default_rng(5)
NAMES = [f"s{number}" for number in range(120)]
ANGLES = dict(zip(NAMES, RANDOM.uniform(0, np.pi, 120), strict=True))
NUMBERS = ("f1", "spearman", "pearson_of_angles", "pearson_by_pairs", "spearman_by_pairs")  # beside the value
FEW_FOLDS = Protocol(folds=3, inner_folds=2, penalties=[0.001, 0.1])


def encode(sentences):
    """On the unit circle, at a sentence's own angle."""
    return [[np.cos(ANGLES[sentence]), np.sin(ANGLES[sentence])] for sentence in sentences]


def noise(sentences):
    return np.random.default_rng(len(sentences)).normal(size=(len(sentences), 4))


def labels(names):
    return ["up" if ANGLES[name] < np.pi / 2 else "down" for name in names]


def classes(split=True):
    if not split:
        return Task("plain", "classification", {"all": Part(NAMES, labels=labels(NAMES), origins=NAMES)})
    cuts = {"train": NAMES[:60], "dev": NAMES[60:80], "test": NAMES[80:]}
    return Task("split", "classification", {k: Part(v, labels=labels(v), origins=v) for k, v in cuts.items()})


def pairs(kind, parts):
    task_parts = {}
    for name, (start, stop) in parts.items():
        first, second = NAMES[start:stop], NAMES[start:stop][::-1]
        gaps = [abs(ANGLES[a] - ANGLES[b]) for a, b in zip(first, second, strict=True)]
        scores = [5 * np.cos(gap / 2) for gap in gaps]
        near = ["near" if gap < 1 else "far" for gap in gaps]
        gold = {"labels": near} if kind == "pair_classification" else {"scores": scores}
        task_parts[name] = Part(first, second, origins=first, **gold)
    return Task(kind, kind, task_parts, positive="near" if kind == "pair_classification" else None)


@pytest.mark.parametrize("split", [True, False])
def test_what_can_be_learnt_is_learnt_and_noise_is_not(split):
    task = classes(split)
    result = measure(task, SentenceVectors("mine", encode), FEW_FOLDS)
    assert result["value"] > 0.9 and result["low"] <= result["value"] <= result["high"] <= 1
    assert result["items"] == (40 if split else 120) and result["dimensions"] == 2
    assert len(result["replicates"]) == 200
    chance = measure(task, SentenceVectors("noise", noise), FEW_FOLDS)
    assert chance["value"] < 0.75 and np.std(chance["replicates"]) > 0
    drawn = table(
        {
            "noise": {"untrained": True, "dimensions": 4, "tasks": {task.name: chance}},
            "mine": {"untrained": False, "dimensions": 2, "tasks": {task.name: result, "other": result}},
        }
    )
    assert [column["task"] for column in drawn["columns"]] == [task.name, "other"]
    assert drawn["rows"][1]["cells"][0]["above_untrained"] is True
    assert drawn["rows"][1]["cells"][1]["above_untrained"] is None  # no untrained encoder was judged there
    assert drawn["rows"][0]["cells"][1] is None
    assert drawn["rows"][0]["cells"][0]["above_untrained"] is None
    lines = as_text(drawn).splitlines()
    assert lines[0].split() == ["task", "measure", "items", "noise", "mine"]
    assert lines[1].endswith("*") and lines[2].split()[3] == "-"


def test_pairs_without_dev_take_folds_of_train_and_say_f1():
    task = pairs("pair_classification", {"train": (0, 80), "test": (80, 120)})
    result = measure(task, SentenceVectors("mine", encode), FEW_FOLDS)
    assert result["value"] > 0.8 and 0 < result["f1"] <= 1 and result["measure"] == "accuracy"


@pytest.mark.parametrize(
    "parts", [{"train": (0, 60), "dev": (60, 80), "test": (80, 120)}, {"train": (0, 80), "test": (80, 120)}]
)
def test_relatedness_with_and_without_dev(parts):
    result = measure(pairs("relatedness", parts), SentenceVectors("mine", encode), FEW_FOLDS)
    assert result["value"] > 0.8 and result["measure"] == "Pearson"


def test_similarity_is_the_mean_over_files_of_cosines_or_angles():
    task = pairs("similarity", {"one": (0, 40), "two": (40, 60)})
    result = measure(task, SentenceVectors("mine", encode))
    files = result["files"]
    assert result["value"] == pytest.approx((files["one"]["pearson"] + files["two"]["pearson"]) / 2)
    weighted = (2 * files["one"]["pearson"] + files["two"]["pearson"]) / 3
    assert result["pearson_by_pairs"] == pytest.approx(weighted)
    assert result["spearman"] == pytest.approx(1)  # the cosine falls with the angle as the score does
    assert result["value"] != pytest.approx(result["pearson_of_angles"], abs=1e-3)


def test_every_number_of_a_task_has_resamples_around_it():
    test = {"train": (0, 80), "test": (80, 120)}
    for task in (
        pairs("pair_classification", test),
        pairs("relatedness", test),
        pairs("similarity", {"one": (0, 60), "two": (60, 120)}),
    ):
        result = measure(task, SentenceVectors("noise", noise), FEW_FOLDS)
        numbers = [name for name in NUMBERS if name in result]
        assert set(result["further_replicates"]) == set(numbers) and numbers
        for name, resamples in result["further_replicates"].items():
            low, high = np.quantile(resamples, [0.025, 0.975])
            assert len(resamples) == 200 and low < result[name] < high and high - low > 0.05, (task.name, name)


def test_resamples_of_all_pairs_of_documents_draw_documents():
    """Each of 30 documents has one error that all of its pairs share: pairs drawn alone hide that."""
    first, second = np.triu_indices(30, 1)
    angles = np.random.default_rng(1).uniform(0, np.pi, 30)
    told = angles + np.random.default_rng(2).normal(scale=0.5, size=30)
    scores = np.cos(angles[first] - angles[second]).tolist()
    names = [f"d{number}" for number in range(30)]
    part = Part(
        [names[row] for row in first], [names[row] for row in second], scores=scores, origins=["x"] * len(first)
    )
    points = dict(zip(names, np.stack([np.cos(told), np.sin(told)], axis=1), strict=True))
    vectors = SentenceVectors("mine", lambda sentences: [points[sentence] for sentence in sentences])
    result = measure(Task("documents", "similarity", {"all": part}), vectors)
    near = np.array([points[names[a]] @ points[names[b]] for a, b in zip(first, second, strict=True)])
    alone = np.quantile(pearson_of_draws(near, scores, draws(len(first))), [0.025, 0.975])
    assert result["high"] - result["low"] > 2 * (alone[1] - alone[0])


def test_a_sentence_without_a_known_word_counts_but_not_all_of_them():
    task = pairs("similarity", {"one": (0, 20)})
    some = measure(
        task, SentenceVectors("mine", lambda names: [[0, 0] if n == "s0" else encode([n])[0] for n in names])
    )
    assert some["zero_vectors"] == 1 and some["dimensions"] == 2
    flat = measure(task, SentenceVectors("flat", lambda sentences: np.ones((len(sentences), 3))))
    assert flat["value"] == flat["spearman"] == 0 and flat["zero_vectors"] == 0
    assert flat["low"] == pytest.approx(0, abs=1e-6)
    for broken in (task, classes()):
        with pytest.raises(InputError, match="s0: zero gives 's0' a zero vector, as it does every sentence"):
            measure(broken, SentenceVectors("zero", lambda sentences: np.zeros((len(sentences), 3))), FEW_FOLDS)


def test_an_encoder_that_looks_at_all_sentences_sees_a_file_at_a_time():
    class Centred:
        transductive = True
        sizes = ()

        def __call__(self, sentences):
            self.sizes = (*self.sizes, len(sentences))
            return np.array(encode(sentences)) - np.mean(encode(sentences), axis=0)

    encoder = Centred()
    measure(pairs("similarity", {"one": (0, 40), "two": (40, 60)}), SentenceVectors("mine", encoder))
    assert encoder.sizes == (40, 20)


def test_mistakes_name_the_task_and_the_place():
    broken = SentenceVectors("mine", lambda sentences: [[np.inf] for _ in sentences])
    with pytest.raises(InputError, match="split: s0: mine gives the sentence 's0' a vector that is not finite"):
        measure(classes(), broken, FEW_FOLDS)
    few = Task("few", "classification", {"all": Part(NAMES[:4], labels=["a", "b", "a", "b"], origins=NAMES[:4])})
    with pytest.raises(InputError, match="few: expected at least 5 sentences for 5 folds, found 4"):
        measure(few, SentenceVectors("mine", encode), Protocol(folds=5))
