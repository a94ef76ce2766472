"""Three hundred damaged dumps: each is refused in one sentence or gives at least as many articles as the whole one."""

import bz2
import random
import re
import time

import pytest

from repline.corpora.wikipedia.extraction import extract
from repline.errors import InputError
from tests.corpora.wikipedia.dumps import dump, multistream, pages

PAGES = pages(12)
WHOLE = 8  # articles


def flipped(data, choose):
    changed = bytearray(data)
    for _ in range(choose.choice([1, 1, 1, 2, 5])):
        changed[choose.randrange(len(changed))] ^= 1 << choose.randrange(8)
    return bytes(changed)


def replaced(data, choose):
    changed = bytearray(data)
    changed[choose.randrange(len(changed))] = choose.randrange(256)
    return bytes(changed)


def cut(data, choose):
    return data[: choose.randrange(len(data))]


def doubled(data, choose):
    start, length = choose.randrange(len(data)), choose.choice([1, 10, 100, 1000, 3000])
    position = choose.choice([start + length, choose.randrange(len(data))])
    return data[:position] + data[start : start + length] + data[position:]


def lost(data, choose):
    start = choose.randrange(len(data))
    return data[:start] + data[start + choose.choice([1, 10, 100, 1000, 3000]) :]


MUTATIONS = [flipped, replaced, cut, doubled, lost]
FORMS = {
    "xml": dump(PAGES),
    "xml.bz2": bz2.compress(dump(PAGES)),
    "multistream.xml.bz2": multistream(PAGES),
}


# A span lost from plain XML can reach from the head of one page to the same position in another one and leave no trace;
# one that begins or ends in a text is known by its SHA-1, see test_wikipedia.py.
CASES = [(form, mutation) for form in FORMS for mutation in MUTATIONS if (form, mutation) != ("xml", lost)]


@pytest.mark.parametrize(("form", "mutation"), CASES)
def test_no_mutation_ends_in_a_traceback_a_hang_or_a_silently_shorter_corpus(tmp_path, form, mutation):
    choose = random.Random(f"{form} {mutation.__name__}")
    path, folder = tmp_path / f"wiki.{form}", tmp_path / "articles"
    refused = 0
    for _ in range(20 if form.endswith("bz2") else 60):
        path.write_bytes(mutation(FORMS[form], choose))
        started = time.monotonic()
        try:
            card = extract(path, folder)
        except InputError as error:
            refused += 1
            assert re.fullmatch(r"[^\n]{20,600}", str(error))
            assert not folder.exists()
        else:
            assert card["counts"]["articles"] >= WHOLE
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
        assert time.monotonic() - started < 10
    assert refused > 0
