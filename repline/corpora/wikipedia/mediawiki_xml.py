"""MediaWiki's export format: the header with the site's namespaces, and pages."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any
from xml.parsers import expat

from repline.corpora.wikipedia.dump_files import Damage
from repline.corpora.wikipedia.wikitext.names import REDIRECT_WORDS
from repline.errors import InputError, shown

_PAGE_PARTS = frozenset(
    {"title", "ns", "id", "redirect", "restrictions", "revision", "upload", "discussionthreadinginfo"}
)
_MODELS = frozenset({"wikitext", ""})
_OTHER_MODELS = frozenset([
    "json", "javascript", "css", "sanitized-css", "text", "unknown", "Scribunto", "vue", "flow-board", "ZObject",
    "wikibase-item", "wikibase-property", "wikibase-lexeme", "EntitySchema", "smw/schema", "JsonSchema", "SecurePoll",
    "MassMessageListContent", "GadgetDefinition", "proofread-page", "proofread-index", "translate-messagebundle",
    "Json.JsonConfig", "Tabular.JsonConfig", "Map.JsonConfig", "Chart.JsonConfig", "Campaign",
])  # fmt: skip
_LONGEST_VERSION = 100  # characters that are read of a header's version
_SHA1 = re.compile(r"[0-9a-z]{31}\Z")
_ALIKE = 0.7  # a content model that resembles "wikitext" more than that is a damaged one, not a new one
_REDIRECT = re.compile(
    r"\s*[#＃](?:" + "|".join(sorted(REDIRECT_WORDS)).replace("_", "[ _]") + r")\s*+(?::\s*+)?\[\[", re.I
)
_TARGET = re.compile(r"\[\[\s*:?([^\[\]|#]+)")
_DEFAULT_NAMESPACES = {
    -2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project", 5: "Project talk", 6: "File",
    7: "File talk", 8: "MediaWiki", 9: "MediaWiki talk", 10: "Template", 11: "Template talk", 12: "Help",
    13: "Help talk", 14: "Category", 15: "Category talk",
}  # fmt: skip


@dataclass(frozen=True)
class Site:
    """What the header of a dump says of its wiki.

    Args:
        language: `xml:lang`, or "" where the header has none.
        name: the site's name, or "".
        version: of the export format.
        namespaces: number -> local name; 0 is the articles'.
        listed: whether the header lists the namespaces itself.
    """

    language: str
    name: str
    version: tuple[int, ...]
    namespaces: Mapping[int, str]
    listed: bool


@dataclass(slots=True)
class Page:
    """One page of a dump, with its only revision."""

    id: int = 0
    title: str = ""
    namespace: int = 0
    revision: int = 0
    text: str = ""
    model: str = "wikitext"
    redirect: str | None = None
    intact: bool | None = None  # whether the text has the length and SHA-1 that the dump records; None: not recorded

    @property
    def is_foreign(self) -> bool:
        """Whether its content model is unknown: neither MediaWiki's nor that of a known extension."""
        return self.model not in _MODELS and self.model not in _OTHER_MODELS

    @property
    def is_article(self) -> bool:
        """Whether the page is an article in wikitext, no redirect and of the main namespace."""
        return self.namespace == 0 and self.redirect is None and self.model in _MODELS


class Skeleton:
    """The document around the pages: fed its beginning, then its end."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.path: list[str] = []
        self.root: dict[str, str] = {}
        self.names: dict[int, str] = {}
        self.site_name = ""
        self.key: int | None = None

    def header(self, xml: bytes) -> Site:
        """Read everything before the first page.

        Raises:
            InputError: this is no MediaWiki dump, or one that declares a document type.
            Damage: broken XML.
        """
        try:
            self.parser.Parse(xml, False)
        except expat.ExpatError as error:
            if not self.path and not self.root:
                raise InputError(f"expected a MediaWiki dump, found something else ({_sentence(error)})") from None
            raise Damage(f"the header is not well-formed XML ({_sentence(error)})") from None
        version = tuple(int(number) for number in re.findall(r"\d+", self.root.get("version", "")[:_LONGEST_VERSION]))
        if self.names and 0 not in self.names:
            raise Damage("the header lists no namespace 0, where the articles are")
        language = self.root.get("xml:lang", "")
        return Site(language, self.site_name.strip(), version, self.names or _DEFAULT_NAMESPACES, bool(self.names))

    def footer(self, xml: bytes) -> None:
        """Read everything after the last page; Damage unless it is the end of the document."""
        if b"<page" in xml:
            title = re.search(rb"<title>([^<]*)</title>", xml)
            named = f" ({title[1].decode('utf-8', 'replace')!r})" if title else ""
            raise Damage(f"the dump is cut off or damaged inside its last page{named}, which does not end")
        try:
            self.parser.Parse(xml, True)
        except expat.ExpatError as error:
            if not xml.strip():
                raise Damage("the XML is cut off between two pages: there is no </mediawiki>") from None
            raise Damage(f"the end of the dump is not well-formed XML ({_sentence(error)})") from None

    def _doctype(self, *_: Any) -> None:
        raise InputError("the XML declares a document type, which a MediaWiki dump never does; it is refused unread")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = len(self.path)
        if depth == 0:
            if name != "mediawiki":
                raise InputError(f"expected a MediaWiki dump, whose root is <mediawiki>, found {shown(name)}")
            self.root = attributes
        elif depth == 1 and name != "siteinfo":
            raise Damage(f"unknown element <{name}> in line {self.parser.CurrentLineNumber}")
        elif name == "namespace":
            key = attributes.get("key", "")
            if not re.fullmatch(r"-?\d{1,9}", key) or int(key) in self.names:
                raise Damage(f"line {self.parser.CurrentLineNumber}: expected a new namespace number, found {key!r}")
            self.key = int(key)
            self.names[self.key] = ""
        self.path.append(name)

    def _end(self, name: str) -> None:
        self.path.pop()
        self.key = None

    def _data(self, data: str) -> None:
        if self.key is not None:
            self.names[self.key] += data
        elif self.path[-1:] == ["sitename"]:
            self.site_name += data
        elif len(self.path) == 1 and data.strip():
            raise Damage(f"line {self.parser.CurrentLineNumber}: text outside the pages")


def read_pages(xml: bytes, site: Site, use: Callable[[Page], None]) -> tuple[str, int, int] | None:
    """Parse whole `<page>` elements and call `use` for each, in order.

    Args:
        xml: pages one after another, in UTF-8.
        site: of the dump's header.

    Returns:
        None, or what is wrong with the first bad page, and the byte and the line (from 0) of `xml` where it shows.
    """
    prefix = b"<mediawiki>"
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.buffer_size = 1 << 18
    path: list[str] = []
    parts: dict[str, str] = {}
    text_attributes: dict[str, str] = {}
    pieces: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        depth = len(path)
        path.append(name)
        if depth == 1:
            if name != "page":
                raise Damage(f"unknown element <{name}> between two pages")
            parts.clear()
            text_attributes.clear()
            return
        if depth == 2:
            if name not in _PAGE_PARTS:
                raise Damage(f"unknown element <{name}> in a page")
            key = name
            if name == "redirect":
                parts["target"] = attributes.get("title", "")
        elif depth == 3 and path[2] == "revision":
            key = "revision " + name
            if name == "text":
                text_attributes.update(attributes)
        else:
            return
        if key in parts and name != "upload" and name != "content":
            if key == "revision":
                raise Damage("a page has several revisions; expected a pages-articles dump, not a history")
            raise Damage(f"a page has two <{name}>")
        parts[key] = ""
        if key in _COLLECTED:
            parser.CharacterDataHandler = pieces.append

    def end(name: str) -> None:
        depth = len(path)
        path.pop()
        if depth == 2:
            use(_page(parts, text_attributes, site))
        elif depth == 3 or depth == 4:
            key = name if depth == 3 else path[2] + " " + name
            if key in _COLLECTED:
                parser.CharacterDataHandler = None
                parts[key] = "".join(pieces)
                pieces.clear()

    try:
        parser.Parse(prefix, False)
        parser.StartElementHandler, parser.EndElementHandler = start, end
        path.append("mediawiki")
        parser.Parse(xml, False)
        if len(path) != 1:
            raise Damage("the XML ends inside a page")
        parser.Parse(b"</mediawiki>", True)
    except expat.ExpatError as error:
        message = f"the XML is not well-formed ({expat.ErrorString(error.code)})"
        return message, max(parser.ErrorByteIndex - len(prefix), 0), error.lineno - 1
    except Damage as damage:
        return str(damage), max(parser.CurrentByteIndex - len(prefix), 0), parser.CurrentLineNumber - 1
    return None


_COLLECTED = frozenset({"title", "ns", "id", "revision id", "revision text", "revision sha1", "revision model"})


def _page(parts: dict[str, str], attributes: dict[str, str], site: Site) -> Page:
    title = parts.get("title", "")
    if not title.strip():
        raise Damage("a page has no <title>")
    for needed in ("id", "revision", "revision id", "revision text"):
        if needed not in parts:
            raise Damage(f"the page {title!r} has no <{needed.rpartition(' ')[2]}>")
    text = parts["revision text"]
    page = Page(
        id=_number(parts["id"], "id", title),
        title=title,
        revision=_number(parts["revision id"], "revision id", title),
        text=text,
        model=parts.get("revision model", "wikitext").strip(),
    )
    if page.is_foreign and SequenceMatcher(None, page.model, "wikitext").ratio() > _ALIKE:
        raise Damage(f"the page {title!r} has the unknown content model {page.model!r}")
    if not text and attributes.get("bytes", "0") != "0" and "deleted" not in attributes:
        raise Damage(f"the page {title!r} has no text; expected a pages-articles dump, not a stub dump")
    page.namespace = _namespace(parts, title, site)
    page.intact = _intact(text, parts.get("revision sha1", "").strip(), attributes)
    if "redirect" in parts or _REDIRECT.match(text):
        target = parts.get("target", "").strip()
        if not target:
            target_match = _TARGET.search(text[:2000])
            target = target_match[1].strip() if target_match else ""
        if not target and "redirect" in parts:
            raise Damage(f"the redirect {title!r} has no target")
        page.redirect = target or None
    return page


def _number(text: str, name: str, title: str) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,18}\s*", text):
        raise Damage(f"the page {title!r} has the {name} {text!r}, expected a number")
    return int(text)


def _namespace(parts: dict[str, str], title: str, site: Site) -> int:
    prefix = title.partition(":")[0].strip().replace("_", " ").lower() if ":" in title else None
    if "ns" not in parts:
        if site.version and site.version >= (0, 6):
            raise Damage(f"the page {title!r} has no <ns>")
        names = {name.lower(): number for number, name in site.namespaces.items()}
        return names.get(prefix, 0) if prefix else 0
    text = parts["ns"].strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise Damage(f"the page {title!r} has the namespace {text!r}, expected a number")
    number = int(text)
    if number == 0:
        return 0
    name = site.namespaces.get(number)
    lost = f":Badtitle/NS{number}:" in title  # how MediaWiki writes pages of a namespace that is no longer set up
    if site.listed and name is None and not lost:
        raise Damage(f"the page {title!r} is in the namespace {number}, which the header does not list")
    agrees = prefix == (name or "").strip().replace("_", " ").lower() if site.listed else prefix is not None
    if not agrees and not lost:
        raise Damage(f"the page {title!r} is in the namespace {number} ({name}:) but its title does not say so")
    return number


def _intact(text: str, sha1: str, attributes: dict[str, str]) -> bool | None:
    if _SHA1.match(sha1):
        return int(sha1, 36) == int.from_bytes(hashlib.sha1(text.encode(), usedforsecurity=False).digest())
    length = attributes.get("bytes", "")
    return len(text.encode()) == int(length) if length.isdecimal() and len(length) < 12 else None


def _sentence(error: expat.ExpatError) -> str:
    return f"{expat.ErrorString(error.code)}, line {error.lineno}"
