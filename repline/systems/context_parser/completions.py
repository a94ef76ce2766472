"""The gaps of a corpus filled in every setting, stored with the sentences.

The sentences lie in `part-*.parquet`, a corpus of scenes with the splits test-1, test-2, ... A row of
`completions.parquet` is a gap in a setting:

    setting, fold, sentence (from 0 in the fold), tag, filler, reference (of each word), head (from 0, -1 at a root)
    candidates          items, other words' items and tags that were to choose from
    searched            of these, those whose best tree was searched; the bounds of the others are too low
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.scenes.scene import SceneSentence
from repline.corpora.scenes.scene_corpus import read_scene_corpus, write_parts
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.systems.context_parser.author_outputs import SETTINGS, read_outputs
from repline.systems.context_parser.corpus import Fold, shuffled
from repline.systems.context_parser.gap_measures import Prediction
from repline.systems.context_parser.model import Completion, ContextParser
from repline.systems.context_parser.settings import CONTEXT, UNI, Setting

FILE = "completions.parquet"
SCHEMA = pa.schema(
    [
        *(("setting", pa.string()), ("fold", pa.int32()), ("sentence", pa.int32())),
        *(("tag", pa.string()), ("filler", pa.string())),
        *(("reference", pa.list_(pa.string())), ("head", pa.list_(pa.int32()))),
        *(("candidates", pa.int64()), ("searched", pa.int64())),
    ]
)


@dataclass(frozen=True)
class Completed:
    """Sentences with a gap, fold after fold, and what was predicted of each of them.

    Attributes:
        folds: the fold of each sentence, from 1.
        predicted: by setting, a prediction for each sentence; None where there is none.
        candidates, searched: by setting, of each sentence; 0 where it is not known.
    """

    sentences: list[SceneSentence]
    folds: list[int]
    predicted: dict[str, list[Prediction | None]]
    candidates: dict[str, list[int]]
    searched: dict[str, list[int]]


def complete_folds(
    folds: Sequence[Fold],
    models: str | Path,
    settings: Mapping[str, Setting],
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[dict]:
    """Fill the gaps of every fold by the parsers that did not see its scenes.

    Args:
        folds: with the sentences to complete.
        models: a folder with `fold-1/context`, `fold-1/uni`, ..., as `ContextParser.save` wrote them.
        seed: of shuffled triplets.
        progress: called with the gaps so far, and the candidates among which they were filled.
    """
    rows: list[dict] = []
    gaps = among = 0
    for number, fold in enumerate(folds, start=1):
        parsers = {
            context: ContextParser.from_folder(Path(models) / f"fold-{number}" / (CONTEXT if context else UNI))
            for context in sorted({setting.context for setting in settings.values()})
        }
        for position, sentence in enumerate(fold.test):
            for context, parser in parsers.items():
                for wrong in (False, True):
                    weights = {
                        name: setting.weights
                        for name, setting in settings.items()
                        if setting.context == context and setting.shuffled == wrong
                    }
                    if not weights:
                        continue
                    given_sentence = shuffled(sentence, seed) if wrong else sentence
                    completions = parser.complete(given_sentence, list(weights.values()))
                    rows += [
                        _row(name, number, position, completion)
                        for name, completion in zip(weights, completions, strict=True)
                    ]
                    among += sum(completion.candidates for completion in completions)
            gaps += 1
            if progress is not None:
                progress(gaps, among)
    return rows


def shipped_folds(folds: Sequence[Fold], source: str | Path) -> list[dict]:
    """The predictions that the authors ship, as `complete_folds` returns its own; an empty file has no rows."""
    rows = []
    for setting in SETTINGS:
        for number, fold in enumerate(folds, start=1):
            for position, output in enumerate(read_outputs(source, setting, number, fold.test) or ()):
                filler = output.references[fold.test[position].gaps[0]]
                completion = Completion(filler, output.tag, output.references, output.heads, 0, 0, 0)
                rows.append(_row(setting, number, position, completion))
    return rows


def write_completions(folder: str | Path, folds: Sequence[Fold], rows: Sequence[dict]) -> None:
    """Write the sentences with gaps and what was predicted of them; the folder appears whole or not at all."""
    with new_folder(folder) as partial:
        tested = [(f"test-{number}", sentence) for number, fold in enumerate(folds, 1) for sentence in fold.test]
        write_parts(partial, tested)
        pq.write_table(pa.Table.from_pylist(list(rows), SCHEMA), partial / FILE, compression="zstd")


def read_completions(folder: str | Path) -> Completed:
    """Read the completions that `write_completions` wrote; InputError where there are none, or they are damaged."""
    path = Path(folder) / FILE
    try:
        rows = pq.read_table(path).to_pylist()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; fill the gaps first") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            f"{path}: this is not a readable Parquet file ({in_one_line(error)}); fill the gaps again"
        ) from None
    parts = read_scene_corpus(folder)
    sentences, folds, start = list[SceneSentence](), list[int](), dict[int, int]()
    for number in range(1, len(parts) + 1):
        start[number] = len(sentences)
        sentences += parts[f"test-{number}"]
        folds += [number] * len(parts[f"test-{number}"])
    names = list(dict.fromkeys(row["setting"] for row in rows))
    completed = Completed(
        sentences,
        folds,
        predicted={name: [None] * len(sentences) for name in names},
        candidates={name: [0] * len(sentences) for name in names},
        searched={name: [0] * len(sentences) for name in names},
    )
    for row in rows:
        name, position = row["setting"], start[row["fold"]] + row["sentence"]
        heads = tuple(head + 1 for head in row["head"])
        completed.predicted[name][position] = Prediction(row["tag"], tuple(row["reference"]), heads)
        completed.candidates[name][position], completed.searched[name][position] = row["candidates"], row["searched"]
    return completed


def _row(setting: str, fold: int, sentence: int, completion: Completion) -> dict:
    return {
        "setting": setting,
        "fold": fold,
        "sentence": sentence,
        "tag": completion.tag,
        "filler": completion.filler,
        "reference": list(completion.references),
        "head": [head - 1 for head in completion.heads],
        "candidates": completion.candidates,
        "searched": completion.searched,
    }
