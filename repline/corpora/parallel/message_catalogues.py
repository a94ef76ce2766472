"""Message catalogues of gettext: what a program says, in one language, by the text it stands for.

Two catalogues of one domain in two languages are a parallel corpus: messages of the same context and text belong
together.
"""

import json
import struct
from pathlib import Path

from repline.errors import InputError, in_one_line, shown
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import read_bytes

MAGIC = 0x950412DE
CONTEXT = "\x04"  # between the context of a message and its text
FORMS = "\0"  # between the forms of a message for different numbers

Messages = dict[str, str]


def read_catalogue(path: str | Path) -> Messages:
    """The messages of a catalogue: `.mo` (gettext's binary form) or `.json` (that of Jed, of its own domain).

    Returns:
        The text of each message (the form for one thing, where there are several), with its context before it where it
        has one -> its first translation. Messages without a translation are left out.

    Raises:
        InputError: no such file, or it is damaged.

    Source: https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html, https://messageformat.github.io/Jed/
    """
    path = Path(path)
    content = read_bytes(path)
    return _jed(path, content) if unpacked_name(path).endswith(".json") else _mo(path, content)


def _mo(path: Path, content: bytes) -> Messages:
    try:
        order = next(order for order in "<>" if struct.unpack_from(f"{order}I", content)[0] == MAGIC)
        _, _, count, originals, translations = struct.unpack_from(f"{order}5I", content)
        sides = []
        for table in (originals, translations):
            offsets = struct.unpack_from(f"{order}{2 * count}I", content, table)
            texts = []
            for length, start in zip(offsets[::2], offsets[1::2], strict=True):
                if start + length > len(content):
                    raise InputError(f"{path}: a message lies beyond the end of the file; get it again")
                texts.append(content[start : start + length].decode("utf-8"))
            sides.append(texts)
    except (StopIteration, struct.error):
        raise InputError(
            f"{path}: expected a catalogue of gettext (.mo), found something else or a part of it"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 messages ({error.reason}); get the file again") from None
    messages = {}
    for original, translation in zip(*sides, strict=True):
        first = translation.partition(FORMS)[0]
        if original and first:  # the one without a text is the catalogue's head
            messages[original.partition(FORMS)[0]] = first
    return messages


def _jed(path: Path, content: bytes) -> Messages:
    try:
        catalogue = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: expected a catalogue in JSON ({in_one_line(error)})") from None
    domains = catalogue.get("locale_data") if isinstance(catalogue, dict) else None
    if isinstance(domains, dict):
        domain = str(catalogue.get("domain")) if len(domains) > 1 else next(iter(domains), "")
        catalogue = domains.get(domain)
    if not isinstance(catalogue, dict):
        raise InputError(f"{path}: expected a mapping of messages, found {type(catalogue).__name__}")
    messages = {}
    originals_first = any(  # before Jed 1.0: the original's plural, or null, stands before its translations
        isinstance(translations, list) and len(translations) > 1 and translations[0] is None
        for translations in catalogue.values()
    )
    for original, translations in catalogue.items():
        if not original:
            continue
        if not isinstance(translations, list) or not all(isinstance(form, str | None) for form in translations):
            raise InputError(
                f"{path}: expected a list of translations of {shown(original)}, found {shown(translations)}"
            )
        first = next((form for form in translations[originals_first:] if form), "")
        if first:
            messages[original] = first
    return messages
