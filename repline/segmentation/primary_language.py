"""The language of a code such as `zh`, `zh_CN` or `zho`, and codes that are none."""

import re

from repline.errors import InputError, shown

ISO_639_1 = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja
    jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb
    nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so
    sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_TWO_LETTERS = frozenset(re.findall(r"\w+", ISO_639_1))
# of languages with a segmenter or model
_OTHER_CODES = {
    "zho": "zh",
    "chi": "zh",
    "cmn": "zh",
    "jpn": "ja",
    "eng": "en",
}
_COUNTRIES = {"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk"}  # taken for codes of languages
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")


def primary_language(code: str) -> str:
    """The language of a code in lower case, without country, writing and variant.

    >>> primary_language("zh_CN"), primary_language("pt-BR"), primary_language("jpn"), primary_language("xx")
    ('zh', 'pt', 'ja', 'xx')

    Raises:
        InputError: it is no code of two or three letters, or one of two that ISO 639-1 lacks. Those that begin with x
            may stand for any language; spaCy calls that of no language in particular so.

    Source: ISO 639, https://www.loc.gov/standards/iso639-2/php/code_list.php
    """
    match = _CODE.fullmatch(code.lower())
    if match is None:
        raise InputError(f"expected the code of a language, such as de, zh or ja, found {shown(code)}")
    primary = match[1]
    if len(primary) == 2 and primary not in _TWO_LETTERS and primary[0] != "x":
        meant = _COUNTRIES.get(primary)
        remedy = f"take {meant}" if meant else "take one of ISO 639, such as de, zh or ja"
        raise InputError(f"expected the code of a language, found {shown(code)}, which is the code of none; {remedy}")
    return _OTHER_CODES.get(primary, primary)
