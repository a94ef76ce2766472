"""Scenes as text files in the format of MD-TC.

    NAME.train.txt           complete sentences: id form lemma cpos pos feats head deprel reference, between tabs
    NAME.train_context.txt   triplets: argument, $Type$, predicate; one block for all sentences, or one for each
    NAME.test.txt            the same sentences with a word missing (form ??); without it every referenced word goes
    NAME.test_context.txt    one block for each of them; without it they have the block of NAME.train_context.txt

A gap in NAME.train.txt is closed by its lemma; MD-TC has one such gap.
Blank lines, which may hold tabs, stand between sentences and between blocks. Alternative references are joined by
`//`. The files of the authors' ten folds have the names TrainK.txt, TrainK.txt_context.txt, TestK.txt and
TestK.txt_context.txt. All of them may lie in zip archives.

Source: https://github.com/rekaby/MD-TC.V1.0, dataset/txt_compl11; the oddities are those of its files.
"""

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from repline.corpora.scenes.scene import GAP, RELATIONS, Scene, SceneSentence, Triplet, Word, check_heads
from repline.errors import InputError, in_one_line, shown
from repline.files import new_file
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import numbered_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

LARGEST = 64 << 20  # bytes of one member of an archive, unpacked
FIELDS = 9  # of a word
_LINE_END = re.compile(r"\r\n|\r|\n")


class SceneFolder:
    """The text files in a folder and in the zip archives of it, by their names without folders.

    Args:
        folder: with `.txt` files, or `.zip` archives that hold some.

    Raises:
        InputError: there is no such folder, or an archive is damaged.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: there is no such folder of scenes")
        self._members: dict[str, list[tuple[Path, str]]] = {}
        for path in sorted(self.folder.iterdir()):
            if unpacked_name(path).endswith(".txt"):
                self._members.setdefault(unpacked_name(path), []).append((path, ""))
            elif path.suffix == ".zip":
                try:
                    with zipfile.ZipFile(path) as archive:
                        members = sorted(name for name in archive.namelist() if name.endswith(".txt"))
                except (zipfile.BadZipFile, OSError, ValueError) as error:
                    raise InputError(f"{path}: this is no zip archive ({in_one_line(error)}); get it again") from None
                for member in members:
                    self._members.setdefault(PurePosixPath(member).name, []).append((path, member))

    def names(self) -> list[str]:
        """The names of all files, sorted."""
        return sorted(self._members)

    def lines(self, name: str, folder: str = "") -> tuple[str, list[str]]:
        """Where a file lies, for messages, and its lines without line ends.

        Args:
            folder: of the archive, where several hold a file of this name.

        Raises:
            InputError: there is no such file, it is too large, damaged, or no UTF-8 text.
        """
        members = [file for file in self._members.get(name, []) if folder in ("", PurePosixPath(file[1]).parent.name)]
        if not members:
            raise InputError(f"{self.folder}: there is no file {name}, neither in the folder nor in an archive")
        path, member = members[0]
        where = f"{path}:{member}" if member else str(path)
        try:
            if member:
                with zipfile.ZipFile(path) as archive:
                    if archive.getinfo(member).file_size > LARGEST:
                        raise InputError(f"{where}: expected at most {LARGEST:,} bytes of text")
                    data = archive.read(member)
                return where, _LINE_END.split(data.decode("utf-8-sig"))
            return where, [line for _, line in numbered_lines(path)]
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as error:
            raise InputError(f"{where}: the file is damaged ({in_one_line(error)}); get it again") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{where}: expected UTF-8 text ({error.reason}); save it as UTF-8") from None


def read_scenes(folder: str | Path, *, cycles: bool = False, on_error: OnError | LeftOut = "stop") -> list[Scene]:
    """The scenes of a folder, in the order of their names, numbers as numbers.

    Sentences with a block of triplets each belong to one scene where their blocks are equal; such scenes are called
    NAME-1, NAME-2, ...

    Args:
        cycles: whether the heads of a sentence may form a cycle, as they do in some of MD-TC.
        on_error: at a wrong sentence or triplet; or an account of wrong ones, which the caller reads later.

    Raises:
        InputError: no scene, or a line that is not in the format, naming file and line.
    """
    files, left_out = SceneFolder(folder), LeftOut.of(on_error)
    names = [name.removesuffix(".train.txt") for name in files.names() if name.endswith(".train.txt")]
    if not names:
        raise InputError(f"{folder}: there are no scenes; expected files NAME.train.txt and NAME.train_context.txt")
    scenes = []
    for name in sorted(names, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)):
        blocks = _context(*files.lines(f"{name}.train_context.txt"), left_out)
        complete = [
            _closed(sentence) for sentence in _described(files, f"{name}.train.txt", blocks, name, cycles, left_out)
        ]
        gapped = None
        if f"{name}.test.txt" in files.names():
            context_file = f"{name}.test_context.txt"
            test_blocks = _context(*files.lines(context_file), left_out) if context_file in files.names() else blocks
            gapped = _described(files, f"{name}.test.txt", test_blocks, name, cycles, left_out)
        scenes += _scenes(name, complete, gapped)
    return scenes


def read_fold(
    folder: str | Path, number: int, *, cycles: bool = False
) -> tuple[list[SceneSentence], list[SceneSentence]]:
    """The complete sentences to train on and the sentences with gaps of one of the authors' folds, counted from 1.

    Raises:
        InputError: as in `read_scenes`.
    """
    files, left_out = SceneFolder(folder), LeftOut()
    parts = []
    for part in ("Train", "Test"):
        name = f"{part}{number}.txt"
        blocks = _context(*files.lines(f"{name}_context.txt"), left_out)
        parts.append(_described(files, name, blocks, name.removesuffix(".txt"), cycles, left_out))
    return parts[0], parts[1]


def write_scenes(folder: str | Path, scenes: Iterable[Scene]) -> None:
    """Write all scenes as `scenes.train.txt`, `scenes.test.txt` and their contexts, a block for each sentence."""
    all_scenes = list(scenes)
    for part in ("train", "test"):
        sentences = [
            sentence for scene in all_scenes for sentence in (scene.sentences if part == "train" else scene.gapped)
        ]
        with new_file(Path(folder) / f"scenes.{part}.txt") as partial:
            partial.write_text(
                "".join(f"{_rows(sentence)}\n" for sentence in sentences), encoding="utf-8", newline="\n"
            )
        with new_file(Path(folder) / f"scenes.{part}_context.txt") as partial:
            blocks = ("".join(f"{a}\t${r}$\t{p}\n" for a, r, p in sentence.triplets) for sentence in sentences)
            partial.write_text("".join(f"{block}\n" for block in blocks), encoding="utf-8", newline="\n")


def with_gaps(sentence: SceneSentence) -> list[SceneSentence]:
    """The sentence with each of its words that have a reference missing, one at a time."""
    return [
        SceneSentence(
            (*sentence.words[:position], word._replace(form=GAP), *sentence.words[position + 1 :]),
            *(sentence.triplets, sentence.scene, sentence.kind, sentence.asserted),
        )
        for position, word in enumerate(sentence.words)
        if word.references
    ]


def _closed(sentence: SceneSentence) -> SceneSentence:
    """The sentence with its gaps closed by their lemmas."""
    if not sentence.gaps:
        return sentence
    words = tuple(word._replace(form=word.lemma) if word.form == GAP else word for word in sentence.words)
    return SceneSentence(words, sentence.triplets, sentence.scene)


def _rows(sentence: SceneSentence) -> str:
    return "".join(
        f"{position}\t{word.form}\t{word.lemma}\t{word.coarse}\t{word.tag}\tO\t{word.head}\t{word.dep}\t"
        f"{'//'.join(word.references)}\n"
        for position, word in enumerate(sentence.words, start=1)
    )


def _described(
    files: SceneFolder,
    name: str,
    blocks: Sequence[tuple[Triplet, ...]],
    scene: str,
    cycles: bool,
    left_out: LeftOut,
) -> list[SceneSentence]:
    where, lines = files.lines(name)
    sentences: list[tuple[Word, ...] | None] = []
    for number, rows in _blocks(lines):
        sentences.append(None)
        with left_out:
            sentences[-1] = _words(where, number, rows, cycles)
    if len(blocks) == 1:
        blocks = list(blocks) * len(sentences)
    if len(blocks) != len(sentences):
        raise InputError(
            f"{where}: {len(sentences)} sentences, but {len(blocks)} blocks of triplets; expected one, or one for each"
        )
    return [
        SceneSentence(words, block, scene) for words, block in zip(sentences, blocks, strict=True) if words is not None
    ]


def _scenes(name: str, complete: Sequence[SceneSentence], gapped: Sequence[SceneSentence] | None) -> list[Scene]:
    """Sentences by their triplets: those with the same ones are of one scene."""
    sentences_with_gaps = [gap for sentence in complete for gap in with_gaps(sentence)] if gapped is None else gapped
    distinct_triplets = list(dict.fromkeys(sentence.triplets for sentence in (*complete, *sentences_with_gaps)))
    scenes = []
    for number, triplets in enumerate(distinct_triplets, start=1):
        scene_name = name if len(distinct_triplets) == 1 else f"{name}-{number}"
        parts = (
            tuple(
                SceneSentence(sentence.words, triplets, scene_name)
                for sentence in part
                if sentence.triplets == triplets
            )
            for part in (complete, sentences_with_gaps)
        )
        scenes.append(Scene(scene_name, triplets, *parts))
    return scenes


def _context(where: str, lines: list[str], left_out: LeftOut) -> list[tuple[Triplet, ...]]:
    blocks = []
    for _, rows in _blocks(lines):
        triplets = []
        for row, line in rows:
            with left_out:
                triplets.append(_triplet(where, row, line))
        blocks.append(tuple(triplets))
    if not blocks:
        raise InputError(f"{where}: expected triplets, found none")
    return blocks


def _triplet(file: str, row: int, line: str) -> Triplet:
    fields = [field.strip() for field in line.split("\t") if field.strip()]
    if len(fields) != 3:
        problem = f"expected argument, $Type$ and predicate between tabs, found {shown(line)}"
        raise WrongRecord(file, f"line {row}", problem, "no triplet")
    argument, kind, predicate = fields
    relation = re.fullmatch(r"\$(\w+)\$", kind)
    if relation is None or relation[1] not in RELATIONS:
        expected = ", ".join(f"${name}$" for name in RELATIONS)
        problem = f"unknown type of triplet {shown(kind)}; expected one of {expected}"
        raise WrongRecord(file, f"line {row}", problem, "an unknown type of triplet")
    return Triplet(argument, relation[1], predicate)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """The lines between blank ones, with their numbers from 1, after the number of the first."""
    rows: list[tuple[int, str]] = []
    for number, line in [*enumerate(lines, start=1), (len(lines) + 1, "")]:
        if line.strip():
            rows.append((number, line))
        elif rows:
            yield rows[0][0], rows
            rows = []


def _words(file: str, first: int, rows: list[tuple[int, str]], cycles: bool) -> tuple[Word, ...]:
    words: list[Word] = []
    for number, line in rows:
        where = f"line {number}"
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != FIELDS:
            problem = f"expected {FIELDS} fields between tabs, found {len(fields)}"
            raise WrongRecord(file, where, problem, f"{len(fields)} fields instead of {FIELDS}")
        if fields[0] == str(len(words)) and words:
            raise WrongRecord(
                file, where, f"word {shown(fields[0])} is there twice; a word has one head", "a word twice"
            )
        if fields[0] != str(len(words) + 1):
            problem = f"expected word number {len(words) + 1}, found {shown(fields[0])}"
            raise WrongRecord(file, where, problem, "another number of a word")
        if not fields[6].isdecimal():
            problem = f"expected the number of the head, found {shown(fields[6])}"
            raise WrongRecord(file, where, problem, "no number of a head")
        references = tuple(reference.strip() for reference in fields[8].split("//") if reference.strip())
        form, lemma, coarse, tag = fields[1:5]
        words.append(Word(form, lemma, coarse, tag, int(fields[6]), fields[7], references))
    where = f"line {first}"
    try:
        check_heads([word.head for word in words], f"{file}, {where}", cycles=cycles)
    except InputError as error:
        problem = str(error).removeprefix(f"{file}, {where}").lstrip(",: ")
        raise WrongRecord(file, where, problem, "wrong heads") from None
    return tuple(words)
