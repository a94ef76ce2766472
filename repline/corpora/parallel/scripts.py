"""Whether a text is written as its language is: a translation that is missing is often the English text."""

import re

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〇]")
KANA = re.compile("[\u3040-\u30ff\uff66-\uff9f]")
LEAST_HAN = 0.2  # of the characters of a Chinese text


def foreign(text: str, language: str) -> str | None:
    """Why a text cannot be of the language, or None; languages but Chinese and Japanese are not looked at.

    >>> foreign("ファイル", "zh")
    'it has kana'

    Chinese has at least a fifth of Han characters and no kana; Japanese has Han characters or kana.
    """
    match language.lower().replace("_", "-").partition("-")[0]:
        case "zh":
            if KANA.search(text):
                return "it has kana"
            share = len(HAN.findall(text)) / max(len(text), 1)
            return f"{share:.0%} of it are Chinese characters" if share < LEAST_HAN else None
        case "ja":
            return None if HAN.search(text) or KANA.search(text) else "it has neither kana nor Chinese characters"
    return None
