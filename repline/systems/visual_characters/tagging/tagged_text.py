"""Hand-segmented and tagged Chinese text: readers, and words as labels of characters (B or I, and the tag).

A sentence is a list of (word, tag).
"""

import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from repline.corpora.chunks.tag_spans import Span
from repline.errors import InputError, in_one_line, shown
from repline.reading import conllu
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

Sentence = list[tuple[str, str]]
FULL_STOPS = frozenset("。！？；")
SINICA = "sinica_treebank/parsed"
TERMINAL = re.compile(r"(?:^|[(|])(?:[^():|]*:)+([^():|]+):([^():|]+)")  # role:POS:word


def read_tagged(
    path: str | Path,
    tag_letters: int | None = 1,
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
) -> list[Sentence]:
    """Sentences of a file, whose name gives its format.

    Args:
        path: `*.txt` or `*.txt.gz` with `word/TAG` between blanks, as the People's Daily
            (Ng and ng are one tag there); `*.conllu` or `*.conllu.gz`
            (tag: UPOS); or `sinica_treebank.zip` of NLTK.
        tag_letters: of a tag only its first letters count; None for all. UPOS is kept as it is.
        on_error: at a wrong line, or sentence of a treebank; or an account of them, which the caller reads later.
        encoding: of a text without a byte order mark.

    Raises:
        InputError: another kind of file, a broken line, or no sentence.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    ending = unpacked_name(path)
    if ending.endswith(".conllu"):
        rows = _treebank(path, left_out, encoding)
        sentences = [[(word, str(tag)) for word, tag in zip(row["tokens"], row["pos"], strict=True)] for row in rows]
        tag_letters = None
    elif ending.endswith(".zip"):
        sentences = list(_sinica(path))
    elif ending.endswith(".txt"):
        sentences = [[(word, tag.lower()) for word, tag in sentence] for sentence in _slashes(path, left_out, encoding)]
    else:
        raise InputError(f"{path}: expected *.txt with word/TAG, *.conllu, or sinica_treebank.zip")
    if not sentences:
        raise InputError(f"{path}: expected tagged sentences, found none")
    return [[(word, tag[:tag_letters]) for word, tag in sentence] for sentence in sentences]


def labels(sentence: Sentence) -> list[str]:
    """A label for each character: B-tag at the first of a word, I-tag at the others."""
    return [f"{'BI'[position > 0]}-{tag}" for word, tag in sentence for position in range(len(word))]


def span_counts(gold: Sequence[Span], predicted: Sequence[Span]) -> tuple[int, int, int, int, int]:
    """Counts of one sentence: gold words, predicted words, right words with their tags, right words, right tags.

    The last one counts characters whose word has the right tag.
    """
    n_right = len(set(gold) & set(predicted))
    n_right_words = len({span[1:] for span in gold} & {span[1:] for span in predicted})
    tags = sum(
        gold_tag == predicted_tag
        for gold_tag, predicted_tag in zip(_by_character(gold), _by_character(predicted), strict=True)
    )
    return len(gold), len(predicted), n_right, n_right_words, tags


def f1(gold: float, predicted: float, n_right: float) -> float:
    """F1 of sums over sentences; 0 where there is nothing."""
    return 2 * n_right / (gold + predicted) if gold + predicted else 0.0


class MostFrequentLabel:
    """The baseline: each character gets its commonest label of training, an unknown one the commonest B."""

    def __init__(self, sentences: Sequence[Sentence]):
        counts: dict[str, Counter[str]] = {}
        overall: Counter[str] = Counter()
        for sentence in sentences:
            text = "".join(word for word, _ in sentence)
            for character, label in zip(text, labels(sentence), strict=True):
                counts.setdefault(character, Counter())[label] += 1
                overall[label] += label.startswith("B")
        self.best = {character: _commonest(tag_counts) for character, tag_counts in counts.items()}
        self.unknown = _commonest(overall)

    def __call__(self, text: str) -> list[str]:
        return [self.best.get(character, self.unknown) for character in text]


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda label: (-counts[label], label))


def _by_character(words: Sequence[Span]) -> list[str]:
    return [tag for tag, start, end in words for _ in range(start, end)]


def _treebank(path: Path, left_out: LeftOut, encoding: str) -> Iterator[conllu.Sentence]:
    for number, row in enumerate(conllu.read([path], on_error=left_out, encoding=encoding), start=1):
        if None in row["pos"]:
            problem = "expected a UPOS tag with every word"
            left_out.add(WrongRecord(path, f"sentence {number}", problem, "a word without a tag"))
        else:
            yield row


def _slashes(path: Path, left_out: LeftOut, encoding: str) -> Iterator[Sentence]:
    """Lines of `word/TAG`, a paragraph each, cut after full stops; [ and ]TAG around compounds are dropped."""
    for number, line in visible_lines(path, encoding, left_out):
        words: Sentence = []
        with left_out:
            for field in line.split():
                word, slash, tag = field.removeprefix("[").rpartition("/")
                word, tag = re.sub(r"\{.*\}", "", word), tag.partition("]")[0]
                if not (word and slash and tag):
                    problem = f"expected words as word/TAG, found {shown(field)}"
                    raise WrongRecord(path, f"line {number}", problem, "a word without a tag")
                words.append((word, tag))
            yield from _cut(words)


def _cut(words: Sentence) -> Iterator[Sentence]:
    """The sentences of a paragraph, cut after full stops."""
    start = 0
    for end, (word, _) in enumerate(words, start=1):
        if word in FULL_STOPS or end == len(words):
            yield words[start:end]
            start = end


def _sinica(path: Path) -> Iterator[Sentence]:
    try:
        with zipfile.ZipFile(path) as archive, archive.open(SINICA) as file:
            lines = file.read().decode("utf-8").splitlines()
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: expected the zip of NLTK's Sinica Treebank with {SINICA} ({in_one_line(error)})"
        ) from None
    for line in lines:
        sentence = [(word, tag) for tag, word in TERMINAL.findall(line)]
        if sentence:
            yield sentence
