"""The stages of HRRLM, run for real on a synthetic corpus."""

import copy
import importlib
import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stages
from repline import parameters
from repline.cards import write_card
from repline.corpora.language_modeling import corpus as language_modeling
from repline.errors import InputError
from repline.evaluation.replication import replicate_files
from repline.files import new_folder
from repline.systems.hrrlm import settings
from repline.systems.hrrlm.evaluation import penn_treebank
from repline.systems.hrrlm.training import load_model
from repline.vectors import store
from tests.stages import parameter_files

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "hrrlm"
VARIANTS = ("isometric", "no_annealing", "tied", "isometric_converged", "tied_converged")
ORDER = (*(f"train {variant}" for variant in VARIANTS), "train_chunks", "vectors", "evaluate")
VERBS = [f"do{letter}" for letter in "abcdefgh"]
NOUNS = [f"thing{letter}" for letter in "abcdefgh"]
FORMS = {"plural-verbs": "s", "past-tense": "ed", "present-participle": "ing"}
SMALL = {
    "vocabulary": 40,
    "seeds": [0, 1],
    "words": {
        "dimensions": 12,
        "width": 5,
        "batch": 8,
        "steps": 10,
        "epochs": 2,
        "variants": parameters.Replacement(
            {
                "isometric": {"bases": "isometric"},
                "no_annealing": {"annealing_epochs": 0},
                "tied": {"model": "tied"},
                "isometric_converged": {"epochs": 3, "patience": 1, "seeds": 1},
                "tied_converged": {"model": "tied", "epochs": 3, "patience": 1, "seeds": 1},
            }
        ),
    },
    "chunks": {"train_sentences": 40, "batch": 10},
    "evaluation": {"tsne_words": 25, "occurrences": 20},
}


def run(folder, stage):
    name, *arguments = stage.split()
    module = importlib.import_module(f"stages.hrrlm.{name}")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", [name, *arguments])
        module.main()


def sentences(random):
    """The thing dos the thing."""
    for _ in range(random.integers(4, 9)):
        subject, object_noun = random.choice(NOUNS, 2)
        verb = random.choice(VERBS) + random.choice(["", *FORMS.values()])
        yield {
            "tokens": ["the", subject, verb, "the", object_noun],
            "tag": ["DT", "NN", "VBD", "DT", "NN"],
            "head": [1, 2, -1, 4, 2],
            "dep": ["det", "nsubj", "ROOT", "det", "dobj"],
            "chunk": ["B-NP", "I-NP", "B-VP", "B-NP", "I-NP"],
        }


def make(root, values, columns=("tag", "head", "dep", "chunk")):
    random = np.random.default_rng(0)
    rows = [
        {"doc_id": str(document), "sentence_id": number, **sentence}
        for document in range(40)
        for number, sentence in enumerate(sentences(random))
    ]
    with new_folder(root / "data/corpora/made") as folder:
        table = pa.Table.from_pylist(rows)
        table = table.select(["doc_id", "sentence_id", "tokens", *columns])
        pq.write_table(
            table.set_column(1, "sentence_id", table["sentence_id"].cast(pa.int32())), folder / "part-0.parquet"
        )
        write_card(
            folder, name="made", description="made", licence="CC0", sources=[], parameters={}, counts={}, tools=()
        )
    language_modeling.build(root / "data/corpora/made", root / "data/corpora/language_modeling")
    tests = root / "data/raw/word_benchmarks"
    tests.mkdir(parents=True)
    lines = ["word1 word2 score"] + [f"{a}\t{b}\t{len(a) - len(b)}" for a, b in zip(NOUNS, VERBS, strict=True)]
    for name in ("simlex999.txt", "wordsim353.tsv"):
        (tests / name).write_text("\n".join(lines[1:]))
    questions = [": family", f"{NOUNS[0]} {NOUNS[1]} {NOUNS[2]} {NOUNS[3]}"]
    for category, ending in FORMS.items():
        questions.append(f": gram5-{category}")
        questions += [f"{a} {a}{ending} {b} {b}{ending}" for a, b in pairwise(VERBS)]
    (tests / "questions-words.txt").write_text("\n".join(questions))
    write_parameters(root, values)


def write_parameters(root, values):
    parameter_files.write(root, values)
    (root / "stages/hrrlm").mkdir(parents=True, exist_ok=True)
    (root / "stages/hrrlm/claims.yaml").write_text((FOLDER / "claims.yaml").read_text())


def small(**changes):
    values = parameter_files.shared()
    values["hrrlm"] = parameters.merge(values["hrrlm"], SMALL)
    values["hrrlm"] = parameters.merge(values["hrrlm"], changes)
    return {"profile": "tiny", "hrrlm": values["hrrlm"]}


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    root = tmp_path_factory.mktemp("hrrlm")
    make(root, small())
    for stage in ORDER:
        run(root, stage)
    return root


def test_models_vectors_and_evaluation_are_there(evaluated):
    models = evaluated / "data/models/hrrlm"
    assert {path.name for path in models.iterdir()} == {*VARIANTS, "chunks"}
    assert [path.name for path in (models / "tied_converged").iterdir()] == ["seed-0"]  # its `seeds` is 1
    for run_of in (models / "isometric", models / "chunks"):
        assert {path.name for path in run_of.iterdir()} == {"seed-0", "seed-1"}
        assert {path.name for path in (run_of / "seed-1").iterdir()} >= {"config.json", "model.safetensors"}
    assert not list((evaluated / "data/scratch").glob("hrrlm*"))  # checkpoints go when the models are saved
    spaces = {path.name: store.load(path) for path in (evaluated / "data/vectors").iterdir()}
    assert set(spaces) == {"hrrlm", "hrrlm-filler-1", "hrrlm-filler-2", "hrrlm-baseline"}
    assert all(vectors.vectors.shape == (38, 12) for vectors in spaces.values())
    assert "<unk>" not in spaces["hrrlm"].key_to_index and "the" in spaces["hrrlm"].key_to_index


def test_metrics_judge_every_variant(evaluated):
    metrics = json.loads((evaluated / "data/evaluation/hrrlm/metrics.json").read_text())
    assert set(metrics["words"]) == set(VARIANTS)
    isometric, tied = metrics["words"]["isometric"], metrics["words"]["tied"]
    assert isometric["embedding_parameters"] == 40 * 10 + 2 * 12 * 5 + 2 * 12 + 40
    assert set(isometric["decomposition"]) == {"composite", "filler_1", "filler_2"}
    assert set(tied["decomposition"]) == {"composite"}
    first, second = (isometric["decomposition"][f"filler_{filler}"] for filler in (1, 2))
    assert isometric["margins"]["syntactic"] == pytest.approx(first["syntactic"] - second["syntactic"])
    assert isometric["margins"]["semantic"] == pytest.approx(second["semantic"] - first["semantic"])
    assert len(isometric["validation_perplexity_by_epoch"]) == 2
    assert isometric["validation_perplexity"] == pytest.approx(
        isometric["validation_perplexity_by_epoch"][-1], rel=0.02
    )
    assert 1 < isometric["test_perplexity"] < 40
    assert set(isometric["intrinsic"]) == {"simlex_999", "wordsim_353", "google"}
    scored = [score for score in isometric["intrinsic"].values() if score is not None]
    assert (isometric["intrinsic_mean"], isometric["intrinsic_tests_at_hand"]) == (None, len(scored))  # of 18
    assert 0 < len(scored) <= 3 and isometric["intrinsic_mean_at_hand"] == pytest.approx(np.mean(scored))
    assert set(metrics["chunks"]["roles"]) == {"AGENT", "PATIENT", "PREDICATE"}
    assert {"hit_rate_at_1", "hit_rate_at_25", "purity"} <= set(metrics["chunks"]["filler_2"])
    assert "penn_treebank" not in metrics


def test_replicates_are_of_drawn_seeds_and_of_resampled_rows_and_pairs(evaluated):
    folder = evaluated / "data/evaluation/hrrlm"
    metrics, parts = (
        json.loads((folder / "metrics.json").read_text()),
        replicate_files.read(folder / "replicates.parquet"),
    )
    seeds = [part for part in parts if (part["words"]["isometric"].get("analogies") or {}).get("overall") is not None]
    assert (len(parts), len(seeds)) == (200, 200)
    for variant, measured in metrics["words"].items():
        for split in ("validation_perplexity", "test_perplexity"):
            drawn = np.array([part["words"][variant][split] for part in parts])
            assert drawn.min() < measured[split] < drawn.max()
            assert drawn.mean() == pytest.approx(measured[split], rel=0.1)
    drawn = [part["words"]["isometric"]["margins"]["syntactic"] for part in parts]
    assert min(drawn) < metrics["words"]["isometric"]["margins"]["syntactic"] < max(drawn)
    assert len({part["chunks"]["test_perplexity_before"] for part in parts}) > 100


def test_only_a_claim_on_patient_trainings_waits_for_them_to_converge(evaluated, tmp_path):
    folder = shutil.copytree(evaluated, tmp_path / "copy")
    write_parameters(folder, small() | {"profile": "small"})
    run(folder, "evaluate")
    claims = json.loads((folder / "data/evaluation/hrrlm/claims.json").read_text())
    verdicts = {claim["id"]: (claim["verdict"], claim.get("reason", "")) for claim in claims}
    after_two_epochs, converged = verdicts["perplexity-isometric"], verdicts["perplexity-isometric-converged"]
    assert after_two_epochs[0] in ("holds", "fails", "undecided") and "not converged" not in after_two_epochs[1]
    assert converged[0] == "undecided" and "not converged: words.isometric_converged.test_perplexity" in converged[1]


def test_figures_and_plots_show_the_decomposition(evaluated):
    shown = json.loads((evaluated / "data/evaluation/hrrlm/figures.json").read_text())
    assert [record["id"] for record in shown] == [
        "decomposition",
        "perplexity",
        "tsne",
        "roc",
        "chunk-roles",
        "clusters",
    ]
    points = [trace for trace in shown[2]["figure"]["data"] if trace["xaxis"] == "x"]
    assert sum(len(trace["text"]) for trace in points) == 25
    assert {trace["name"] for trace in points} >= {"noun, singular", "verb, past"}
    rows = json.loads((evaluated / "data/evaluation/hrrlm/plots/decomposition.json").read_text())
    assert {row["space"] for row in rows} == {"composite", "filler 1", "filler 2"}


def test_seeds_may_end_after_different_epochs(evaluated, tmp_path):
    folder = shutil.copytree(evaluated, tmp_path / "copy")
    record = folder / "data/models/hrrlm/isometric/seed-1/training.json"
    training = json.loads(record.read_text())
    record.write_text(json.dumps(training | {"history": training["history"][:1]}))
    run(folder, "evaluate")
    words = json.loads((folder / "data/evaluation/hrrlm/metrics.json").read_text())["words"]
    epochs = {name: len(numbers["validation_perplexity_by_epoch"]) for name, numbers in words.items()}
    assert epochs == {"isometric": 1, "no_annealing": 2, "tied": 2, "isometric_converged": 3, "tied_converged": 3}


def test_a_second_run_writes_the_same_bytes(evaluated, tmp_path):
    make(tmp_path, small(seeds=[0]))
    for stage in ("train isometric", "train_chunks"):
        run(tmp_path, stage)
    for variant in ("isometric", "chunks"):
        for name in ("model.safetensors", "training.json"):
            path = Path("data/models/hrrlm") / variant / "seed-0" / name
            assert (tmp_path / path).read_bytes() == (evaluated / path).read_bytes()


@pytest.mark.parametrize(
    ("change", "stage", "message"),
    [
        ({"vocabulary": 90}, "train isometric", "words, and 90 were asked for"),
        ({"words": {"width": 7}}, "train isometric", "2 subspaces of 7 dimensions cannot be orthogonal in 12"),
        ({}, "train isometri", "expected a variant of hrrlm.words, one of: isometric, "),
        ({"corpus": "corpora/absent"}, "train tied", "data/corpora/absent/card.json: no card"),
        ({"vocabulary": 39}, "evaluate", "the model's 40 words are not the 39 of data/corpora"),
        ({"vectors": "tied"}, "train_chunks", "expected an HRRLM to start from, found a tied LSTM"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(evaluated, change, stage, message):
    write_parameters(evaluated, small(**change))
    before = sorted(evaluated.rglob("*"))
    with pytest.raises(InputError) as error:
        run(evaluated, stage)
    write_parameters(evaluated, small())
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert sorted(evaluated.rglob("*")) == before


def test_a_corpus_without_chunks_and_a_broken_model(evaluated, tmp_path):
    make(tmp_path, small(seeds=[0]), columns=("tag",))
    (tmp_path / "data/models").mkdir(parents=True)
    (tmp_path / "data/models/hrrlm").symlink_to(evaluated / "data/models/hrrlm")
    with pytest.raises(InputError, match="expected the column chunk"):
        run(tmp_path, "train_chunks")
    broken = tmp_path / "data/broken"
    broken.mkdir()
    for name in ("config.json", "training.json"):
        text = (evaluated / "data/models/hrrlm/isometric/seed-0" / name).read_text()
        (broken / name).write_text(text.replace('"dimensions": 12', '"dimensions": 14'))
    with pytest.raises(InputError, match="holds no model; train it again"):
        load_model(broken, None)
    weights = (evaluated / "data/models/hrrlm/isometric/seed-0/model.safetensors").read_bytes()
    (broken / "model.safetensors").write_bytes(weights)
    with pytest.raises(InputError, match="this is no HRRLM of the present code and parameters"):
        load_model(broken, None)


def test_perplexities_stand_beside_the_papers_where_the_text_is_the_papers():
    contiguous = {"tied_contiguous": {"model": "tied", "batching": "contiguous"}}
    checked_settings = settings.load(small(words={"batching": "sentences", "variants": contiguous}))
    names = {"isometric": 90.0, "tied_converged": 92.0, "tied": 120.0, "tied_contiguous": 80.0}
    metrics = {"words": {name: {"test_perplexity": value} for name, value in names.items()}}
    metrics["chunks"] = {"test_perplexity": 91.0, "test_perplexity_before": 90.5}
    assert penn_treebank(checked_settings, [{"corpus": {"name": "penn_treebank"}}], metrics)["penn_treebank"] == {
        "contiguous": {"tied": 80.0},
        "sentences": {"isometric": 90.0, "tied": 92.0, "chunks": 91.0, "before_chunks": 90.5},
    }
    assert penn_treebank(checked_settings, [], metrics) == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"baseline": "teid"}, "baseline is 'teid', which is no variant of words; did you mean 'tied'?"),
        ({"seeds": []}, "hrrlm.seeds should have at least 1 item"),
        ({"words": {"widht": 3}}, "unknown parameter 'hrrlm.words.widht'; did you mean 'width'?"),
        ({"words": {"variants": {"tied": {"modle": 3}, "isometric": {}}}}, "'hrrlm.words.variants.tied.modle'; did"),
        ({"chunks": {"roles": 3}}, "unknown parameter 'hrrlm.chunks.roles'; did you mean 'chunk_roles'?"),
        ({"evaluation": {"tsne": 3}}, "unknown parameter 'hrrlm.evaluation.tsne'; did you mean 'tsne_words'?"),
        (
            {"evaluation": {"tsne_words": 0}},
            "evaluation.tsne_words should be greater than or equal to 1, found 0",
        ),
        ({"words": {"decay": 1.5}}, "hrrlm.words.decay should be less than 1, found 1.5"),
        ({"chunks": {"epochs": 0}}, "hrrlm.chunks.epochs should be greater than or equal to 1, found 0"),
        ({"extrinsic": {"parsing": {}}}, "hrrlm.extrinsic.parsing"),
        ({"wrods": 3}, "unknown parameter 'hrrlm.wrods'"),
    ],
)
def test_the_section_is_checked(change, message):
    values = copy.deepcopy(small())
    for key, value in change.items():
        section = values["hrrlm"].get(key)
        values["hrrlm"][key] = section | value if isinstance(section, dict) else value
    with pytest.raises(InputError) as error:
        settings.load(values)
    assert message in str(error.value)
