"""The English captions of Multi30k's task 2: five files a part, whose lines of one number describe one picture.

{train,val,test_2016}.{1..5}.en hold the captions, {train,val,test_2016_flickr}.txt the names of the pictures. The five
of a picture are sorted by length in this corpus: those of file 1 are the longest.

Source: Elliott, Frank, Sima'an & Specia 2016, "Multi30K: Multilingual English-German Image Descriptions".
"""

from collections.abc import Iterator
from pathlib import Path

from repline.corpora.captions.picture import Part, Picture
from repline.errors import InputError
from repline.reading.text_files import numbered_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

FILES: dict[Part, tuple[str, str]] = {
    "train": ("train", "train.txt"),
    "dev": ("val", "val.txt"),
    "test": ("test_2016", "test_2016_flickr.txt"),
}
CAPTIONS = 5


def read_multi30k(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Picture]:
    """The pictures of the three parts, in the order of their files.

    Args:
        on_error: at a picture without a name; or an account of them, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: a missing file, files of one part that differ in length, or an empty name.
    """
    folder, left_out = Path(folder), LeftOut.of(on_error)
    for part, (stem, names) in FILES.items():
        files = [folder / names, *(folder / f"{stem}.{number}.en" for number in range(1, CAPTIONS + 1))]
        columns = [[line.strip() for _, line in numbered_lines(file, encoding)] for file in files]
        for file, column in zip(files, columns, strict=True):
            if len(column) != len(columns[0]):
                raise InputError(
                    f"{file}: expected {len(columns[0])} lines, as {files[0].name} has, found {len(column)}"
                )
        for number, (name, *captions) in enumerate(zip(*columns, strict=True), start=1):
            if not name:
                problem = "expected the name of a picture, found nothing"
                left_out.add(WrongRecord(files[0], f"line {number}", problem, "a picture without a name"))
                continue
            yield Picture(name, part, captions)
