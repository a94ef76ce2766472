"""Turn wikitext into clean text: one pass over brackets and braces with a small stack, then the lines.

Kept: running text, list items, labels of links, the content of `<nowiki>` and `<pre>`, a few templates that stand for
words (`wikitext.templates.INLINE`). Dropped: every other template, tables, references, files, categories, language
links, formulas, code blocks, galleries. Headings become the section path. The time is linear in the length of the
page, even where brackets are left open.
"""

import re

from repline.corpora.wikipedia.wikitext.dialect import Dialect, converted
from repline.corpora.wikipedia.wikitext.elements import END_TABLE, TABLE, without_elements
from repline.corpora.wikipedia.wikitext.lines import sections
from repline.corpora.wikipedia.wikitext.names import LANGUAGES
from repline.corpora.wikipedia.wikitext.templates import rendered

# every alternative begins with a plain character, which lets the engine skip to the next candidate
_STRUCTURE = (
    r"\[\[[^\[\]{}\n" + TABLE + END_TABLE + r"]*\]\]"  # a link with nothing inside
    r"|\{\{[^{}]*\}\}"  # a template with no template inside
    r"|\{\{+|\}\}+|\[\[|\]\](?!\](?:[^\]]|$))"
    r"|\n[ \t:*#;]*\{\||\n[ \t:]*\|\}(?!\})|" + TABLE + "|" + END_TABLE
)
_TOKENS = re.compile(f"({_STRUCTURE})")
_TOKENS_OF_VARIANTS = re.compile(r"(-\{(?!\{)|\}-|" + _STRUCTURE + ")")
_FILE = re.compile(
    r"^[^:/]+:[^|]*\.(?:jpe?g|png|gif|svg|tiff?|bmp|xcf|webp|og[gvax]|opus|webm|mp[34]|wav|flac|midi?|pdf|djvu|stl)\s*$",
    re.I,
)
_DEEPEST_LINK = 16  # links that are open at one time; a page that leaves more open has forgotten the oldest

Frame = list  # [kind, position in the output or width of the braces, index of the token]


def clean(text: str, dialect: Dialect, title: str = "") -> list[tuple[str, list[str]]]:
    """Turn the wikitext of one page into sections of clean paragraphs.

    Args:
        text: the page as the dump has it, without XML escapes.
        dialect: the wiki's language and namespaces, see `wikitext.dialect.dialect`.
        title: the page's title, for `{{PAGENAME}}`.

    Returns:
        `(path, paragraphs)` in the order of the page, for every section that has text. The path joins the headings
        above the text with " / "; it is "" for the lead.
    """
    return sections(_without_structure(without_elements(text), dialect, title), dialect.line_joiner)


def _without_structure(text: str, dialect: Dialect, title: str) -> str:
    variants = dialect.variants if "-{" in text else ()
    parts = (_TOKENS_OF_VARIANTS if variants else _TOKENS).split("\n" + text)
    literal: set[int] = set()
    # Braces that nothing closes are only known at the end: then once more with these as plain text,
    # and once more because a table may have been hidden by them.
    for _ in range(4):
        output, unclosed = _resolved(parts, literal, dialect, variants, title)
        if not unclosed:
            break
        literal |= unclosed
    return "".join(output)


def _resolved(
    parts: list[str], literal: set[int], dialect: Dialect, variants: tuple[str, ...], title: str
) -> tuple[list[str], set[int]]:
    """The text pieces that stay, and the indices of opening tokens that nothing closed (`literal` ones aside)."""
    output = [parts[0]]
    append = output.append
    stack: list[Frame] = []
    hidden = 0  # how many templates and tables are open: nothing inside is kept
    for index in range(1, len(parts), 2):
        token = parts[index]
        first = token[0]
        if hidden:
            hidden += _nested(token, index, stack, literal)
            if not hidden and parts[index + 1]:
                append(parts[index + 1])
            continue
        if first == "[":
            if len(token) > 2:
                append(_link(token[2:-2], dialect))
            else:
                stack.append(["[", len(output), index])
                if len(stack) > _DEEPEST_LINK:
                    del stack[0]
        elif first == "{":
            if token[-1] == "}":
                append(rendered(token[2:-2], title))
            elif index not in literal:
                stack.append(["{", len(token), index])
                hidden = 1
        elif first == "]":
            position = _pop(stack, "[")
            if position >= 0:
                content = "".join(output[position:])
                del output[position:]
                append(_link(content, dialect))
        elif first == "-":
            stack.append(["-", len(output), index])
            if len(stack) > _DEEPEST_LINK:
                del stack[0]
        elif token == "}-":
            position = _pop(stack, "-")
            if position >= 0:
                content = "".join(output[position:])
                del output[position:]
                append(converted(content, variants))
        elif token[-1] == "|" or token == TABLE:
            if index not in literal:
                stack.append(["t", 0, index])
                hidden = 1
                append("\n\n")
            elif token != TABLE:
                append("\n|")  # the line goes with the other rows of a table that has no end
        elif first == "\n":
            append("\n|")
        if parts[index + 1] and not hidden:
            append(parts[index + 1])
    return output, {frame[2] for frame in _unclosed(stack)}


def _nested(token: str, index: int, stack: list[Frame], literal: set[int]) -> int:
    """Follow a token inside a template or table; the change in the number of open ones."""
    first, top = token[0], stack[-1]
    if first == "{":
        if token[-1] == "{" and index not in literal:
            stack.append(["{", len(token), index])
            return 1
    elif first == "}":
        width, closed = len(token) if token != "}-" else 0, 0
        while width >= 2 and stack and stack[-1][0] == "{":
            matched = min(width, stack[-1][1])
            width -= matched
            stack[-1][1] -= matched
            if stack[-1][1] < 2:
                stack.pop()
                closed += 1
        return -closed
    elif top[0] == "t":
        if (token[-1] == "|" or token == TABLE) and index not in literal:
            stack.append(["t", 0, index])
            return 1
        if token == END_TABLE or (first == "\n" and token[-1] == "}"):
            stack.pop()
            return -1
    return 0


def _pop(stack: list[Frame], kind: str) -> int:
    """Close the innermost open frame of a kind, and forget those inside it; its position in the output, or -1."""
    for depth in range(len(stack) - 1, -1, -1):
        if stack[depth][0] == kind:
            position = stack[depth][1]
            del stack[depth:]
            return position
    return -1


def _unclosed(stack: list[Frame]) -> list[Frame]:
    """Templates that nothing closed, or, if there are none, tables: an open template hides the end of a table."""
    return [frame for frame in stack if frame[0] == "{"] or [frame for frame in stack if frame[0] == "t"]


def _link(content: str, dialect: Dialect) -> str:
    """The text that `[[content]]` leaves in the sentence."""
    target, bar, label = content.partition("|")
    if ":" in target:
        leading = target.lstrip().startswith(":")
        target = target.lstrip()[1:] if leading else target
        prefix = target.partition(":")[0].strip().replace("_", " ").lower()
        if not leading and (prefix in dialect.dropped or prefix in LANGUAGES or _FILE.match(target)):
            return ""
    if "\n" in target:
        return content  # no link: nothing but brackets
    if label:
        return label.rpartition("|")[2] if "|" in label else label
    if bar:
        return _pipe_trick(target)
    return target.replace("_", " ") if "_" in target else target


def _pipe_trick(target: str) -> str:
    """`[[Help:Cat (animal)|]]` -> "Cat"; `[[Paris, Texas|]]` -> "Paris"."""
    name = target.partition(":")[2] or target
    bare = re.sub(r"\s*[(（][^()（）]*[)）]\s*$", "", name)
    return bare if bare != name else name.partition(", ")[0]
