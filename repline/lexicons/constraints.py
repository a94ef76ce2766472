"""Constraint sets: pairs of words that should come near each other (synonyms) or apart (antonyms)."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import card_or_files, write_card
from repline.errors import InputError, in_one_line, shown
from repline.files import new_folder
from repline.lexicons.recipes import Constraints, PairForm
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.synsets import WordNet
from repline.reading.settings import Head, TableReading
from repline.reading.table_fields import refuse_marks
from repline.reading.table_heads import below_head, head_columns
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.segmentation.morphology.letters import lower_case

Pair = tuple[str, str]
HEADS = {("word1", "word2"), ("word", "synonym"), ("word", "antonym"), ("source", "target"), ("first", "second")}
SCHEMA = pa.schema([("left", pa.string()), ("right", pa.string()), ("source", pa.string())])


def read_pairs(
    path: str | Path,
    *,
    form: PairForm = "pairs",
    language: str | None = None,
    lower: bool = True,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
    head: Head = "auto",
) -> list[Pair]:
    """Read a constraint file; plain or compressed.

    Args:
        form: pairs, two words a line, as counter-fitting and Attract-Repel have them; or lists, a word and all its
            synonyms or antonyms a line, as Zhang et al. have them.
        language: where words are marked ("en_happy"): keep the pairs whose words are both of this language, without the
            mark; None for files without marks.
        lower: whether words are lower-cased.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.
        head: whether the first line names the columns; auto recognises pairs like `word1 word2`, `word synonym`.

    Returns:
        Different unordered pairs in the order of the file, without pairs of a word with itself.

    Raises:
        InputError: no such file, a line that is not two words (of a list: fewer than two), naming it, or no pair left.

    Source: Mrkšić et al. 2016 (Counter-fitting), 2017 (Attract-Repel); Zhang et al. 2014 (lists).
    """
    pairs, left_out = [], LeftOut.of(on_error)
    lines = visible_lines(path, encoding, left_out)
    for number, line in below_head(
        path, lines, left_out, lambda line: head_columns(head, line.split(), HEADS) is not None
    ):
        words = (lower_case(line, language or "") if lower else line).split()
        with left_out:
            if len(words) < 2 or (len(words) > 2 and form == "pairs"):
                expected = "two words" if form == "pairs" else "a word and others"
                problem = f"expected {expected}, found {len(words)}: {shown(line)}"
                raise WrongRecord(path, f"line {number}", problem, f"{len(words)} words instead of 2")
            if language is not None:
                marks = [word.partition("_") for word in words]
                if any(not mark or not rest for _, mark, rest in marks):
                    problem = f"expected words like {language}_word, found {shown(line)}"
                    raise WrongRecord(path, f"line {number}", problem, "a word without its language")
                if any(mark != language for mark, _, _ in marks):
                    continue
                words = [rest for _, _, rest in marks]
            pairs += [(words[0], word) for word in words[1:]]
    if not pairs:
        raise InputError(f"{path}: expected pairs of words{f' of {language}' if language else ''}, found none")
    refuse_marks(path, (word for pair in pairs for word in pair))
    return unordered(pairs)


def wordnet_synonyms(wordnet: WordNet, pos: Sequence[str] | None = None) -> list[Pair]:
    """Every two lower-cased lemmas that share a synset, each pair and the list in order.

    Args:
        pos: of the synsets; None for all.
    """
    pairs: set[Pair] = set()
    for synset in wordnet:
        if pos is None or synset.pos in pos:
            lemmas = sorted({lemma.lower() for lemma in synset.lemmas})
            pairs.update((first, second) for start, first in enumerate(lemmas) for second in lemmas[start + 1 :])
    return sorted(pairs)


def wordnet_antonyms(wordnet: WordNet, pos: Sequence[str] | None = None, *, indirect: bool = False) -> list[Pair]:
    """Every two lower-cased lemmas that an antonym pointer joins, each pair and the list in order.

    Args:
        pos: of the synsets; None for all.
        indirect: also every word of the one synset with every word of the other, and of the synsets similar to either
            (the satellites of an adjective: dry - wet gives arid - wet).

    Source: for the indirect ones Miller 1995, the model of adjectives.
    """
    pairs: set[Pair] = set()
    for synset in wordnet:
        if pos is not None and synset.pos not in pos:
            continue
        for pointer in synset.pointers:
            if pointer.relation != "antonym":
                continue
            target = wordnet[pointer.target]
            source_words = _words(wordnet, synset, pointer.source_word, indirect)
            target_words = _words(wordnet, target, pointer.target_word, indirect)
            if indirect:  # a satellite against a head, never against a satellite of the other side
                heads = {lemma.lower() for lemma in synset.lemmas}, {lemma.lower() for lemma in target.lemmas}
                pairs.update((a, b) for a in source_words for b in target_words if a in heads[0] or b in heads[1])
            else:
                pairs.update((a, b) for a in source_words for b in target_words)
    return sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})


def unordered(pairs: Iterable[Pair]) -> list[Pair]:
    """Different pairs in the order in which they first come, whichever way round, without a word with itself."""
    seen: dict[Pair, Pair] = {}
    for first, second in pairs:
        if first != second:
            seen.setdefault((min(first, second), max(first, second)), (first, second))
    return list(seen.values())


def write_constraints(path: str | Path, sets: dict[str, list[Pair]]) -> None:
    """Write pairs of several sources as Parquet (columns `left`, `right`, `source`) to a path that is not there yet."""
    rows = [(first, second, source) for source, pairs in sets.items() for first, second in pairs]
    columns = [pa.array([row[column] for row in rows], pa.string()) for column in range(3)]
    pq.write_table(pa.table(columns, schema=SCHEMA), path, compression="zstd")


def write_constraint_set(folder: str | Path, constraints: Constraints, data: str | Path = "data") -> dict[str, int]:
    """Write synonyms.parquet, antonyms.parquet and a card; returns how many pairs of each kind there are.

    Args:
        folder: replaces what was there; its name is the source of the pairs.
        constraints: the wordnet or the files that they come from.
        data: where these lie.

    Raises:
        InputError: `constraints.place` is not there, or a file has no pairs of words.
    """
    folder, source = Path(folder), Path(data) / constraints.place
    left_out = LeftOut(constraints.on_error)
    pairs = _pairs_of(source, constraints, left_out)
    card = card_or_files(source)
    counts = {kind: len(kind_pairs) for kind, kind_pairs in pairs.items()}
    with new_folder(folder) as partial:
        for kind, kind_pairs in pairs.items():
            write_constraints(partial / f"{kind}.parquet", {folder.name: kind_pairs})
        write_card(
            partial,
            name=folder.name,
            description="Pairs of synonyms and of antonyms, unordered",
            licence=card["licence"],
            sources=[card],
            parameters={"name": folder.name} | constraints.model_dump(exclude_unset=True),
            counts=counts | left_out.counts(),
            notes=left_out.notes(),
        )
    return counts


def read_constraints(path: str | Path, sources: Sequence[str] | None = None) -> list[Pair]:
    """Read what `write_constraints` wrote: different unordered pairs of all or of some sources.

    Raises:
        InputError: no such file, another kind of file, or a source that it does not have.
    """
    try:
        table = pq.read_table(path, schema=SCHEMA)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; run `dvc repro` for the constraints") from None
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: this is no table of pairs ({in_one_line(error)})") from None
    rows = table.to_pylist()
    sources_in_file = {row["source"] for row in rows}
    for source in sources or ():
        if source not in sources_in_file:
            raise InputError(
                f"{path}: there are no pairs of {shown(source)}; there are {', '.join(sorted(sources_in_file))}"
            )
    return unordered((row["left"], row["right"]) for row in rows if sources is None or row["source"] in sources)


def _pairs_of(source: Path, constraints: Constraints, left_out: LeftOut) -> dict[str, list[Pair]]:
    if (source / "synsets.parquet").exists():
        wordnet = storage.load(source)
        antonyms = wordnet_antonyms(wordnet, indirect=constraints.indirect_antonyms)
        return {"synonyms": wordnet_synonyms(wordnet), "antonyms": antonyms}
    files = {"synonyms": constraints.synonyms, "antonyms": constraints.antonyms}
    reading = TableReading(on_error=left_out, encoding=constraints.encoding)
    return {
        kind: read_pairs(
            source / file, form=constraints.form, language=constraints.language, head=constraints.head, **reading
        )
        if file
        else []
        for kind, file in files.items()
    }


def _words(wordnet: WordNet, synset, word: int, indirect: bool) -> set[str]:
    if not indirect:
        return {lemma.lower() for lemma in (synset.lemmas[word - 1 : word] if word else synset.lemmas)}
    words = {lemma.lower() for lemma in synset.lemmas}
    for pointer in synset.pointers:
        if pointer.relation == "similar_to":
            words.update(lemma.lower() for lemma in wordnet[pointer.target].lemmas)
    return words
