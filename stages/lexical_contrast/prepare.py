"""Lexicons -> data/corpora/lexical_contrast: constraint sets as pairs of words, questions, pairs of two kinds.

constraints.parquet (set, left, right; the set held_out are pairs of the tests), questions.tsv (cue and five options,
the opposite first), {adjective,noun,verb}-pairs.{val,test} (word, word, 1 for antonyms).
"""

from pathlib import Path
from typing import get_args

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import write_card
from repline.errors import InputError
from repline.files import new_folder
from repline.lexicons import word_graph
from repline.lexicons.constraints import read_constraints, wordnet_antonyms, wordnet_synonyms
from repline.lexicons.vocabulary_edges import graph_tables
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import nearest
from repline.systems.lexical_contrast.constraint_rows import configuration, expanded_antonyms, pair_rows, pair_set
from repline.systems.lexical_contrast.made_contrasts import contrast_pairs, held_out, opposite_questions
from repline.systems.lexical_contrast.settings import Configuration, Set, Settings, read
from stages import run, word_vectors

FOLDER = Path("data/corpora/lexical_contrast")
LEXICONS = Path("data/lexicons")
SETS = get_args(Set)
HELD_OUT = "held_out"
PARTS = {"adjective": "a", "noun": "n", "verb": "v"}
VALIDATION = 0.2  # of the made pairs


def main() -> None:
    settings, _ = read()
    words = word_vectors.vectors(settings.vectors, settings.words)[0]
    sets = constraint_sets(settings, words)
    with new_folder(FOLDER) as folder:
        counts, kept = made(folder, words, settings)
        sets[HELD_OUT] = pair_rows(kept, words)
        rows = [(name, words[left], words[right]) for name in sets for left, right in sets[name].tolist()]
        columns = [pa.array([row[place] for row in rows], pa.string()) for place in range(3)]
        table = pa.table(columns, names=["set", "left", "right"])
        pq.write_table(table, folder / "constraints.parquet", compression="zstd")
        counts = {name: len(found) for name, found in sets.items()} | counts
        write_card(
            folder,
            name="lexical_contrast",
            description="Pairs of words that attract or repel, and tests of antonymy made from WordNet",
            licence="that of the lexicons",
            sources=[word_vectors.source(f"lexicons/constraints/{name}") for name in settings.constraints]
            + [word_vectors.source(settings.hypernyms), word_vectors.source("lexicons/wordnet")],
            parameters=settings.model_dump(include={"words", "constraints", "hypernyms", "question_seed", "held_out"}),
            counts=counts,
        )
    print(f"{FOLDER}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))


def constraint_sets(settings: Settings, words: list[str]) -> dict[str, np.ndarray]:
    """syn, ant, hyp1 and antexp between the rows of the vocabulary."""
    found: dict[str, list] = {"synonyms": [], "antonyms": []}
    known = sorted(path.name for path in (LEXICONS / "constraints").glob("*/"))
    for name in settings.constraints:
        if name not in known:
            raise InputError(f"params.yaml: lexical_contrast.constraints has no {name!r}{nearest(name, known)}")
        for kind, pairs in found.items():
            path = LEXICONS / "constraints" / name / f"{kind}.parquet"
            if pq.read_metadata(path).num_rows:  # a lexicon may have one kind only
                pairs += read_constraints(path)
    synonyms, antonyms = (pair_rows(found[kind], words) for kind in ("synonyms", "antonyms"))
    graph = graph_tables(Path("data") / settings.hypernyms)[1]
    above = word_graph.relation_matrix(graph, words, relations=["hypernym"], binary=True).tocoo()
    sets = {"syn": synonyms, "ant": antonyms, "hyp1": pair_set(np.stack([above.row, above.col], axis=1))}
    return sets | {"antexp": expanded_antonyms(synonyms, antonyms)}


def made(folder: Path, words: list[str], settings: Settings) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Write the tests that WordNet gives; returns how much there is of each, and the pairs to be held out."""
    found, seed = wordnet_files.load(LEXICONS / "wordnet"), settings.question_seed
    questions = opposite_questions(wordnet_antonyms(found), wordnet_synonyms(found), words, seed)
    write_lines(folder / "questions.tsv", [[cue, *options] for cue, options in questions])
    counts, labelled = {"questions": len(questions)}, []
    for name, pos in PARTS.items():
        pairs = contrast_pairs(wordnet_antonyms(found, [pos]), wordnet_synonyms(found, [pos]), words, seed)
        cut = round(len(pairs) * VALIDATION)
        write_lines(folder / f"{name}-pairs.val", pairs[:cut])
        write_lines(folder / f"{name}-pairs.test", pairs[cut:])
        counts[f"{name}_pairs"] = len(pairs)
        labelled += pairs
    return counts, held_out(questions, labelled, settings.held_out, seed)


def write_lines(path: Path, rows: list) -> None:
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")


def read_sets(words: list[str]) -> dict[str, np.ndarray]:
    """What `main` wrote, as rows of the vocabulary: the sets of constraints, and the pairs to be held out."""
    table = pq.read_table(FOLDER / "constraints.parquet")
    names = np.array(table["set"].to_pylist())
    row = {word: number for number, word in enumerate(words)}
    pairs = np.array([[row[word] for word in table[side].to_pylist()] for side in ("left", "right")], np.int64).T
    return {name: pair_set(pairs[names == name]) for name in (*SETS, HELD_OUT)}


def constraints(sets: dict[str, np.ndarray], chosen: Configuration) -> tuple[np.ndarray, np.ndarray]:
    """The pairs that one configuration attracts and repels, as rows of the vocabulary."""
    return configuration(sets, chosen.attract, chosen.repel, sets[HELD_OUT] if chosen.hold_out else None)


if __name__ == "__main__":
    run(main)
