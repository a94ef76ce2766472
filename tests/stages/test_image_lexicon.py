"""image_lexicon: the paper's records are whole, and the steps run on a person's own pictures by parameters alone."""

import json
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest
import wordfreq
from PIL import Image

from repline.evaluation.claims import judgement, published
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.synsets import Synset, WordNet
from repline.parameters import read as read_parameters
from tests.commands import ROOT
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

FOLDER = ROOT / "stages" / "image_lexicon"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = {claim.id: claim for claim in judgement.read(FOLDER / "claims.yaml")}
WORDS = {"dog": "Hund", "cat": "Katze", "run": "rennen", "red": "rot"}
POS = {"dog": "N", "cat": "N", "run": "V", "red": "A"}
COLOURS = {"dog": (200, 30, 30), "cat": (30, 200, 30), "run": (30, 30, 200), "red": (220, 210, 20)}
PICTURES = {"made": {}, "weights": {}, "hand": {"mine": {"source": "own/pictures", "form": "folders"}}, "network": {}}
RUNS = {"mine": {"features": "corpora/mine", "lists": "own/pictures"}}


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        **{"words": 12, "translation": 56, "nouns": 2},
        **{"dispersion": 3, "extremes": 18, "senses": 3},
    }


def test_all_is_the_mean_of_the_parts_of_speech_weighted_by_their_words():
    values = {(row["variant"], row["column"]): row["value"] for row in TABLES["translation"]}
    count = {row["item"]: row["value"] for row in TABLES["words"] if row["column"] == "Combined"}
    for (method, column), value in values.items():
        if column.startswith("ALL"):
            measure = column[4:]
            parts = zip(("NN", "VB", "ADJ"), ("N", "V", "A"), strict=True)
            mean = sum(count[pos] * values[method, f"{group} {measure}"] for group, pos in parts) / sum(count.values())
            assert value == pytest.approx(mean, abs=0.011), (method, measure)


def test_every_claim_of_the_paper_is_there_with_its_controls():
    assert {"emoji-pass-nouns", "emoji-pass-mrr", "emoji-pass-dispersion", "emoji-avgmax-best"} <= set(CLAIMS)
    assert {"paper-avgmax-best", "paper-clusters", "paper-dispersion", "wordnet30-noun"} <= set(CLAIMS)
    assert {"made-alike", "emoji-three", "emoji-different", "emoji-network"} <= set(CLAIMS)
    assert all(claim.needs for name, claim in CLAIMS.items() if name.startswith("paper-") and "words" not in name)


def draw(path, colour, rng):
    """A picture of noise around a colour, with a bar whose place hangs on the colour too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.clip(np.array(colour) + rng.normal(0, 15, (48, 48, 3)), 0, 255).astype(np.uint8)
    pixels[:, colour[0] % 40 : colour[0] % 40 + 8] = 255 - pixels[:, :8]
    Image.fromarray(pixels).save(path)


@pytest.fixture
def workspace(tmp_path):
    """A person's pictures in two languages, a list of words, a small wordnet, and the stages."""
    rng, picture_folder = np.random.default_rng(0), tmp_path / "data/own/pictures"
    for word, translation in WORDS.items():
        for number in range(3):
            draw(picture_folder / f"en/{word}/{number}.jpg", COLOURS[word], rng)
            draw(picture_folder / f"de/{translation}/{number}.png", COLOURS[word], rng)
    lines = [f"{word}\t{translation}\t{POS[word]}\n" for word, translation in WORDS.items()]
    (picture_folder / "en_de.txt").write_text("".join(lines), encoding="utf-8")
    synsets = [Synset("1", "n", ("dog",)), Synset("2", "v", ("run", "dog")), Synset("3", "n", ("cat",))]
    storage.save(WordNet(synsets), tmp_path / "data/lexicons/wordnet", name="wordnet_31", licence="none", sources=[])
    settings = parameter_files.shared() | {"profile": "tiny", "pictures": PICTURES}
    settings["image_lexicon"] |= {"runs": RUNS}
    write(tmp_path, settings)
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    return tmp_path


def write(root, settings):
    parameter_files.write(root, settings, "pictures", "image_lexicon")


def change(root, section, **values):
    settings = read_parameters(root / "params.yaml")
    settings[section] |= values
    write(root, settings)


def test_own_pictures_become_translations_and_claims(workspace):
    run_steps(workspace, "pictures.hand mine", "image_lexicon.translate mine", "image_lexicon.evaluate")
    metrics = json.loads((workspace / "data/evaluation/image_lexicon/metrics.json").read_text(encoding="utf-8"))
    mine = metrics["runs"]["mine"]
    assert {name: scores["all"]["p1"] for name, scores in mine["methods"].items()} == dict.fromkeys(mine["methods"], 1)
    assert mine["usable"] == {"de": {"all": 4, "noun": 2, "verb": 1, "adjective": 1, "candidates": 4}}
    assert mine["pictures"]["en"] == {"mean": 3, "words": 4, "single": 0}
    assert mine["baselines"] == {"chance": mine["baselines"]["chance"], "identical": {"p1": 0}}
    assert metrics["senses"]["wordnet_31"]["pictures"]["any"] == {"noun": 1.5, "verb": 1, "adjective": 0}
    claims = json.loads((workspace / "data/evaluation/image_lexicon/claims.json").read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in claims} == {"not run"}
    figures = json.loads((workspace / "data/evaluation/image_lexicon/figures.json").read_text(encoding="utf-8"))
    assert len(figures) == 4
    answers = pq.read_table(workspace / "data/models/image_lexicon/mine/translations.parquet").to_pylist()
    assert {(row["source"], row["answer"]) for row in answers} == {(a, b.casefold()) for a, b in WORDS.items()}


def test_a_wrong_line_of_a_list_ends_the_run_or_is_left_out_and_named(workspace):
    with open(workspace / "data/own/pictures/en_de.txt", "a", encoding="utf-8") as file:
        file.write("bird\tVogel\tX\ncow\u200b\tKuh\tN\n")
    assert run_here(workspace, "stages.pictures.hand", "mine").returncode == 0
    failed = run_here(workspace, "stages.image_lexicon.translate", "mine")
    assert failed.returncode == 1 and "en_de.txt, line 5: expected `word<TAB>translation<TAB>POS`" in failed.stderr
    change(workspace, "image_lexicon", runs={"mine": RUNS["mine"] | {"on_error": "salvage"}})
    assert run_here(workspace, "stages.image_lexicon.translate", "mine").returncode == 0
    folder = workspace / "data/models/image_lexicon/mine"
    assert json.loads((folder / "twins.json").read_text(encoding="utf-8"))["notes"] == [
        "salvaged: 1 wrong record left out: 1 (no word, translation and part of speech)",
        "left out: en_de.txt, line 5: expected `word<TAB>translation<TAB>POS` with N, V or A, found 'bird\\tVogel\\tX'",
        "taken out: 1 invisible characters",
    ]
    assert "cow" in pq.read_table(folder / "entries.parquet")["source"].to_pylist()


def empty_word(root):
    (root / "data/own/pictures/en/bird").mkdir()


def broken(root):
    (root / "data/own/pictures/en/dog/1.jpg").write_bytes(b"GIF89a, or so it says")


def missing_language(root):
    shutil.rmtree(root / "data/own/pictures/de")


def mistyped(root):
    change(root, "pictures", hand={"mine": {"source": "own/pictures", "form": "folder"}})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (empty_word, "data/own/pictures/en/bird: the folder holds no picture"),
        (broken, "data/own/pictures/en/dog/1.jpg: the picture cannot be decoded"),
        (mistyped, "pictures.hand.mine.form should be 'folders' or 'emoji', found 'folder'"),
    ],
)
def test_pictures_that_are_wrong_are_one_sentence_and_leave_nothing(workspace, spoil, message):
    spoil(workspace)
    finished = run_here(workspace, "stages.pictures.hand", "mine")
    assert finished.returncode == 1
    assert (
        message in finished.stderr and "Traceback" not in finished.stderr and finished.stderr.strip().count("\n") == 0
    )
    assert not (workspace / "data/corpora").exists() or not list((workspace / "data/corpora").iterdir())


def spoil_features(root):
    features = np.load(root / "data/corpora/mine/features.npy")
    features[0, 0] = np.inf
    np.save(root / "data/corpora/mine/features.npy", features)


@pytest.mark.parametrize(
    ("spoil", "again", "message"),
    [
        (spoil_features, False, "row 0 of features.npy holds a number that is not finite"),
        (missing_language, True, "expected pictures of the language de"),
    ],
)
def test_features_that_are_wrong_are_one_sentence_and_leave_nothing(workspace, spoil, again, message):
    if again:
        spoil(workspace)
    assert run_here(workspace, "stages.pictures.hand", "mine").returncode == 0
    if not again:
        spoil(workspace)
    finished = run_here(workspace, "stages.image_lexicon.translate", "mine")
    assert finished.returncode == 1
    assert message in finished.stderr and "Traceback" not in finished.stderr
    assert not (workspace / "data/models/image_lexicon/mine").exists()


def test_unknown_names_are_one_sentence(workspace):
    for step in ("pictures.draw", "pictures.hand", "image_lexicon.translate"):
        finished = run_here(workspace, f"stages.{step}", "yours")
        assert finished.returncode == 1
        assert "expected the name of" in finished.stderr and "Traceback" not in finished.stderr


def test_made_pictures_are_drawn_by_parameters(workspace):
    words = {"noun": {"words": 1, "spread": 0.1}}
    drawn_sets = {"small": {"kinds": words, "languages": ["en", "xa"], "pictures": 2, "pool": 1, "edge": 16}}
    change(workspace, "pictures", made=drawn_sets)
    raw = workspace / "data/raw/unigrams_wordfreq"
    raw.mkdir(parents=True)
    shutil.copy(wordfreq.available_languages("large")["en"], raw / "large_en.msgpack.gz")
    finished = run_here(workspace, "stages.pictures.draw", "small")
    assert finished.returncode == 0, finished.stderr
    assert "4 pictures of 1 words in 2 languages" in finished.stdout
    assert (workspace / "data/corpora/small/words_en_xa.txt").read_text() == "cat\tcat.xa\tN\n"


def test_a_checkpoint_that_is_no_network_is_one_sentence(workspace):
    change(workspace, "pictures", weights={"net": "raw/net"})
    folder = workspace / "data/raw/net"
    folder.mkdir(parents=True)
    (folder / "a.pth").write_bytes(b"no weights")
    (folder / "card.json").write_text(json.dumps({"name": "net", "files": [{"name": "a.pth"}]}))
    finished = run_here(workspace, "stages.pictures.convert", "net")
    assert finished.returncode == 1
    assert "a.pth: these are no plain weights of PyTorch" in finished.stderr and "Traceback" not in finished.stderr
    assert not (workspace / "data/models/pictures/net").exists()
