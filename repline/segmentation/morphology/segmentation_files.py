"""Published segmentations of words into morphs, as mappings of a word to its segmentations.

A word may have several. All letters are in lower case; morphs whose letters do not make up the word are left out, as
are the morphs without letters of Morpho Challenge.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from repline.errors import InputError, shown
from repline.reading.conllu import has_heads
from repline.reading.conllu import read as read_conllu
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.segmentation.combining_marks import is_letters
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.letters import from_ascii, lower_case

Segmentations = dict[str, list[Segmentation]]
GROUP = "ig"  # the relation of an inflectional group with the next one of its word
_ONE_LINE = "a word, a tab and its morphs with blanks or hyphens between (kitaplar<tab>kitap lar), or word:morph-morph"
_SLOT = "###"  # an unused place for a candidate


def read(
    path: str | Path, language: str, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Segmentations:
    """The segmentations in a file, plain or `.gz`; its name or its first line tells the form.

    - `word: a-b` or `word:a-b+ab`, candidates between plus signs: the authors of morph2vec;
    - `word<tab>a:label b:label, ab:label`: Morpho Challenge, Turkish in ASCII letters;
    - `word<tab>a @@b<tab>100`: SIGMORPHON 2022; canonical morphemes; only segmentations that spell the word count;
    - `*.conllu`: treebanks that split words at derivations, as the Turkish Web Treebank;
    - `word<tab>a b`, or two columns with hyphens between morphs: your own.

    Args:
        language: its code, for the lower case.
        on_error: at a wrong line, or sentence of a treebank; or an account of them, and of segmentations that do not
            spell their word, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, a line of another form, or no segmentation at all.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    name = unpacked_name(path)
    if name.endswith(".conllu"):
        words_and_morphs: Iterator[tuple[str, Segmentation]] = _inflectional_groups(path, left_out, encoding)
    else:
        words_and_morphs = _lines(path, left_out, encoding, ascii_letters=name.endswith(".tur"))
    segmentations: Segmentations = {}
    for word, morphs in words_and_morphs:
        word = lower_case(word, language)
        morphs = tuple(lower_case(morph, language) for morph in morphs if morph)
        if not word or "".join(morphs) != word:
            left_out.pass_over("segmentations that do not spell their word")
        elif morphs not in segmentations.setdefault(word, []):
            segmentations[word].append(morphs)
    if not segmentations:
        raise InputError(f"{path}: expected words and their morphs, found none")
    return segmentations


def labels(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> dict[str, set[str]]:
    """The surface forms of each grammatical label of a Morpho Challenge file: +PL -> lar, ler.

    Labels of stems and of forms without letters do not count.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: as in `read`, or a file of another form.
    """
    path = Path(path)
    convert = from_ascii if unpacked_name(path).endswith(".tur") else str
    forms: dict[str, set[str]] = {}
    left_out = LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        with left_out:
            for analysis in _fields(path, number, line)[1].split(", ") if line.strip() else ():
                for part in analysis.split():
                    surface, _, label = part.rpartition(":")
                    if label.startswith("+") and surface and surface != "~":
                        forms.setdefault(label, set()).add(convert(surface))
    if not forms:
        raise InputError(f"{path}: expected morphs with labels like lar:+PL, found none")
    return forms


def _form(path: Path, number: int, line: str) -> Callable[[str], Iterator[Segmentation]]:
    rest = line.partition("\t")[2] if "\t" in line else line
    if "\t" not in line:
        if ":" not in line:
            problem = f"expected {_ONE_LINE}, found {shown(line)}"
            raise WrongRecord(path, f"line {number}", problem, "no word with its morphs")
        return _candidates
    if re.search(r"\S:\S", rest):
        return _morpho_challenge
    return _plain


def _lines(path: Path, left_out: LeftOut, encoding: str, ascii_letters: bool) -> Iterator[tuple[str, Segmentation]]:
    form = None  # that of the first line which has one
    for number, line in visible_lines(path, encoding, left_out):
        if not line.strip():
            continue
        with left_out:
            form = form or _form(path, number, line)
            if form is _candidates:
                word, colon, rest = line.partition(":")
                if not colon or not word.strip() or not rest.strip():
                    problem = f"expected `word:morph-morph`, found {shown(line)}"
                    raise WrongRecord(path, f"line {number}", problem, "no word with its morphs")
            else:
                word, rest = _fields(path, number, line)
            for morphs in form(rest.strip()):
                if ascii_letters:
                    yield from_ascii(word), tuple(map(from_ascii, morphs))
                else:
                    yield word.strip(), morphs


def _fields(path: Path, number: int, line: str) -> tuple[str, str]:
    word, tab, rest = line.partition("\t")
    if not tab or not word or not rest.strip():
        problem = f"expected a word, a tab and its morphs with blanks or hyphens between, found {shown(line)}"
        raise WrongRecord(path, f"line {number}", problem, "no word with its morphs")
    return word, rest


def _candidates(text: str) -> Iterator[Segmentation]:
    for morphs in text.split("+"):
        if morphs.strip() != _SLOT:
            yield tuple(morphs.strip().split("-"))


def _morpho_challenge(text: str) -> Iterator[Segmentation]:
    for analysis in text.split(", "):
        surfaces = [part.rpartition(":")[0] for part in analysis.rstrip(",").split()]
        yield tuple(surface for surface in surfaces if surface != "~")


def _plain(text: str) -> Iterator[Segmentation]:
    morphs = text.split("\t")[0]
    if "@@" in morphs or " " in morphs:
        yield tuple(morph.removeprefix("@@") for morph in morphs.split())
    else:
        yield tuple(morphs.split("-"))


def _inflectional_groups(path: Path, left_out: LeftOut, encoding: str) -> Iterator[tuple[str, Segmentation]]:
    """The words of a treebank, with the parts that the relation `ig` ties to the next one as their morphs."""
    for sentence in read_conllu([path], on_error=left_out, encoding=encoding):
        if not has_heads(sentence):
            name = f"sentence {sentence['sentence_id'] + 1} of document {shown(sentence['doc_id'])}"
            problem = "it has no heads, which say what words are split into"
            left_out.add(WrongRecord(path, name, problem, "a sentence without heads"))
            continue
        morphs: list[str] = []
        for position, token in enumerate(sentence["tokens"]):
            morphs.append(token)
            if sentence["dep"][position] == GROUP and sentence["head"][position] == position + 1:
                continue
            if all(map(is_letters, morphs)):
                yield "".join(morphs), tuple(morphs)
            morphs = []
