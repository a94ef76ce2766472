from collections import Counter

import pytest

from repline.corpora.scenes.made_scenes import make_scenes, write
from repline.corpora.scenes.recipes import SceneCorpus
from repline.corpora.scenes.scene import items_of
from repline.corpora.scenes.scene_corpus import write_scene_corpus
from repline.errors import InputError
from repline.systems.context_parser.corpus import read_folds, shuffled
from repline.systems.context_parser.settings import Corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    write(folder / "raw", seed=1, scenes=5)
    write_scene_corpus(folder / "corpus", SceneCorpus(source="raw"), folder)
    return Corpus(corpus=str(folder / "corpus"), folds=2)


def test_the_last_scenes_are_the_first_fold(corpus):
    folds = read_folds(corpus)
    tested = [{sentence.scene for sentence in fold.test} for fold in folds]
    assert tested == [{"scenes-3", "scenes-4", "scenes-5"}, {"scenes-1", "scenes-2"}]
    for fold in folds:
        assert all(sentence.gaps for sentence in fold.test) and not any(sentence.gaps for sentence in fold.train)
        assert not {sentence.scene for sentence in fold.train} & {sentence.scene for sentence in fold.test}
    assert len(read_folds(corpus.model_copy(update={"scenes": 2}))[0].train) < len(folds[0].train)


def test_too_few_scenes_are_one_sentence(corpus):
    with pytest.raises(InputError, match=r"expected 6 scenes or more, .*found 5"):
        read_folds(corpus.model_copy(update={"folds": 6}))
    with pytest.raises(InputError, match="the corpus has no part 'train-1'; take `shipped: false`"):
        read_folds(corpus.model_copy(update={"shipped": True}))


def test_a_shuffled_scene_has_the_same_items_and_other_facts():
    (scene,) = make_scenes(seed=1, scenes=1)
    wrong = [shuffled(sentence, 0) for sentence in scene.gapped]
    assert len({sentence.triplets for sentence in wrong}) == 1
    first = wrong[0].triplets
    assert set(items_of(first)) == set(items_of(scene.triplets))
    assert Counter(sentence.relation for sentence in first) == Counter(sentence.relation for sentence in scene.triplets)
    assert len(set(first) & set(scene.triplets)) < len(first) / 2
    assert shuffled(scene.gapped[0], 1).triplets != first
