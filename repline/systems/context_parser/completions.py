"""The gaps of a corpus filled in every setting, and kept as a table.

A row of `part-00000.parquet` is a gap in a setting, in the order of the folds and of their sentences:

    setting, fold, scene, tag, filler, reference (of each word), head (from 0, -1 at a root), score
    candidates          items, other words' items and tags that were to choose from
    searched            of these, those whose best tree was searched; the bounds of the others are too low
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.errors import InputError
from repline.files import new_folder
from repline.systems.context_parser.corpus import Fold, shuffled
from repline.systems.context_parser.evaluation import Prediction
from repline.systems.context_parser.model import Completion, ContextParser
from repline.systems.context_parser.settings import UNI, Setting

FILE = "part-00000.parquet"
SCHEMA = pa.schema(
    [
        *(("setting", pa.string()), ("fold", pa.int32()), ("scene", pa.string())),
        *(("tag", pa.string()), ("filler", pa.string())),
        *(("reference", pa.list_(pa.string())), ("head", pa.list_(pa.int32()))),
        *(("score", pa.float64()), ("candidates", pa.int64()), ("searched", pa.int64())),
    ]
)


def complete_folds(
    folds: Sequence[Fold],
    models: str | Path,
    settings: Mapping[str, Setting],
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> pa.Table:
    """Fill the gaps of every fold by the parsers that did not see its scenes.

    Args:
        folds: with the sentences to complete.
        models: a folder with `fold-1/context`, `fold-1/uni`, ..., as `ContextParser.save` wrote them.
        seed: of shuffled triplets.
        progress: called with the gaps so far, and the candidates among which they were filled.
    """
    rows: list[dict] = []
    done = among = 0
    for number, fold in enumerate(folds, start=1):
        parsers = {
            context: ContextParser.from_folder(Path(models) / f"fold-{number}" / ("context" if context else UNI))
            for context in sorted({one.context for one in settings.values()})
        }
        for sentence in fold.test:
            for context, parser in parsers.items():
                for wrong in (False, True):
                    own = {
                        name: one for name, one in settings.items() if one.context == context and one.shuffled == wrong
                    }
                    if not own:
                        continue
                    given = shuffled(sentence, seed) if wrong else sentence
                    found = parser.complete(given, [one.weights for one in own.values()])
                    rows += [_row(name, number, sentence.scene, one) for name, one in zip(own, found, strict=True)]
                    among += sum(one.candidates for one in found)
            done += 1
            if progress is not None:
                progress(done, among)
    return pa.Table.from_pylist(rows, SCHEMA)


def write_completions(folder: str | Path, table: pa.Table) -> None:
    """Write what `complete_folds` returned; the folder appears whole or not at all."""
    with new_folder(folder) as partial:
        pq.write_table(table, partial / FILE, compression="zstd")


def read_completions(folder: str | Path) -> dict[str, list[dict]]:
    """The rows of each setting; InputError where there are none."""
    path = Path(folder) / FILE
    try:
        rows = pq.read_table(path).to_pylist()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; fill the gaps first") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: this is not a readable Parquet file ({error}); fill the gaps again") from None
    found: dict[str, list[dict]] = {}
    for row in rows:
        found.setdefault(row["setting"], []).append(row)
    return found


def prediction(row: Mapping) -> Prediction:
    """A row as what the measures take."""
    return Prediction(row["tag"], tuple(row["reference"]), tuple(head + 1 for head in row["head"]))


def _row(setting: str, fold: int, scene: str, one: Completion) -> dict:
    return {
        "setting": setting,
        "fold": fold,
        "scene": scene,
        "tag": one.tag,
        "filler": one.filler,
        "reference": list(one.references),
        "head": [head - 1 for head in one.heads],
        "score": one.score,
        "candidates": one.candidates,
        "searched": one.searched,
    }
