"""Small dumps for tests, written the way MediaWiki exports them."""

import bz2
import gzip
import hashlib
from xml.sax.saxutils import escape, quoteattr

NAMESPACES = {-2: "Media", -1: "Special", 0: "", 1: "Talk", 4: "Wikipedia", 6: "File", 10: "Template", 14: "Category"}
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def header(language="en", namespaces=NAMESPACES):
    listed = "".join(
        f'      <namespace key="{key}" case="first-letter">{name}</namespace>\n' for key, name in namespaces.items()
    )
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" '
        f'xml:lang="{language}">\n  <siteinfo>\n    <sitename>Wikipedia</sitename>\n'
        f"    <dbname>{language}wiki</dbname>\n"
        f"    <namespaces>\n{listed}    </namespaces>\n  </siteinfo>\n"
    )


def page(number, title, text="", namespace=0, redirect=None):
    sha1 = int(hashlib.sha1(text.encode()).hexdigest(), 16)
    digits = ""
    while sha1:
        sha1, digit = divmod(sha1, 36)
        digits = ALPHABET[digit] + digits
    target = f"    <redirect title={quoteattr(redirect)} />\n" if redirect else ""
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>{number}</id>\n{target}"
        f"    <revision>\n      <id>{number + 5000}</id>\n      <timestamp>2016-01-01T00:00:00Z</timestamp>\n"
        f"      <contributor>\n        <username>A</username>\n        <id>1</id>\n      </contributor>\n"
        f"      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text xml:space="preserve">{escape(text)}</text>\n      <sha1>{digits.rjust(31, "0")}</sha1>\n'
        f"    </revision>\n  </page>\n"
    )


def pages(count=12):
    """`count` pages: of every six, one redirect and one talk page, the others articles."""
    page_xml = []
    for number in range(1, count + 1):
        if number % 6 == 0:
            page_xml.append(
                page(number, f"Old {number}", f"#REDIRECT [[Cat {number - 1}]]", redirect=f"Cat {number - 1}")
            )
        elif number % 6 == 3:
            page_xml.append(page(number, f"Talk:Cat {number}", "So what & why?", namespace=1))
        else:
            text = f"'''Cat {number}''' is a [[cat]].<ref>{{{{x}}}}</ref>\n"
            text += f"== Food ==\nIt eats {number} mice & rats.\n\n* Often.\n"
            page_xml.append(page(number, f"Cat {number}", text))
    return page_xml


def dump(page_xml=None, language="en"):
    return (header(language) + "".join(pages() if page_xml is None else page_xml) + "</mediawiki>\n").encode()


def multistream(page_xml, language="en", per_stream=2):
    """Like the public multistream dumps: the header, groups of pages and the end are bzip2 streams of their own."""
    groups = ["".join(page_xml[start : start + per_stream]) for start in range(0, len(page_xml), per_stream)]
    return b"".join(bz2.compress(part.encode()) for part in (header(language), *groups, "</mediawiki>\n"))


def cut_into_streams(xml, size):
    """Like pbzip2: streams that begin and end anywhere."""
    return b"".join(bz2.compress(xml[start : start + size]) for start in range(0, len(xml), size))


def write(folder, xml, kind="xml"):
    data = {"xml": lambda: xml, "xml.bz2": lambda: bz2.compress(xml), "xml.gz": lambda: gzip.compress(xml, mtime=0)}[
        kind
    ]()
    path = folder / f"wiki-pages-articles.{kind}"
    path.write_bytes(data)
    return path
