"""Words translated by their pictures, all methods, compared with a loop over pairs of words."""

import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from benchmarks.timing import keep, line, paired
from repline.corpora.pictures.picture_features import PictureSets
from repline.systems.image_lexicon.image_words import Entry, WordList
from repline.systems.image_lexicon.model import Sets, match
from repline.systems.image_lexicon.nearest_votes import nearest_scores
from repline.systems.image_lexicon.translation import translate

WORDS, PICTURES, DIMENSIONS = 200, (1, 8), 768
LANGUAGES = ("de", "es", "fr", "it", "ru")
EMOJI = (1585, 700)  # pictures of a vendor, words of a list; a word has about five pictures
SECONDS = 20


def main() -> None:
    rng = np.random.default_rng(0)
    source, target = (_sets(rng, WORDS) for _ in range(2))
    print(f"{'one thread, 768 dimensions, 1 to 8 pictures a word':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    ours, peer = paired(lambda: match(source, target), lambda: _loop(source, target), rounds=3)
    line(f"AVGMAX and MAXMAX of {WORDS} by {WORDS} words, against a loop over pairs", ours, peer)
    near = match(source, target).nearest
    ours, peer = paired(lambda: nearest_scores(near, source, target), lambda: _votes(source, target), rounds=3)
    line("  the votes of KNN, once the nearest pictures are known, against a loop over pictures", ours, peer)
    pictures, lists = _emoji(rng)
    german = {"de": lists["de"]}
    ours, peer = paired(lambda: translate(pictures, german), lambda: _loop_of_lists(pictures), rounds=1)
    line("all six methods on 700 words, against a loop over pairs for AVGMAX alone", ours, peer)
    started = time.process_time()
    translate(pictures, lists)
    used = time.process_time() - started
    print(f"  {used:.1f} core-seconds for five languages and all methods, after features")
    keep("five languages, all methods: how many times within 20 core-seconds", SECONDS / used, 1)


def _sets(rng: np.random.Generator, words: int) -> Sets:
    sizes = rng.integers(PICTURES[0], PICTURES[1] + 1, words)
    ends = np.cumsum(sizes)
    features = rng.normal(size=(ends[-1], DIMENSIONS)).astype(np.float32)
    return Sets.of(features, [range(end - size, end) for end, size in zip(ends, sizes, strict=True)])


def _loop(source: Sets, target: Sets) -> tuple[np.ndarray, np.ndarray]:
    """A matrix product for each pair of words."""
    average, largest = np.empty((len(source), len(target))), np.empty((len(source), len(target)))
    members = [np.split(sets.unit[sets.rows], sets.starts[1:]) for sets in (source, target)]
    for s, first in enumerate(members[0]):
        for t, second in enumerate(members[1]):
            best = (first @ second.T).max(1)
            average[s, t], largest[s, t] = best.mean(), best.max()
    return average, largest


def _votes(source: Sets, target: Sets) -> np.ndarray:
    """For each picture its nearest one, and the words that have it."""
    vote_counts = np.zeros((len(source), len(target)))
    members = [set(rows.tolist()) for rows in np.split(target.rows, target.starts[1:])]
    pictures = target.unit[target.rows]
    for s, rows in enumerate(np.split(source.rows, source.starts[1:])):
        for row in rows:
            nearest = int(target.rows[(pictures @ source.unit[row]).argmax()])
            vote_counts[s] += [nearest in pictures_of_word for pictures_of_word in members]
    return vote_counts


def _emoji(rng: np.random.Generator) -> tuple[PictureSets, dict[str, WordList]]:
    """Random features in the sizes of the emoji: words share pictures."""
    pictures, words = EMOJI
    features = rng.normal(size=(2 * pictures, DIMENSIONS)).astype(np.float32)
    sizes = np.minimum(rng.geometric(0.2, words), 20)
    sets: dict[str, dict[str, list[int]]] = {}
    for language in ("en", *LANGUAGES):
        first = 0 if language == "en" else pictures
        drawn = (first + rng.choice(pictures, size, replace=False) for size in sizes)
        sets[language] = {f"w{number}": sorted(rows.tolist()) for number, rows in enumerate(drawn)}
    entries = [Entry(f"w{number}", f"w{number}", "noun") for number in range(words)]
    lists = {language: WordList("en", language, entries, None) for language in LANGUAGES}
    return PictureSets(features, sets, [("", "")] * len(features)), lists


def _loop_of_lists(pictures: PictureSets) -> None:
    sets = [Sets.of(pictures.features, list(pictures.sets[language].values())) for language in ("en", "de")]
    _loop(*sets)


if __name__ == "__main__":
    main()
