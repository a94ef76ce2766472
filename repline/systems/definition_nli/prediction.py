"""Label pairs of your own with a trained model, and with a dictionary of your own, without training."""

from collections.abc import Iterator
from pathlib import Path

import torch

from repline.corpora.sentence_pairs.pair_tables import fields
from repline.errors import InputError
from repline.lexicons.definitions import read_definitions
from repline.pretrained import pretrained
from repline.segmentation import spaced
from repline.systems.definition_nli.corpus import check_known, random_vectors, vectors_of
from repline.systems.definition_nli.model import DefinitionNLI
from repline.systems.definition_nli.training import DICTIONARY, predicted
from repline.text_files import numbered_lines

SPREAD = 0.3  # of the vector of a word that has none
Pair = tuple[list[str], list[str]]


def predict(
    model: str | Path, pairs: str | Path, dictionary: str | Path | None = None, vectors: str | Path | None = None
) -> Iterator[str]:
    """The label of each pair of a table, in its order.

    Args:
        model: a folder of data/models/definition_nli.
        pairs: premise, tab, hypothesis a line; more fields are passed over.
        dictionary: headword, tab, definition a line. Its entries take the place of those that the model was trained
            with; all others stay.
        vectors: of words that the model does not know; None to give them random ones.

    Raises:
        InputError: no model; a line of the pairs or the dictionary that is not as described; an empty sentence, or one
            of whose words none has a vector or a definition, naming file and line.
    """
    trained = pretrained(DefinitionNLI, model)
    entries = read_definitions(Path(model) / DICTIONARY, str.split)
    segment = spaced.segmenter("en")

    def tokens(text: str) -> list[str]:
        return [token.lower() for token in segment(text)["tokens"]]

    if dictionary is not None:
        entries |= read_definitions(dictionary, tokens)
    read: list[Pair] = []
    line_numbers: list[int] = []
    for number, line in numbered_lines(pairs):
        if line.strip():
            first, second = fields(pairs, number, line, 2)[:2]
            read.append((tokens(first), tokens(second)))
            line_numbers.append(number)
    if not read:
        raise InputError(f"{pairs}: expected a premise, a tab and a hypothesis a line, found no line")
    words_of_pairs = {token for pair in read for sentence in pair for token in sentence}
    words_of_pairs |= {token for word in words_of_pairs & entries.keys() for token in entries[word]}
    _extend(trained, sorted(words_of_pairs - set(trained.words)), vectors)
    none = {word for word, bare in zip(trained.words, trained.unknown[1:].tolist(), strict=True) if bare}
    none -= entries.keys()
    for number, pair in zip(line_numbers, read, strict=True):
        check_known(pair, none, f"{pairs}, line {number}")
    trained.define(entries)
    premises, hypotheses = trained.numbers([*(a for a, _ in read), *(b for _, b in read)]).split(len(read))
    return (trained.labels[label] for label in predicted(trained, premises, hypotheses).tolist())


def _extend(model: DefinitionNLI, words: list[str], vectors: str | Path | None) -> None:
    dimensions = model.vectors.shape[1]
    if vectors is None:
        matrix, unknown = random_vectors(words, dimensions, SPREAD), [True] * len(words)
    else:
        matrix, is_random = vectors_of(words, vectors, None, SPREAD)
        unknown = is_random.tolist()
        if matrix.shape[1] != dimensions:
            raise InputError(f"{vectors}: expected vectors of {dimensions} dimensions, found {matrix.shape[1]}")
    model.extend(words, torch.from_numpy(matrix), torch.tensor(unknown, dtype=torch.bool))
