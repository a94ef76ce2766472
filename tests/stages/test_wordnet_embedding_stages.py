"""The stages of the lexicons and of the WordNet embeddings, on a wordnet made here; and what their records say."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import stages
from repline import parameters
from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.claims import judgement, published
from repline.systems.wordnet_embeddings import settings
from repline.systems.wordnet_embeddings.corpus import kept_words
from repline.vectors import store
from stages.lexicons import settings as lexicon_settings
from tests.stages import parameter_files
from tests.stages.in_one_process import run_apart, run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
PARAMETERS = parameter_files.shared()
WORDS = [f"w{number}" for number in range(40)]
MODELS = "models/wordnet_embeddings"
VARIANTS = {
    "random": {"selection": "random"},
    "frequent": {"selection": "frequency", "words": 25},
    "d4": {"dimensions": 4},
    "no_pmi": {"pmi": False},
    "no_reduction": {"dimensions": None},
    "coded": {"reduction": "autoencoder", "dimensions": 5},
    "literal": {"steps": "adjacency_inverted"},
    "nouns": {"pos": ["n"], "relations": ["kernel"], "weights": {"hypernyms": 0.5}},
}


def made_wordnet():
    """A tree of hypernyms: word i below word i // 3, every synset with a second word of its own."""
    lines = []
    for number, word in enumerate(WORDS):
        pointers = [f"@ {number // 3:08d} n 0000"] if number else []
        pointers += [f"~ {below:08d} n 0000" for below in range(1, len(WORDS)) if below // 3 == number]
        lines.append(f"{number:08d} 03 n 02 {word} 0 x{number % 20} 0 {len(pointers):03d} {' '.join(pointers)} | gloss")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """With everything that the stages of the system read, and the system's own settings made small."""
    folder = tmp_path_factory.mktemp("project")
    raw = {
        "made": {"data.noun": made_wordnet()},
        "word_benchmarks": {
            "simlex999.txt": "".join(f"{a}\t{b}\t{abs(i - 5)}\n" for i, (a, b) in enumerate(_pairs(1))),
            "wordsim353.tsv": "".join(f"{a}\t{b}\t{i % 4}\n" for i, (a, b) in enumerate(_pairs(2))),
        },
        "frequent": {"words.txt": "w7\nw3\ntwo words\nw\u200b9\nw2\n"},
    }
    for name, files in raw.items():
        (folder / "data/raw" / name).mkdir(parents=True)
        for file, text in files.items():
            (folder / "data/raw" / name / file).write_text(text)
        card = {"name": name, "licence": "CC0", "files": [{"name": file} for file in files]}
        (folder / "data/raw" / name / "card.json").write_text(json.dumps(card))
    store.save(folder / "data/vectors/text", WORDS, _random_vectors())
    values = {"profile": "tiny", "lexicons": PARAMETERS["lexicons"], "wordnet_embeddings": {}}
    values["lexicons"] = values["lexicons"] | {"wordnet": "raw/made", "frequency": "raw/frequent"}
    values["lexicons"]["graphs"] = {
        "wordnet-graph": {},
        "frequent": {"selection": "frequency", "words": 3, "on_error": "salvage"},
        "below": {"root": "w1:n"},
    }
    values["wordnet_embeddings"] = PARAMETERS["wordnet_embeddings"] | {
        "baselines": {"text": "text"},
        "frequency": "raw/frequent",
        "on_error": "salvage",
        "default": PARAMETERS["wordnet_embeddings"]["default"] | {"words": 45, "dimensions": 10},
        "variants": VARIANTS,
    }
    parameter_files.write(folder, values)
    (folder / "stages/wordnet_embeddings").mkdir(parents=True)
    for file in ("claims.yaml", "published.yaml"):
        text = (ROOT / "stages/wordnet_embeddings" / file).read_text()
        (folder / "stages/wordnet_embeddings" / file).write_text(text)
    return folder


def _pairs(step):
    return [(WORDS[i], WORDS[i + step]) for i in range(0, 20, 2)] + [("w1", "unknown")]


def _random_vectors():
    import numpy as np

    return np.random.default_rng(0).standard_normal((len(WORDS), 4))


@pytest.fixture(scope="module")
def built(workspace):
    lexicons = ("wordnet", "graph wordnet-graph", "graph frequent", "graph below", "constraints wordnet")
    variants = [f"train_variant {name}" for name in VARIANTS]
    embeddings = ("prepare", "train", *variants, "prepare_baseline text", "evaluate")
    steps = [f"lexicons.{step}" for step in lexicons] + [f"wordnet_embeddings.{step}" for step in embeddings]
    assert run_steps(workspace, *steps).stderr == ""
    return workspace / "data"


def test_graphs_and_constraints_hold_what_was_asked_for(built):
    words = {
        name: set(pq.read_table(built / f"lexicons/{name}/entries.parquet")["word"].to_pylist())
        for name in ("wordnet-graph", "frequent", "below")
    }
    assert len(words["wordnet-graph"]) == 60
    assert words["frequent"] == {"w7", "w3", "w9"}
    for card in (read_card(built / "lexicons/frequent"), read_card(built / MODELS / "frequent")):
        left_out = {name.removeprefix("graph_"): count for name, count in card["counts"].items()}
        assert (left_out["wrong_records"], left_out["invisible_characters"]) == (1, 1)
        assert "left out: words.txt, line 3: expected one word, found 'two words'" in card["notes"]
    assert read_card(built / "lexicons/below")["notes"] == []
    assert {"w1", "w3", "w5", "w9"} <= words["below"]
    assert "w6" not in words["below"]
    pairs = pq.read_table(built / "lexicons/constraints/wordnet/synonyms.parquet").to_pylist()
    assert len(pairs) == 40
    assert {"left": "w7", "right": "x7", "source": "wordnet"} in pairs


def test_vectors_are_of_the_kept_words_and_the_densest(built):
    vectors = store.load(built / "vectors/wordnet-embeddings")
    assert vectors.vectors.shape == (45, 10)
    assert {word for pair in _pairs(1)[:-1] for word in pair} <= set(vectors.index_to_key)
    card = read_card(built / "vectors/wordnet-embeddings")
    assert card["counts"]["affinities"] > 45
    assert card["parameters"]["alpha"] == 0.75


def test_variants_hold_the_words_of_the_tests(built):
    shapes = {path.name: store.load(path).vectors.shape for path in (built / "models/wordnet_embeddings").iterdir()}
    test_words = {word for step in (1, 2) for pair in _pairs(step)[:-1] for word in pair}
    assert {name: columns for name, (_, columns) in shapes.items()} == {
        "text": 4,
        "d4": 4,
        "random": 10,
        "frequent": 10,
        "no_pmi": 10,
        "no_reduction": 45,
        "coded": 5,
        "literal": 10,
        "nouns": 10,
    }
    assert {rows for name, (rows, _) in shapes.items() if name != "coded"} == {len(test_words)}
    default, fewer = (store.load(built / path) for path in ("vectors/wordnet-embeddings", f"{MODELS}/d4"))
    assert (fewer["w4"] == default["w4"][:4]).all()  # the first components, found once


def test_metrics_count_pairs_and_compare_on_those_that_both_know(built):
    metrics = json.loads((built / "evaluation/wordnet_embeddings/metrics.json").read_text())
    assert {
        (of_variant["simlex_999"]["pairs"], of_variant["simlex_999"]["kept"]) for of_variant in metrics.values()
    } == {(11, 10)}
    default = metrics["default"]["simlex_999"]
    assert default["shared"]["spearman"] == default["shared"]["spearman_of_default"] == default["spearman"]
    shared = metrics["text"]["simlex_999"]["shared"]
    assert shared["spearman_of_default"] == default["spearman"] != shared["spearman"]
    assert metrics["frequent"]["graph"]["words"] == 21  # the kept ones; the list has no other
    assert metrics["default"]["graph"]["ambiguity"] == pytest.approx(
        read_card(built / "vectors/wordnet-embeddings")["counts"]["senses"] / 45
    )
    assert {claim["verdict"] for claim in json.loads((built / "evaluation/wordnet_embeddings/claims.json").read_text())}


def test_the_same_run_gives_the_same_bytes(built, workspace):
    paths = [built / "vectors/wordnet-embeddings/vectors.npy", built / "lexicons/wordnet-graph/edges.parquet"]
    paths += [
        built / "models/wordnet_embeddings/coded/vectors.npy",
        built / "evaluation/wordnet_embeddings/metrics.json",
    ]
    before = [path.read_bytes() for path in paths]
    steps = ("prepare", "train", "train_variant coded", "evaluate")
    run_apart(workspace, "lexicons.graph wordnet-graph", *(f"wordnet_embeddings.{step}" for step in steps), fresh=True)
    assert [path.read_bytes() for path in paths] == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"defalt": {}}, "unknown parameter 'wordnet_embeddings.defalt'; did you mean 'default'?"),
        ({"default": {"alhpa": 0.5}}, "unknown parameter 'wordnet_embeddings.default.alhpa'; did you mean 'alpha'?"),
        ({"default": {"alpha": "high"}}, "wordnet_embeddings.default.alpha should be a valid number, found 'high'"),
        ({"variants": [{"pmi": False}]}, "wordnet_embeddings.variants should be a valid dictionary"),
        ({"variants": {"default": {}}}, "default is reserved for the settings that all variants change"),
        ({"variants": {"a b": {}}}, "wordnet_embeddings.variants.a b: a name should be a word like"),
        ({"baselines": {"d300": "x"}}, "'d300' is the name of a variant and of a baseline"),
        (
            {"variants": {"a": {"pmii": 1}}},
            "unknown parameter 'wordnet_embeddings.variants.a.pmii'; did you mean",
        ),
        ({"benchmarks": []}, "wordnet_embeddings.benchmarks should have at least 1 item, found []"),
        (
            {"variants": {"a": {"reduction": "autoencoder", "unit_length": False}}},
            "wordnet_embeddings.variants.a: an autoencoder needs",
        ),
    ],
)
def test_mistakes_in_the_parameters_are_named(change, message):
    with pytest.raises(InputError) as caught:
        settings.load({"wordnet_embeddings": PARAMETERS["wordnet_embeddings"] | change})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"benchmarks": ["word_benchmark"]}, "no test of word vectors comes from this source"),
        ({"keep": ["SimLex"]}, "wordnet_embeddings.keep has no test 'SimLex'; did you mean 'SimLex-999'?"),
    ],
)
def test_a_test_that_no_source_has_is_named(change, message):
    with pytest.raises(InputError) as caught:
        kept_words(settings.load({"wordnet_embeddings": PARAMETERS["wordnet_embeddings"] | change}))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"graphs": {"a": {"rot": "b"}}}, "unknown parameter 'lexicons.graphs.a.rot'; did you mean 'root'?"),
        (
            {"graphs": {"wordnet": {}}},
            "lexicons.graphs.wordnet: data/lexicons/wordnet is no graph; choose another",
        ),
        ({"graphs": {"../a": {}}}, "a name should be of letters, digits, - and _, found '../a'"),
        ({"graphs": {"a": {"words": "many"}}}, "lexicons.graphs.a.words should be a valid integer, found 'many'"),
        ({"graphs": [{"name": "a"}]}, "lexicons.graphs should be a valid dictionary"),
        ({"constraints": {"a": {}}}, "lexicons.constraints.a.place is missing"),
        ({"constraints": {"a/b": {"place": "x"}}}, "a name should be of letters, digits, - and _, found 'a/b'"),
    ],
)
def test_mistakes_in_the_lexicons_are_named(change, message):
    with pytest.raises(InputError) as caught:
        lexicon_settings.load({"lexicons": PARAMETERS["lexicons"] | change})
    assert message in str(caught.value)


def test_a_mistake_in_a_stage_is_one_sentence_and_changes_nothing(built, workspace):
    before = sorted(path for path in built.rglob("*"))
    failed = run_here(workspace, "stages.lexicons.graph", "unicorns")
    assert failed.returncode == 1
    assert failed.stderr.count("\n") == 1
    assert "expected the name of a graph of lexicons.graphs, one of: wordnet-graph, frequent, below" in failed.stderr
    assert sorted(path for path in built.rglob("*")) == before


@pytest.mark.parametrize("profile", ["tiny", "real", "paper"])
def test_every_profile_has_sound_parameters(profile):
    override = parameters.read(ROOT / f"profiles/{profile}.yaml")
    values = parameters.merge(PARAMETERS, override)
    variants = settings.load(values).recipes
    lexicon_settings.load(values)
    named = {name for name, _ in _names(judgement.read(ROOT / "stages/wordnet_embeddings/claims.yaml"), profile)}
    absent = {"spacy_md", "word2vec_google_news", "glove_6b_50d"}  # not variants; the first two on no registry
    assert profile == "tiny" or named - absent <= set(variants)


def test_small_claims_name_variants_of_the_small_profile():
    variants = settings.load(PARAMETERS).recipes
    named = {name for name, _ in _names(judgement.read(ROOT / "stages/wordnet_embeddings/claims.yaml"), "small")}
    assert named - {"glove_6b_50d"} <= set(variants)


def _names(stated, profile):
    """The first parts of the dotted names in the claims of one scale."""
    import re

    for claim in stated:
        if claim.scale == profile:
            for name, rest in re.findall(r"\b([a-z_]\w*)\.(\w+)", f"{claim.measured} {claim.expected}"):
                if not name.endswith(("_999", "_353", "shared", "graph", "men", "_771", "_65", "_rel", "_sim")):
                    yield name, rest


TABLES = {
    table["id"]: table["rows"]
    for table in published.read(ROOT / "stages/wordnet_embeddings/published.yaml").model_dump(exclude_none=True)[
        "tables"
    ]
}


def test_the_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "simlex": 2,
        "random-subgraphs": 4,
        "specific-subgraphs": 2,
        "tests-spearman": 18,
        "tests-pearson": 18,
        "overlap": 6,
        "pairs": 6,
        "parts-of-speech": 2,
        "unit-length": 1,
        "ambiguity": 4,
    }


def test_the_papers_own_numbers_uphold_its_claims():
    """Table 4, with its 60,000 words as the default and word2vec as the baseline, decides what it can decide."""
    metrics = {"default": {}, "glove_6b_50d": {}} | {f"random_{size}k": {} for size in (25, 30, 45, 60)}
    rows = {(row["item"], row["column"]): row["value"] for row in TABLES["tests-spearman"]}
    keys = {"RG1965": "rg_65", "Wordsim353-S": "wordsim_353_sim", "Wordsim353-R": "wordsim_353_rel"}
    keys |= {"SimLex-999": "simlex_999", "MEN": "men", "MTURK-771": "mturk_771"}
    for (item, column), value in rows.items():
        if column == "n2v 60k r":
            metrics["default"][keys[item]] = {"spearman": value, "coverage": 0.998}
            metrics["glove_6b_50d"].setdefault(keys[item], {"shared": {}})["shared"]["spearman_of_default"] = value
        elif column == "word2vec":
            metrics["glove_6b_50d"].setdefault(keys[item], {"shared": {}})["shared"]["spearman"] = value
    for row in TABLES["random-subgraphs"]:
        metrics[f"random_{row['item']}"]["simlex_999"] = {"spearman": row["value"]}
    metrics["word2vec_google_news"] = {"simlex_999": {"shared": {"spearman": 0.44, "spearman_of_default": 0.5}}}
    stated = judgement.read(ROOT / "stages/wordnet_embeddings/claims.yaml")
    verdicts = {claim.id: claim.verdict for claim in judgement.check(stated, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in verdicts.items() if verdict == "holds"} == {
        "simlex-default",
        "simlex-coverage",
        "simlex-above-word2vec",
        "wordsim-rel-text-ahead",
        "wordsim-sim-text-ahead",
        "rg-text-ahead",
        "men-text-ahead",
        "mturk-text-ahead",
        "larger-is-better",
    }
    # word2vec of 100 billion words is 0.06 behind, not the 0.15 that the smaller GloVe is
    assert {name for name, verdict in verdicts.items() if verdict == "fails"} == {"simlex-above-text"}
