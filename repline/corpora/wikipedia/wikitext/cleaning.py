"""Turn wikitext into clean text: one pass over brackets and braces with a small stack, then the lines.

Kept: running text, list items, labels of links, the content of `<nowiki>` and `<pre>`, the words of templates that have
a rule (`wikitext.template_rules`). Dropped: every other template, which is counted; tables, references, files,
categories, language links, formulas, code blocks, galleries. Headings become the section path. The time is linear in
the length of the page, even where brackets are left open.
"""

import re

from repline.corpora.wikipedia.wikitext.dialect import Dialect, converted
from repline.corpora.wikipedia.wikitext.elements import BREAK, END_TABLE, TABLE, apart, protected, without_elements
from repline.corpora.wikipedia.wikitext.lines import sections
from repline.corpora.wikipedia.wikitext.link_marks import is_title, label_words, marked_links, plain_words, title_words
from repline.corpora.wikipedia.wikitext.names import LANGUAGES
from repline.corpora.wikipedia.wikitext.templates import TemplateCounts

# every alternative begins with a plain character, which lets the engine skip to the next candidate
_STRUCTURE = (
    r"\[\[[^\[\]{}\n" + TABLE + END_TABLE + r"]*\]\]"  # a link with nothing inside
    r"|\{\{[^{}]*\}\}"  # a template with no template inside
    r"|\{\{+|\}\}+|\[\[|\]\](?!\](?:[^\]]|$))"
    r"|\n[ \t:*#;]*\{\||\n[ \t:]*\|\}(?!\})|" + TABLE + "|" + END_TABLE
)
_TOKENS = re.compile(f"({_STRUCTURE})")
_TOKENS_OF_VARIANTS = re.compile(r"(-\{(?!\{)|\}-|" + _STRUCTURE + ")")
_SIMPLE_LINK = re.compile(r"\[\[([^\[\]\n]*)\]\]")
_ODD = re.compile(r"[%&'_<>]")
_FILE = re.compile(
    r"^[^:/]+:[^|]*\.(?:jpe?g|png|gif|svg|tiff?|bmp|xcf|webp|og[gvax]|opus|webm|mp[34]|wav|flac|midi?|pdf|djvu|stl)\s*$",
    re.I,
)
_SET_APART = re.compile(r"\|\s*(?:thumb|thumbnail|frame|left|right|center|centre|none)\b")
_DEEPEST_TEMPLATE = 16  # templates whose arguments are being resolved; those further inside are dropped
_DEEPEST_LINK = 16  # links that are open at one time; a page that leaves more open has forgotten the oldest

Frame = list  # [kind, position in the output or width of the braces, index of the token, for braces the name]


def clean(
    text: str, dialect: Dialect, title: str = "", counts: TemplateCounts | None = None, *, marked: bool = False
) -> list[tuple[str, list[str]]]:
    """Turn the wikitext of one page into sections of clean paragraphs.

    Args:
        text: the page as the dump has it, without XML escapes.
        dialect: the wiki's language, namespaces and templates, see `wikitext.dialect.dialect`.
        title: the page's title, for `{{PAGENAME}}`.
        counts: of templates; those of this page are added.
        marked: whether links keep their targets, see `wikitext.link_marks`; but for the marks the text is the same.

    Returns:
        `(path, paragraphs)` in the order of the page, for every section that has text. The path joins the headings
        above the text with " / "; it is "" for the lead.
    """
    text = without_elements(text)
    if marked:
        text = marked_links(text)
    return sections(_without_structure(text, dialect, title, counts), dialect.line_joiner)


def _without_structure(text: str, dialect: Dialect, title: str, counts: TemplateCounts | None) -> str:
    variants = dialect.variants if "-{" in text else ()
    parts = (_TOKENS_OF_VARIANTS if variants else _TOKENS).split("\n" + text)
    literal: set[int] = set()
    # Braces that nothing closes are only known at the end: then once more with these as plain text,
    # and once more because a table may have been hidden by them.
    for _ in range(4):
        page_counts = TemplateCounts()
        output, unclosed = _resolved(parts, literal, dialect, variants, title, page_counts)
        if not unclosed:
            break
        literal |= unclosed
    if counts is not None:
        counts.add(page_counts)
    return "".join(output)


def _resolved(
    parts: list[str],
    literal: set[int],
    dialect: Dialect,
    variants: tuple[str, ...],
    title: str,
    counts: TemplateCounts,
) -> tuple[list[str], set[int]]:
    """The text pieces that stay, and the indices of opening tokens that nothing closed (`literal` ones aside)."""
    output = [parts[0]]
    append = output.append
    templates = dialect.templates
    rendered, is_rendered, any_unknown = templates.rendered, templates.is_rendered, templates.unknown != "drop"
    stack: list[Frame] = []
    hidden = 0  # how many templates and tables are open whose content is not kept
    captured = 0  # how many templates are open whose arguments are resolved
    for index in range(1, len(parts), 2):
        token = parts[index]
        first = token[0]
        if hidden:
            change, rest = _nested(token, index, stack, literal)
            hidden += change
            if hidden:
                continue
            if rest is None:  # the end of a table
                if parts[index + 1]:
                    append(parts[index + 1])
                continue
            name = rest[0]
            if name is not None:
                append(templates.unresolved(name, counts, output[-1], parts[index + 1]))
            for _ in range(rest[1] // 2):
                captured -= _close_template(stack, output, dialect, title, counts, parts[index + 1])
            if parts[index + 1]:
                append(parts[index + 1])
            continue
        if first == "[":
            if len(token) > 2:
                words = _link(token[2:-2], dialect) or _gap(token, output[-1], parts[index + 1])
                append(protected(words, "|=") if captured and stack[-1][0] == "c" else words)
            else:
                stack.append(["[", len(output), index])
                if len(stack) - captured > _DEEPEST_LINK:
                    del stack[next(depth for depth, frame in enumerate(stack) if frame[0] != "c")]
        elif first == "{":
            if token[-1] == "}":
                content = token[2:-2]
                if "[[" in content:
                    content = _with_labels(content, dialect)
                words = rendered(content, title, counts, output[-1], parts[index + 1])
                append(protected(words, "|=") if captured and stack[-1][0] == "c" else words)
            elif index not in literal:
                head, bar, _ = parts[index + 1].partition("|")
                is_complete = len(token) == 2 and (bar or ":" in head)
                if (
                    is_complete
                    and captured < _DEEPEST_TEMPLATE
                    and (is_rendered(head) or (any_unknown and not output[-1].endswith("\n")))
                ):
                    stack.append(["c", len(output), index])
                    captured += 1
                else:
                    stack.append(["{", len(token), index, head if len(token) == 2 else None])
                    hidden = 1
        elif first == "]":
            position = _pop(stack, "[")
            if position >= 0:
                content = "".join(output[position:])
                del output[position:]
                words = _link(content, dialect) or _gap(content, output[-1], parts[index + 1])
                append(protected(words, "|=") if captured and stack[-1][0] == "c" else words)
            else:
                append(token)
        elif first == "}":
            if token != "}-":
                for _ in range(len(token) // 2):
                    captured -= _close_template(stack, output, dialect, title, counts, parts[index + 1])
            else:
                position = _pop(stack, "-")
                if position >= 0:
                    content = "".join(output[position:])
                    del output[position:]
                    append(apart(converted(content, variants), output[-1], parts[index + 1]))
        elif first == "-":
            stack.append(["-", len(output), index])
            if len(stack) - captured > _DEEPEST_LINK:
                del stack[next(depth for depth, frame in enumerate(stack) if frame[0] != "c")]
        elif token[-1] == "|" or token == TABLE:
            if index not in literal:
                stack.append(["t", 0, index])
                hidden = 1
                append(_before_rows(parts[index + 1], token) + "\n\n")
            elif token != TABLE:
                append("\n|-")  # the line goes with the other rows of a table that has no end
        elif first == "\n":
            append("\n|}")
        if parts[index + 1] and not hidden:
            append(parts[index + 1])
    for frame in stack:
        if frame[0] == "[" and frame[1] < len(output) and _is_file(output[frame[1]].partition("|")[0], dialect):
            output[frame[1]] = output[frame[1]].rpartition("|")[2]  # the caption of a file that nothing ends
    return output, {frame[2] for frame in _unclosed(stack)}


def _close_template(
    stack: list[Frame], output: list[str], dialect: Dialect, title: str, counts: TemplateCounts, after: str
) -> int:
    """Render the innermost template whose arguments were resolved; 0 if none is open, else 1."""
    for depth in range(len(stack) - 1, -1, -1):
        if stack[depth][0] == "c":
            break
    else:
        return 0
    position = stack[depth][1]
    content = "".join(output[position:])
    del output[position:]
    del stack[depth:]
    words = dialect.templates.rendered(content, title, counts, output[-1] if output else "", after)
    output.append(protected(words, "|=") if stack and stack[-1][0] == "c" else words)
    return 1


def _nested(token: str, index: int, stack: list[Frame], literal: set[int]) -> tuple[int, tuple[str | None, int] | None]:
    """Follow a token inside a template or table that is not kept.

    Returns:
        The change in the number of open ones; and where a template ended, its name (None of a parameter) and how many
        braces of the token it left over.
    """
    first, top = token[0], stack[-1]
    if first == "{":
        if token[-1] == "{" and index not in literal:
            stack.append(["{", len(token), index, None])
            return 1, None
    elif first == "}":
        width, closed = len(token) if token != "}-" else 0, 0
        name = None
        while width >= 2 and stack and stack[-1][0] == "{":
            matched = min(width, stack[-1][1])
            width -= matched
            stack[-1][1] -= matched
            if stack[-1][1] < 2:
                name = stack.pop()[3]
                closed += 1
        return -closed, (name, width)
    elif top[0] == "t":
        if (token[-1] == "|" or token == TABLE) and index not in literal:
            stack.append(["t", 0, index])
            return 1, None
        if token == END_TABLE or (first == "\n" and token[-1] == "}"):
            stack.pop()
            return -1, None
    return 0, None


def _pop(stack: list[Frame], kind: str) -> int:
    """Close the innermost open frame of a kind, and forget those inside it; its position in the output, or -1."""
    for depth in range(len(stack) - 1, -1, -1):
        if stack[depth][0] == kind:
            position = stack[depth][1]
            del stack[depth:]
            return position
        if stack[depth][0] == "c":
            break
    return -1


def _unclosed(stack: list[Frame]) -> list[Frame]:
    """Templates that nothing closed, or, if there are none, tables: an open template hides the end of a table."""
    return [frame for frame in stack if frame[0] in ("{", "c")] or [frame for frame in stack if frame[0] == "t"]


def _is_file(target: str, dialect: Dialect) -> bool:
    prefix, colon, _ = target.partition(":")
    return bool(colon) and (prefix.strip().replace("_", " ").lower() in dialect.dropped or bool(_FILE.match(target)))


def _with_labels(text: str, dialect: Dialect) -> str:
    """The arguments of a template with the words of the links in them, inside out."""
    for _ in range(_DEEPEST_TEMPLATE):
        text, count = _SIMPLE_LINK.subn(lambda match: protected(_link(match[1], dialect), "|="), text)
        if not count or "[[" not in text:
            break
    return text


def _link(content: str, dialect: Dialect) -> str:
    """The text that `[[content]]` leaves in the sentence; marks of lists and headings in it are text."""
    return plain_words(_label(content, dialect))


def _label(content: str, dialect: Dialect) -> str:
    target, bar, label = content.partition("|")
    if ":" in target:
        leading = target.lstrip().startswith(":")
        target = target.lstrip()[1:] if leading else target
        prefix, colon, rest = target.partition(":")
        prefix = prefix.strip().replace("_", " ").lower()
        if not leading and prefix in dialect.media:
            return label_words(label if bar else target)
        if not leading and (prefix in dialect.dropped or prefix in LANGUAGES or _FILE.match(target)):
            return ""
        is_namespace = bool(colon) and prefix in dialect.namespaces
        if not label and not (rest.partition("#")[0] if is_namespace else target).strip():
            return protected(f"[[{content}]]")  # no title
    if "\n" in target:
        return content  # no link: nothing but brackets
    if label:
        return label_words(label.rpartition("|")[2] if "|" in label else label)
    if bar:
        return label_words(_pipe_trick(target))
    if not _ODD.search(target):
        return target or protected("[[]]", "[]")
    if not is_title(target):
        return protected(f"[[{content}]]", "[]")
    return title_words(target)


def _gap(content: str, before: str, after: str) -> str:
    """What a file or category leaves: a space between two words, a mark beside apostrophes."""
    if before[-1:].isalnum() and after[:1].isalnum() and _SET_APART.search(content):
        return " "
    return apart("", before, after)


def _before_rows(text: str, token: str) -> str:
    """Text of a table that stands in no cell of it, which is shown before the table.

    Args:
        text: what follows the beginning of the table up to the next bracket.
        token: the beginning.
    """
    if token == TABLE:
        text = text.partition(BREAK)[0] if BREAK in text or text.strip() else ""
        return text if text.strip() else ""
    lines: list[str] = []
    for line in text.split("\n")[1:]:
        if line.startswith("|-"):
            continue
        if line.lstrip()[:1] in ("|", "!"):
            break
        lines.append(line)
    return "\n" + "\n".join(lines) if any(line.strip() for line in lines) else ""


def _pipe_trick(target: str) -> str:
    """`[[Help:Cat (animal)|]]` -> "Cat"; `[[Paris, Texas|]]` -> "Paris"."""
    name = target.partition(":")[2] or target
    whole = name.rstrip()
    if whole.endswith((")", "）")):
        start = max(whole.rfind(bracket, 0, -1) for bracket in "()（）")
        if start >= 0 and whole[start] in "(（":
            return whole[:start].rstrip()
    return name.partition(", ")[0]
