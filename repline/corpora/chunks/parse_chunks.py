"""Flat chunks from a dependency parse: NP, VP, PP, ADVP, SBAR, ADJP, PRT and CONJP, in IOB2.

The chunks are those of the CoNLL-2000 shared task: they do not overlap, have nothing inside, and end with their head.

* NP: what depends on a noun, pronoun or number to its left, without a gap, and the noun. A possessive 's begins the
  next chunk (`[the bank] ['s profit]`). Bare nouns around "and" or "or" are one chunk ([profits and losses]).
* VP: verbs with their auxiliaries, "to", "not" and the adverbs between them, and verbs that follow with "to" or as
  participles ([is widely expected to take]). An adverb before the first verb is an ADVP.
* PP and SBAR: the preposition or the subordinating word alone. PRT: the particle of a verb.
* ADVP and ADJP: adverbs, and adjectives that stand in no NP, with the adverbs before them.

Read are Penn tags, heads, and relations of ClearNLP (spaCy) or of Universal Dependencies.

Source: Tjong Kim Sang & Buchholz 2000, "Introduction to the CoNLL-2000 Shared Task: Chunking", section 2.
"""

from collections.abc import Sequence

_NOUNS = {"NN", "NNS", "NNP", "NNPS", "PRP", "EX", "WP", "CD", "$", "#", "FW", "AFX"}
_NOMINAL = {"nsubj", "nsubjpass", "nsubj:pass", "dobj", "obj", "iobj", "dative", "pobj", "attr", "appos", "oprd", "obl"}
_DETERMINERS = {"DT", "WDT", "PDT", "WP$", "PRP$"}
_ADJECTIVES = {"JJ", "JJR", "JJS"}
_ADVERBS = {"RB", "RBR", "RBS", "WRB"}
_VERBS = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"}
_FINITE = {"VBD", "VBP", "VBZ", "MD"}
_MARKS = {".", ",", ":", "``", "''", "-LRB-", "-RRB-", "NFP", "SYM", "_SP", "XX", "ADD", "LS"}
_ADJUNCTS = {"advcl", "acl", "relcl", "acl:relcl", "conj"}  # verbs that begin a chunk of their own
_FIXED = {  # words that are one chunk
    ("because", "of"): "PP",
    ("such", "as"): "PP",
    ("instead", "of"): "PP",
    ("rather", "than"): "PP",
    ("as", "well", "as"): "CONJP",
    ("but", "also"): "CONJP",
    ("not", "only"): "CONJP",
    ("even", "though"): "SBAR",
    ("even", "if"): "SBAR",
    ("as", "if"): "SBAR",
    ("as", "though"): "SBAR",
    ("so", "that"): "SBAR",
    ("in", "order"): "SBAR",
    ("at", "least"): "ADVP",
    ("of", "course"): "ADVP",
}
_BRACKETS = {"-lrb-", "-rrb-", "(", ")", "[", "]", "{", "}", "-lcb-", "-rcb-"}
_OUTSIDE, _NONE = "O", ""


def chunk_tags(tokens: Sequence[str], tag: Sequence[str], head: Sequence[int], dep: Sequence[str]) -> list[str]:
    """The IOB2 chunk tag of every token of a sentence.

    Args:
        tokens: n words.
        tag: n Penn tags.
        head: n places in the sentence; -1 at the root.
        dep: n relations.
    """
    sentence = _Sentence(tokens, tag, head, dep)
    sentence.noun_phrases()
    sentence.verb_phrases()
    sentence.remaining_chunks()
    return sentence.tags()


class _Sentence:
    def __init__(self, tokens: Sequence[str], tag: Sequence[str], head: Sequence[int], dep: Sequence[str]) -> None:
        self.words = [word.lower() for word in tokens]
        self.tag = [mark or "" for mark in tag]
        self.head, self.dep = list(head), [relation or "" for relation in dep]
        self.size = len(self.words)
        self.kind = [_NONE] * self.size
        self.begins = [False] * self.size

    def tags(self) -> list[str]:
        return [
            f"{'B' if begins else 'I'}-{kind}" if kind else _OUTSIDE
            for kind, begins in zip(self.kind, self.begins, strict=True)
        ]

    def mark(self, kind: str, start: int, stop: int) -> None:
        for token in range(start, stop):
            self.kind[token], self.begins[token] = kind, token == start

    # noun phrases

    def noun_phrases(self) -> None:
        token = self.size - 1
        while token >= 0:
            start = token + 1
            if self.is_nominal(token):
                start = self.left_edge(token)
                for begin, end in self.at_possessives(start, token + 1):
                    self.mark("NP", begin, end)
            token = min(start, token + 1) - 1 if start <= token else token - 1
        self.join_numbers()
        self.join_conjuncts()

    def is_nominal(self, token: int) -> bool:
        tag, dep = self.tag[token], self.dep[token]
        if tag == "POS" or (dep == "punct" and not self.words[token].isalnum()) or self.words[token] in _BRACKETS:
            return False
        if tag in _NOUNS:
            return True
        if tag == "IN":
            return dep in _NOMINAL and self.words[token] in ("that", "which")
        if tag == "DT" and dep == "conj":
            return self.is_nominal(self.head[token])
        if tag in _DETERMINERS or tag in _ADJECTIVES or tag in ("VBG", "VBN"):
            return dep in _NOMINAL
        return tag == "WDT"

    def left_edge(self, token: int) -> int:
        """Where the chunk of a noun begins: as far as everything in between depends on it."""
        start = token
        while start > 0:
            before = start - 1
            if not self.depends(before, token) or self.is_barrier(before):
                break
            start = before
        while start < token and (self.tag[start] in _MARKS | {"CC"} or self.dep[start] == "punct"):
            if self.words[start] in ("``", '"') and {"''", '"'} & set(self.words[start + 1 : token]):
                break  # quotation marks that close inside
            start += 1
        return start

    def depends(self, token: int, ancestor: int) -> bool:
        for _ in range(self.size):  # a broken parse may have a circle
            if token < 0 or token == ancestor:
                break
            token = self.head[token]
        return token == ancestor

    def is_barrier(self, token: int) -> bool:
        tag, dep = self.tag[token], self.dep[token]
        if tag in ("IN", "TO"):
            return dep != "quantmod"
        return tag in ("VBD", "VBP", "VBZ", "MD", "VB", "-LRB-", "-RRB-", ":")

    def at_possessives(self, start: int, stop: int) -> list[tuple[int, int]]:
        cuts = [token for token in range(start + 1, stop) if self.tag[token] == "POS"]
        return list(zip([start, *cuts], [*cuts, stop], strict=True))

    def join_numbers(self) -> None:
        """[Figure 1], [Oct. 20 , 1989]: numbers after the noun that they depend on."""
        for token in range(1, self.size):
            if self.tag[token] != "CD" or not self.begins[token] or self.dep[token] not in ("nummod", "npadvmod"):
                continue
            before = token - 1 if self.words[token - 1] != "," else token - 2
            if before >= 0 and self.kind[before] == "NP" and self.head[token] in (before, before - 1):
                self.kind[before + 1 : token] = ["NP"] * (token - before - 1)
                self.begins[token] = False

    def join_conjuncts(self) -> None:
        for token in range(1, self.size - 1):
            if self.tag[token] != "CC" or self.words[token] not in ("and", "or", "&"):
                continue
            if self.kind[token - 1] == self.kind[token + 1] == "NP" and self.are_bare(token):
                self.kind[token] = "NP"
                self.begins[token + 1] = False

    def are_bare(self, token: int) -> bool:
        """Whether the chunks on both sides of a conjunction are one: the second is a noun without anything."""
        start, stop = token - 1, token + 2
        while not self.begins[start]:
            start -= 1
        while stop < self.size and self.kind[stop] == "NP" and not self.begins[stop]:
            stop += 1
        first, last = self.tag[token + 1], stop - 1
        if first in _DETERMINERS | {"PRP", "EX", "WP", "POS", "$"}:
            return False
        if self.dep[last] != "conj":  # a modifier's conjunct: [the first and second quarters]
            return self.depends(token - 1, last) or self.head[token - 1] == self.head[last]
        names = first.startswith("NNP")
        return stop - token == 2 and names == self.tag[token - 1].startswith("NNP") and (names or first in _NOUNS)

    # verb phrases

    def verb_phrases(self) -> None:
        token = 0
        while token < self.size:
            if not self.is_verb(token):
                token += 1
                continue
            stop = token + 1
            while True:
                ahead = stop
                while ahead < self.size and self.tag[ahead] in _ADVERBS and not self.kind[ahead]:
                    ahead += 1
                if ahead < self.size and self.is_verb(ahead) and self.goes_on(ahead):
                    stop = ahead + 1
                else:
                    break
            self.mark("VP", self.with_adverbs(token), stop)
            token = stop
        for token in range(1, self.size - 1):  # [to buy or sell]
            if self.tag[token] == "CC" and self.kind[token - 1] == self.kind[token + 1] == "VP":
                joined = self.tag[token - 1] == self.tag[token + 1] and self.tag[token + 1] not in _FINITE
                if joined and self.dep[token + 1] == "conj" and self.begins[token + 1]:
                    self.kind[token], self.begins[token + 1] = "VP", False

    def with_adverbs(self, token: int) -> int:
        """Where a verb phrase begins: before the adverbs of a participle that has no subject."""
        start = token
        if self.tag[token] in ("VBN", "VBG") and self.dep[token] in ("acl", "advcl", "pcomp", "xcomp"):
            while start and self.tag[start - 1] in ("RB", "RBR") and self.depends(start - 1, token):
                start -= 1
            subjects = (self.head[dependent] == token and "subj" in self.dep[dependent] for dependent in range(token))
            if any(subjects):
                return token
        return start

    def is_verb(self, token: int) -> bool:
        if self.kind[token]:
            return False
        tag, dep = self.tag[token], self.dep[token]
        if tag == "TO":
            return dep in ("aux", "mark")
        return tag in _VERBS and dep not in ("prep", "case", "amod", "mark")

    def goes_on(self, token: int) -> bool:
        """Whether a verb belongs to the verbs before it: it is not finite, and no adjunct of its own."""
        verb = self.head[token] if self.tag[token] == "TO" else token
        return self.tag[token] not in _FINITE and (
            self.tag[token] == "VB"
            or self.dep[verb] not in _ADJUNCTS
            or (self.tag[token] != "TO" and self.has_auxiliary(token))
        )

    def has_auxiliary(self, token: int) -> bool:
        return any(
            self.head[dependent] == token and self.dep[dependent].startswith("aux") for dependent in range(token)
        )

    # the rest

    def remaining_chunks(self) -> None:
        for words, kind in _FIXED.items():
            for token in range(self.size - len(words) + 1):
                span = slice(token, token + len(words))
                if tuple(self.words[span]) == words and not any(self.kind[span]):
                    self.mark(kind, span.start, span.stop)
        for token in range(self.size):
            if self.kind[token] or self.dep[token] == "neg" or self.words[token] in _BRACKETS:
                continue
            tag, dep = self.tag[token], self.dep[token]
            if dep in ("prt", "compound:prt"):
                self.mark("PRT", token, token + 1)
            elif tag in ("IN", "TO") or (dep in ("prep", "case") and tag != "POS"):
                self.mark("SBAR" if dep == "mark" else "PP", token, token + 1)
            elif tag in _ADJECTIVES or (tag in ("VBN", "VBG") and dep in ("amod", "acomp")):
                self.adjectives(token)
            elif tag in _ADVERBS or tag == "RP":
                self.adverbs(token)

    def adjectives(self, token: int) -> None:
        start = token
        while start and self.kind[start - 1] in (_NONE, "ADVP") and self.depends(start - 1, token):
            if self.tag[start - 1] not in _ADVERBS or self.dep[start - 1] == "neg":
                break
            start -= 1
        stop = token + 1
        if stop < self.size and self.words[stop] == "enough" and self.head[stop] == token:
            stop += 1
        self.mark("ADJP", start, stop)

    def adverbs(self, token: int) -> None:
        before = token - 1
        if before >= 0 and self.kind[before] == "ADVP" and self.head[before] == token:
            self.kind[token] = "ADVP"
        else:
            self.mark("ADVP", token, token + 1)
