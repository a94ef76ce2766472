"""Running text for word vectors: the glosses of a wordnet, the sentences of treebanks, plain lines, in lower case."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from repline.cards import Card, card_or_files, write_card
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError
from repline.files import new_folder
from repline.lexicons.wordnet.synset_glosses import read_glosses
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import numbered_lines
from repline.segmentation.combining_marks import LETTERS, composed
from repline.segmentation.morphology.letters import lower_case

ROWS = 4096  # sentences in memory
_WORD = re.compile(rf"{LETTERS}(?:['’]{LETTERS})*")
_TEXT = "# text = "


def write_text(
    sources: Sequence[str | Path], folder: str | Path, language: str, progress: Callable[[int, int], None] | None = None
) -> Card:
    """Write the words of some files as a corpus of sentences, all or nothing.

    Args:
        sources: files or folders. `*.xml` are wordnets: each definition and example is a sentence, and each
            definition one again behind the words that it defines; `*.conllu` are treebanks with their text in comments;
            `*.txt` have a sentence a line. All may be `.gz`.
        folder: replaced if it exists.
        language: for the lower case.
        progress: called with sentences and words so far.

    Returns:
        The card.

    Raises:
        InputError: a file that is not there or broken, or no text at all.
    """
    paths = [path for source in sources for path in _files(Path(source))]
    schema = sentence_schema()
    words = 0
    with new_folder(folder) as partial, PartWriter(partial, schema) as writer:
        rows: dict[str, list[Any]] = {name: [] for name in schema.names}
        for path in paths:
            number = 0
            for text in _texts(path):
                tokens = _WORD.findall(composed(lower_case(text, language)))
                if not tokens:
                    continue
                rows["doc_id"].append(path.name)
                rows["sentence_id"].append(number)
                rows["tokens"].append(tokens)
                number, words = number + 1, words + len(tokens)
                if len(rows["tokens"]) == ROWS:
                    writer.write(pa.RecordBatch.from_pydict(rows, schema))
                    rows = {name: [] for name in schema.names}
                    if progress:
                        progress(writer.rows, words)
        writer.write(pa.RecordBatch.from_pydict(rows, schema))
        writer.close()
        if not writer.rows:
            raise InputError(f"{', '.join(map(str, sources))}: expected text, found none")
        origins = [card_or_files(source) for source in sources]
        return write_card(
            partial,
            name=Path(folder).name,
            description="Sentences in lower case, words alone",
            licence="; ".join(dict.fromkeys(origin["licence"] for origin in origins)),
            sources=[{"corpus": origin} for origin in origins],
            parameters={"language": language},
            counts={"documents": len(paths), "sentences": writer.rows, "tokens": words},
            tools=["pyarrow"],
        )


def _files(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    files = [path for path in sorted(source.glob("*")) if path.name != "card.json" and path.is_file()]
    if not files:
        raise InputError(f"{source}: expected files with text, found none")
    return files


def _texts(path: Path) -> Iterator[str]:
    name = unpacked_name(path)
    if name.endswith(".xml"):
        for gloss in read_glosses(path):
            yield from (*gloss.definitions, *gloss.examples)
            for lemma in gloss.lemmas:
                yield " ".join((lemma, *gloss.definitions[:1]))
    elif name.endswith(".conllu"):
        yield from (line.removeprefix(_TEXT) for _, line in numbered_lines(path) if line.startswith(_TEXT))
    elif name.endswith(".txt"):
        yield from (line for _, line in numbered_lines(path))
    else:
        raise InputError(f"{path}: expected a wordnet (*.xml), a treebank (*.conllu) or lines (*.txt)")
