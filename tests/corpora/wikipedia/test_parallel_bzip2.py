import bz2
import io
import random

import pytest

from repline.corpora.wikipedia import dump_files
from repline.corpora.wikipedia.dump_files import Damage, unpacked
from repline.corpora.wikipedia.extraction import extract
from repline.corpora.wikipedia.parallel_bzip2 import in_parallel
from repline.corpora.wikipedia.recipes import Extraction
from repline.errors import InputError
from tests.corpora.wikipedia.dumps import dump, page, pages

CHUNK = 1 << 14
WORDS = [bytes(random.Random(number).choices(b"abcdefghij \n", k=2 + number % 8)) for number in range(3000)]
XML = b"".join(random.Random(1).choices(WORDS, k=70_000))
WHOLE = bz2.compress(XML, 1)  # four blocks
EMPTY = bz2.compress(b"")


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(dump_files, "CHUNK", CHUNK)
    monkeypatch.setattr(dump_files, "PIECE", 1 << 12)


def read(chunks):
    """The bytes of `chunks`, and the message of the break that ends them, if any."""
    read_bytes = []
    try:
        read_bytes.extend(iter(chunks))
    except Damage as damage:
        return b"".join(read_bytes), str(damage)
    return b"".join(read_bytes), None


def both(folder, data):
    """What two threads read, and what one thread reads."""
    path = folder / "é 貓.bz2"
    path.write_bytes(data)
    return read(in_parallel(path, 2, CHUNK, lambda: unpacked(io.BytesIO(data)))), read(unpacked(io.BytesIO(data)))


@pytest.mark.parametrize("data", [WHOLE, WHOLE + WHOLE, WHOLE + b"\0" * 1000, bz2.compress(XML * 4)])
def test_whole_streams_need_no_second_reading(tmp_path, data):
    path = tmp_path / "whole.bz2"
    path.write_bytes(data)
    result = read(in_parallel(path, 2, CHUNK, lambda: pytest.fail("one thread reads it again")))
    assert result == read(unpacked(io.BytesIO(data))) and result[0].startswith(XML)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (WHOLE[:-1], "cut off at byte"),
        (WHOLE[: len(WHOLE) // 2], "cut off at byte"),
        (WHOLE[:10], "cut off at byte 10"),
        (WHOLE[:4], "cut off at byte 4"),
        (WHOLE + WHOLE[:-7], "cut off at byte"),
        (WHOLE + b"BZh9", "cut off at byte"),
        (WHOLE + b"more", "something else follows a complete stream"),
        (WHOLE[:-4] + b"zzzz", "damaged before byte"),  # the CRC of the stream
        (WHOLE[:70_000] + b"?" + WHOLE[70_001:], "damaged before byte"),
        (WHOLE[:70_000] + bytes(5000) + WHOLE[75_000:], "damaged before byte"),
        (EMPTY, None),
        (WHOLE + EMPTY, None),
    ],
)
def test_what_one_thread_says_of_a_file(tmp_path, data, message):
    by_two, by_one = both(tmp_path, data)
    assert by_two == by_one
    assert (by_one[1] is None) if message is None else (message in by_one[1])


def test_any_damage_breaks_at_the_same_byte(tmp_path):
    chance = random.Random(2)
    for _ in range(25):
        position = chance.randrange(4, len(WHOLE) - 10)
        removed, added = chance.choice([(1, 1), (0, 7), (5, 0), (20, 20), (len(WHOLE), 0)])
        by_two, by_one = both(tmp_path, WHOLE[:position] + chance.randbytes(added) + WHOLE[position + removed :])
        assert by_two == by_one and by_one[1]


@pytest.fixture(scope="module")
def big():
    """A dump of a few hundred kilobytes that hardly compress."""
    chance = random.Random(3)
    texts = ["".join(chr(0x4E00 + chance.randrange(20000)) for _ in range(4000)) for _ in range(24)]
    return dump([*pages(12), *(page(number, f"Noise {number}", text) for number, text in enumerate(texts, start=13))])


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_four_processes_give_the_corpus_of_one(tmp_path, big):
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(bz2.compress(big, 1))
    for processes in (1, 4):
        extract(path, tmp_path / str(processes), processes=processes)
    assert bytes_of(tmp_path / "1") == bytes_of(tmp_path / "4")


def test_four_processes_refuse_and_salvage_a_cut_dump_like_one(tmp_path, big):
    path = tmp_path / "wiki.xml.bz2"
    whole = bz2.compress(big, 1)
    path.write_bytes(whole[: 2 * len(whole) // 3])
    messages = []
    for processes in (1, 4):
        with pytest.raises(InputError) as refused:
            extract(path, tmp_path / "articles", processes=processes)
        messages.append(str(refused.value))
        extract(path, tmp_path / str(processes), Extraction(on_error="salvage"), processes=processes)
    assert messages[0] == messages[1] and f"cut off at byte {2 * len(whole) // 3} of the file" in messages[0]
    assert "the last good page is 'Noise " in messages[0]
    assert bytes_of(tmp_path / "1") == bytes_of(tmp_path / "4")
