import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.scenes.made_scenes import make_scenes, write
from repline.corpora.scenes.recipes import SceneCorpus
from repline.corpora.scenes.scene_corpus import STATISTICS, read_scene_corpus, scenes_of, write_scene_corpus
from repline.corpora.scenes.scene_files import read_fold, read_scenes
from repline.corpora.scenes.scene_statistics import scene_statistics
from repline.corpora.scenes.stated_triplets import extraction_scores, write_stated
from repline.errors import InputError

MIRROR = Path(os.environ.get("REPLINE_MIRROR", "")) / "visual_context"
needs_mirror = pytest.mark.skipif(
    not MIRROR.is_dir() or not os.environ.get("REPLINE_MIRROR"), reason="needs the mirror"
)


def test_a_corpus_keeps_scenes_as_they_are(tmp_path):
    write(tmp_path / "raw", seed=2, scenes=2)
    card = write_scene_corpus(tmp_path / "corpus", SceneCorpus(source="raw"), tmp_path)
    sentences_by_split = read_scene_corpus(tmp_path / "corpus")
    assert list(sentences_by_split) == [""]
    assert scenes_of(sentences_by_split[""]) == read_scenes(tmp_path / "raw")
    assert read_card(tmp_path / "corpus")["counts"] == card["counts"]
    statistics = json.loads((tmp_path / "corpus" / STATISTICS).read_text())
    assert (
        card["counts"]["gaps"]
        == statistics["gaps"]
        == sum(map(len, (scene.gapped for scene in scenes_of(sentences_by_split[""]))))
    )


def test_heads_count_from_zero_in_the_table(tmp_path):
    write(tmp_path / "raw", seed=2, scenes=1)
    write_scene_corpus(tmp_path / "corpus", SceneCorpus(source="raw"), tmp_path)
    row = pq.read_table(tmp_path / "corpus/part-00000.parquet").to_pylist()[0]
    words = read_scenes(tmp_path / "raw")[0].sentences[0].words
    assert row["head"] == [word.head - 1 for word in words]
    assert row["tokens"] == [word.form for word in words]
    assert row["triplets"][0].keys() == {"argument", "relation", "predicate"}


def test_a_folder_that_is_no_corpus_of_scenes_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="expected a corpus of scenes, found no part"):
        read_scene_corpus(tmp_path)
    pq.write_table(pa.table({"tokens": [["a"]]}), tmp_path / "part-00000.parquet")
    with pytest.raises(InputError, match="no corpus of scenes, it has no column doc_id"):
        read_scene_corpus(tmp_path)
    (tmp_path / "part-00000.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read_scene_corpus(tmp_path)


def test_captions_become_triplets(tmp_path):
    (tmp_path / "captions").mkdir()
    (tmp_path / "captions/a.txt").write_text("A man holds a ball.\n\nThe dog is on the couch. It sleeps.\n")
    card = write_stated(tmp_path / "captions", tmp_path / "out")
    rows = pq.read_table(tmp_path / "out/part-00000.parquet").to_pylist()
    assert [(row["doc_id"], row["sentence_id"]) for row in rows] == [("a", 0), ("a", 2)]
    assert {tuple(triplet.values()) for triplet in rows[0]["stated"]} == {
        ("man", "Agent", "hold"),
        ("ball", "Theme", "hold"),
    }
    assert ("dog", "Location", "couch") in {tuple(triplet.values()) for triplet in rows[1]["stated"]}
    assert card["counts"]["sentences"] == 2 and card["counts"]["triplets_Theme"] == 1


def test_a_parse_that_is_there_is_taken(tmp_path):
    (tmp_path / "raw").mkdir()
    row = {"doc_id": "d", "sentence_id": 0, "tokens": ["mugs", "zzz", "tables"]} | {
        "lemma": ["mug", "on", "table"],
        "tag": ["NNS", "IN", "NNS"],
        "head": [-1, 0, 1],
        "dep": ["ROOT", "prep", "pobj"],
    }
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "raw/part-00000.parquet")
    write_stated(tmp_path / "raw", tmp_path / "out")
    (row,) = pq.read_table(tmp_path / "out/part-00000.parquet").to_pylist()
    assert [tuple(triplet.values()) for triplet in row["stated"]] == [("mug", "Location", "table")]


def test_no_captions_leave_nothing(tmp_path):
    with pytest.raises(InputError, match=r"expected a text file, or a folder with \*.txt"):
        write_stated(tmp_path / "absent", tmp_path / "out")
    (tmp_path / "a.txt").write_text("\n\n")
    with pytest.raises(InputError, match="there is no sentence in it"):
        write_stated(tmp_path / "a.txt", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_extraction_is_good_on_made_sentences():
    sentences = [sentence for scene in make_scenes(seed=4, scenes=3) for sentence in scene.sentences]
    scores = extraction_scores(sentences)
    assert scores["precision"] > 0.85 and scores["recall"] > 0.7
    assert scores["found"] == sum(
        scores[kind]["found"] for kind in ("Agent", "Theme", "Own", "Location", "NextTo", "Property")
    )


@needs_mirror
def test_md_tc_has_the_numbers_of_its_paper():
    scenes = read_scenes(MIRROR, cycles=True)
    statistics = scene_statistics(scenes)
    assert (statistics["scenes"], statistics["sentences"], statistics["gapped_sentences"]) == (20, 429, 1466)
    assert statistics["sentences_with_cycles"] == 3
    assert statistics["relations"] == {"least": 28, "mean": 34.75, "most": 41}
    assert statistics["items"] == {"least": 30, "mean": 35.55, "most": 41}
    assert statistics["classes"] == {"least": 22, "mean": 25.15, "most": 29}
    assert statistics["relations_by_type"] == {
        "Agent": 95, "Theme": 94, "Own": 72, "Location": 230, "NextTo": 68, "Property": 136
    }  # fmt: skip


@needs_mirror
def test_no_scene_of_md_tc_is_on_both_sides_of_a_fold():
    names = {scene.triplets: scene.name for scene in read_scenes(MIRROR, cycles=True)}
    tested = []
    for number in range(1, 11):
        train, test = read_fold(MIRROR, number, cycles=True)
        held_out = {names[sentence.triplets] for sentence in test}
        assert len(held_out) == 2 and not held_out & {names[sentence.triplets] for sentence in train}
        tested += test
    assert (len(tested), sum(len(sentence.gaps) for sentence in tested)) == (1445, 1448)
