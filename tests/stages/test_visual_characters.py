"""The stages on synthetic data with the installed font; the records are the paper's, and mistakes are sentences."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import stages
from repline import parameters
from repline.cards import read_card
from repline.evaluation.claims import judgement, published
from repline.systems.visual_characters import settings
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "visual_characters"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
FONT = Path(find_spec("noto_cjk_sans_otc").origin).parent / "NotoSansCJK-Regular.ttc"
CHARACTERS = "天地人山水火木金土日月大小上下中国家文字书学生"


def test_tables_are_whole():
    sizes = {name: len(rows) for name, rows in TABLES.items()}
    assert sizes == {"translation": 14, "frequency": 16, "tagging": 10, "similarity": 39}
    best = max(TABLES["translation"][:-1], key=lambda row: row["value"])
    assert (best["item"], best["value"]) == ("EMB", 16.63)


def test_every_claim_is_one_of_a_statement():
    stated = [
        name
        for statement in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["statements"]
        for name in statement["claims"]
    ]
    assert sorted(stated) == sorted(claim.id for claim in CLAIMS)


def test_small_claims_judge_as_they_should():
    def gloss(nll, hits, unseen):
        return {"test": {"nll": nll, "hits": hits}, "unseen": {"all": unseen, "dropped": 0.4}}

    glosses = {
        "emb": gloss(5.0, 0.6, 0.4),
        "fc_1l": gloss(5.6, 0.5, 0.3),
        "fc_2l": gloss(5.5, 0.55, 0.5),
        "fc_2l_random": gloss(5.8, 0.4, 0.3),
    }
    tagging = {"fc_2l_adapt": {"f1": 0.6}, "emb_adapt": {"f1": 0.55}, "baseline": {"f1": 0.3}}
    metrics = {"glosses": glosses, "tagging": {"peoples_daily": tagging}}
    judged = {verdict.id: verdict.verdict for verdict in judgement.check(CLAIMS, metrics, "small", [metrics, metrics])}
    failing = {"pixels-match-the-table", "tagging-table-above-two-layers-news"}
    for claim in CLAIMS:
        if claim.scale == "small":
            assert judged[claim.id] == ("fails" if claim.id in failing else "holds"), claim.id


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"glosses.epoch": 3}, "unknown parameter 'visual_characters.glosses.epoch'; did you mean 'epochs'"),
        ({"tagging.training.hiden": 3}, "'visual_characters.tagging.training.hiden'; did you mean 'hidden'"),
        ({"translation.encoders": ["fc_3l"]}, "unknown encoder 'fc_3l'; did you mean"),
        ({"tagging.encoders": ["fc_2l_random"]}, "names 'fc_2l_random', which is not trained"),
        ({"tagging.modes": ["fixed"]}, r"tagging.modes\[0\] should be 'fix' or 'adapt', found 'fixed'"),
        ({"words.side": "both"}, "words.side should be"),
        ({"glyphs.threshold": 255}, "glyphs.threshold should be"),
        ({"encoders.emb.kind": "table"}, "kind should be"),
        ({"glosses.learning_rates": []}, "learning_rates should"),
    ],
)
def test_mistakes_in_the_parameters_are_named(change, message):
    values = parameter_files.shared()
    for name, value in change.items():
        *path, last = name.split(".")
        parameters.section(values, ".".join(["visual_characters", *path]))[last] = value
    with pytest.raises(parameters.InputError, match=message):
        settings.load(values)


def test_a_recipe_is_what_its_task_and_its_encoder_say():
    values = parameter_files.shared()
    values["visual_characters"]["translation"]["training"]["hardware"] = {"accelerator": "cpu"}
    loaded = settings.load(values)
    recipe = loaded.gloss_recipe("fc_2l_random", 0.01)
    assert (recipe.kind, recipe.trained, recipe.learning_rate, recipe.dimensions) == ("fc_2l", False, 0.01, 64)
    assert not recipe.hardware.model_fields_set
    assert loaded.tagger_recipe("fix", 0.1).mode == "fix"
    assert loaded.translator_recipe("emb", 0.003).hardware.model_fields_set == {"accelerator"}


@pytest.fixture
def project(tmp_path):
    rng = np.random.default_rng(0)
    raw = tmp_path / "data" / "raw"
    for name in ("dictionary", "news", "font", "similarity"):
        (raw / name).mkdir(parents=True)
    words = sorted({"".join(rng.choice(list(CHARACTERS), size=rng.integers(1, 3))) for _ in range(400)})
    meanings = {character: f"thing{chr(97 + number % 12)}" for number, character in enumerate(CHARACTERS)}
    lines = [f"{word} {word} [x] /{' '.join(meanings[character] for character in word)}/" for word in words]
    (raw / "dictionary" / "cedict.txt").write_text("# made\n" + "\n".join(lines) + "\n", "utf-8")
    news = [" ".join(f"{word}/{'nv'[len(word) % 2]}" for word in rng.choice(words, size=4)) for _ in range(60)]
    (raw / "news" / "news.txt").write_text("\n".join(news) + "\n", "utf-8")
    pairs = [
        f"{first} {second} {score:.2f}" for first, second, score in zip(words, words[7:], rng.random(30), strict=False)
    ]
    (raw / "similarity" / "240_trad.txt").write_text("\n".join(pairs) + "\n", "utf-8")
    (raw / "font" / FONT.name).symlink_to(FONT)
    values = parameters.merge(parameter_files.shared(), parameters.read(ROOT / "profiles" / "tiny.yaml"))
    section = values["visual_characters"]
    section |= {"dictionary": "raw/dictionary", "pairs": "raw/dictionary", "similarity": "raw/similarity"}
    section["words"] |= {"words": None, "dev": 30, "test": 30, "minimum_count": 2, "held_out": 0.1}
    section["sentence_pairs"] |= {"number": 80}
    section["tagged"] = {"news": {"source": "raw/news", "pku_tags": True, "dev": 10, "test": 10}}
    section["glyphs"]["font"] = "raw/font"
    section["encoders"] = {name: section["encoders"][name] for name in ("emb", "fc_2l", "cnn_sm_fc")}
    section["glosses"] |= {"learning_rates": [0.01, 0.03], "seeds": [0, 1]}
    section["tagging"]["encoders"] = section["translation"]["encoders"] = ["fc_2l"]
    section["shown"] = "天木"
    sections = {name: values[name] for name in ("hardware", "visual_characters")} | {"profile": "tiny"}
    parameter_files.write(tmp_path, sections)
    (tmp_path / "stages" / "visual_characters").mkdir(parents=True)
    for name in ("claims.yaml", "dvc.yaml"):
        (tmp_path / "stages" / "visual_characters" / name).symlink_to(FOLDER / name)
    return tmp_path


def test_wrong_lines_of_own_data_are_left_out_and_on_the_cards(project):
    for name in ("dictionary/cedict.txt", "news/news.txt", "similarity/240_trad.txt"):
        with open(project / "data/raw" / name, "a", encoding="utf-8") as file:
            file.write("天 地 many\n")
    failed = run_here(project, "stages.visual_characters.prepare_tagged", "news")
    assert failed.returncode == 1 and "news.txt, line 61: expected words as word/TAG" in failed.stderr
    values = parameters.read(project / "params.yaml")
    values["visual_characters"]["on_error"] = values["visual_characters"]["tagged"]["news"]["on_error"] = "salvage"
    parameter_files.write(project, values)
    run_steps(project, "visual_characters.prepare_words", "visual_characters.prepare_tagged news")
    folder = project / "data/corpora/visual_characters"
    for name, count in (("words", 2), ("tagged/news", 1)):
        card = read_card(folder / name)
        assert card["counts"]["wrong_records"] == count, name
        assert card["parameters"]["on_error"] == "salvage"
        assert len([note for note in card["notes"] if note.startswith("left out: ")]) == count


def test_the_stages_run_from_data_to_claims(project):
    corpora = ("prepare_words", "prepare_tagged news", "prepare_glyphs")
    glosses = [f"train_glosses {encoder}" for encoder in ("emb", "fc_2l", "cnn_sm_fc")]
    further_trainings = ("train_tagger news fc_2l fix", "train_tagger news fc_2l adapt", "train_translator fc_2l")
    steps = (*corpora, *glosses, *further_trainings, "evaluate")
    run_steps(project, *(f"visual_characters.{step}" for step in steps))
    project_decoding = parameters.read(project / "params.yaml")["visual_characters"]["decoding"]
    (translator,) = (project / "data/models/visual_characters/translation/fc_2l").glob("seed-*/raw_input.json")
    assert json.loads(translator.read_text())["decoding"] == project_decoding
    tuned = json.loads((project / "data/models/visual_characters/glosses/fc_2l/tuning.json").read_text())
    assert tuned["losses"].keys() == {"0.01", "0.03"}
    assert tuned["losses"][str(tuned["learning_rate"])] == min(tuned["losses"].values())
    metrics = json.loads((project / "data/evaluation/visual_characters/metrics.json").read_text())
    assert metrics["glosses"].keys() == {"emb", "fc_2l", "cnn_sm_fc"}
    assert metrics["glosses"]["emb"]["unseen"]["all"] == metrics["glosses"]["emb"]["unseen"]["dropped"]
    assert metrics["similarity"]["wordsim_240"]["pairs"] == 30
    assert metrics["similarity"]["wordsim_240"]["emb"]["unseen_all"] is None
    assert metrics["tagging"]["news"].keys() >= {"baseline", "jieba", "fc_2l_fix", "fc_2l_adapt"}
    assert metrics["translation"]["fc_2l"].keys() >= {"perplexity", "greedy", "bleu", "low", "mid", "high"}
    assert len(metrics["softmax"]["cnn_sm_fc"]["trained"]) == 3
    figures = json.loads((project / "data/evaluation/visual_characters/figures.json").read_text())
    assert "neighbours" in [figure["id"] for figure in figures]
    assert not list((project / "data/scratch").glob("visual_characters*"))
