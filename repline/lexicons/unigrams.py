"""How often words occur: lists of counts, and the frequency lists of wordfreq."""

from pathlib import Path

import pyarrow as pa

from repline.errors import InputError, in_one_line, shown
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

DIGITS = 18  # of the largest count
UNIGRAMS = pa.schema([("word", pa.string()), ("count", pa.float64())])


def read_unigrams(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> pa.Table:
    """Words with their counts, or with frequencies, which are proportional to counts.

    Args:
        path: a text with `word count` a line, a tab or blanks between them, plain or `.gz`; or a frequency list of
            wordfreq (`.msgpack.gz`), whose words come in steps of a hundredth of a power of ten.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a text without a byte order mark.

    Returns:
        a table with the schema UNIGRAMS, in the order of the file; of a word that is there twice, the sum.

    Raises:
        InputError: a line that is not as described, or no word.
    """
    path = Path(path)
    counts: dict[str, float] = {}
    if path.name.endswith(".msgpack.gz"):
        from wordfreq import read_cBpack

        try:
            steps = read_cBpack(str(path))
        except Exception as error:
            raise InputError(
                f"{path}: this is no frequency list of wordfreq ({in_one_line(error)}); get it again"
            ) from None
        counts = {word: 10 ** (-step / 100) for step, words in enumerate(steps) for word in words}
    else:
        left_out = LeftOut.of(on_error)
        for number, line in visible_lines(path, encoding, left_out):
            *words, count = line.rsplit(None, 1) or [""]
            word = "".join(words).strip()
            if not word or "\t" in word or not count.isdecimal() or len(count) > DIGITS or int(count) == 0:
                problem = f"expected a word and its count, found {shown(line)}"
                left_out.add(WrongRecord(path, f"line {number}", problem, "no word with its count"))
                continue
            counts[word] = counts.get(word, 0) + int(count)
    if not counts:
        raise InputError(f"{path}: expected words with their counts, found none")
    return pa.table({"word": list(counts), "count": list(counts.values())}, schema=UNIGRAMS)
