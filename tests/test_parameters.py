"""Parameters are checked where they are read: unknown names name their neighbour, wrong values say what was wanted."""

from copy import deepcopy
from datetime import date
from typing import Annotated, Literal

import pytest
from dvc.utils.serialize import LOADERS
from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.parameters import Overlays, Section


class Part(Section):
    methods: list[Literal["svr", "ridge"]]
    most: int | None = None


class Whole(Section):
    rate: float
    parts: dict[str, Part]
    seeds: parameters.Seeds
    best: Part | None = None
    few: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)] | None = None


VALID = {"rate": 1, "parts": {"a": {"methods": ["svr"]}}, "seeds": [0, 1]}


def test_a_section_is_read_from_the_whole():
    whole = parameters.load(Whole, "one.two", {"one": {"two": VALID}})
    assert (whole.rate, whole.parts["a"].methods, whole.seeds) == (1.0, ["svr"], [0, 1])
    with pytest.raises(InputError, match=r"one has no section 'tow'; did you mean 'two'\?"):
        parameters.load(Whole, "one.tow", {"one": {"two": VALID}})


class Open(Section, extra="allow"):
    source: str


@pytest.mark.parametrize(
    ("values", "end"),
    [({"sorce": "x", "epochs": 3}, "; is 'sorce' meant for it?"), ({"epochs": 3}, ""), ({}, "")],
)
def test_a_name_that_is_missing_where_others_are_open_is_looked_for_among_them(values, end):
    with pytest.raises(InputError) as error:
        parameters.check(Open, values, "one")
    assert str(error.value) == f"params.yaml: one.source is missing{end}"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("rates",), 1, "params.yaml: unknown parameter 'one.rates'; did you mean 'rate'?"),
        (("parts", "a", "mots"), 3, "unknown parameter 'one.parts.a.mots'; did you mean 'most'?"),
        (("best",), {"methodz": []}, "unknown parameter 'one.best.methodz'; did you mean 'methods'?"),
        (("parts", "a", "methods", 0), "svm", "one.parts.a.methods[0] should be 'svr' or 'ridge', found 'svm'"),
        (("parts", "a"), {}, "one.parts.a.methods is missing"),
        (("parts", "a"), {"metods": []}, "unknown parameter 'one.parts.a.metods'; did you mean 'methods'?"),
        (("seeds", 1), 1.5, "one.seeds[1] should be a valid integer, found 1.5"),
        (("rate",), True, "one.rate should be a valid number, found True"),
        (("rate",), "1", "one.rate should be a valid number, found '1'"),
        (("parts",), [], "one.parts should be a valid dictionary, found []"),
        (("best",), 3, "one.best should be a valid dictionary, found 3"),
        (("few",), [], "one.few should have at least 1 item, found []"),
        (
            ("rate",),
            date(2026, 1, 2),
            "one.rate should be a valid number, found the date 2026-01-02; put quotes around a",
        ),
        (("seeds",), [3, 1, 3], "one.seeds: the seed 3 is there twice, and its runs would count as two; leave one out"),
        (("few",), [0], "one.few[0] should be greater than or equal to 1, found 0"),
    ],
)
def test_a_mistake_is_named_with_its_place(path, value, message):
    values = deepcopy(VALID)
    inner = values
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(InputError) as caught:
        parameters.check(Whole, values, "one")
    assert message in str(caught.value)


class Knobs(Section):
    copies: int
    rate: float = 0.5
    kind: Literal["x", "y"] = "x"


class WithShared(Section):
    """Variants whose shared values stand next to them."""

    corpus: str
    variants: Annotated[dict[parameters.Name, Knobs], Field(min_length=1), Overlays()]


class Apart(Section):
    """Variants whose shared values stand under a key of their own."""

    variants: Annotated[dict[str, Knobs], Overlays("recipe")]


class Two(Section):
    """Two kinds of variants."""

    corpora: Annotated[dict[str, Knobs], Overlays("corpus")]
    variants: Annotated[dict[str, Knobs], Overlays("recipe")]


class Both(Section):
    tasks: dict[str, WithShared]


def test_variants_are_laid_over_what_they_share():
    variants = {"a": {}, "b": {"rate": 0.2, "kind": "y"}}
    expected = {"a": Knobs(copies=1, rate=0.1), "b": Knobs(copies=1, rate=0.2, kind="y")}
    shared = {"copies": 1, "rate": 0.1}
    assert parameters.check(WithShared, {"corpus": "c", "variants": variants, **shared}, "one").variants == expected
    assert parameters.check(Apart, {"variants": variants, "recipe": shared}, "one").variants == expected
    assert parameters.check(Apart, {"variants": {"a": {"copies": 2}}}, "one").variants["a"].copies == 2
    both = {"corpora": {"c": {}}, "corpus": {"copies": 3}, "variants": variants, "recipe": shared}
    assert parameters.check(Two, both, "one") == Two(corpora={"c": Knobs(copies=3)}, variants=expected)


@pytest.mark.parametrize(
    ("model", "values", "message"),
    [
        (
            WithShared,
            {"copies": 1, "rat": 2, "variants": {"a": {}}},
            "unknown parameter 'one.rat'; did you mean 'rate'?",
        ),
        (WithShared, {"copies": 1, "corpsu": "", "variants": {"a": {}}}, "'one.corpsu'; did you mean 'corpus'?"),
        (WithShared, {"copies": 1, "variants": {"a": {"rat": 2}}}, "'one.variants.a.rat'; did you mean 'rate'?"),
        (
            WithShared,
            {"copies": "1", "variants": {"a": {"copies": 1}, "b": {}}},
            "one.copies should be a valid integer",
        ),
        (WithShared, {"rate": 0.1, "variants": {"a": {}}}, "one.variants.a.copies is missing"),
        (
            WithShared,
            {"copies": 1, "variants": {"a-b": {}}},
            "a name should be a word like without_attention, found 'a-b'",
        ),
        (WithShared, {"copies": 1, "variants": {"a": 3}}, "one.variants.a should be a valid dictionary"),
        (Apart, {"recipe": {"copies": 1, "rat": 2}, "variants": {"a": {}}}, "'one.recipe.rat'; did you mean 'rate'?"),
        (Apart, {"recipe": {"copies": 1, "kind": "z"}, "variants": {"a": {}}}, "one.recipe.kind should be 'x' or 'y'"),
        (Apart, {"recipe": 3, "variants": {"a": {}}}, "one: recipe should be a section, found 3"),
        (Both, {"tasks": {"t": {"corpus": "c", "kind": "z", "copies": 1, "variants": {"a": {}}}}}, "one.tasks.t.kind"),
    ],
)
def test_a_mistake_of_variants_is_named_where_it_stands(model, values, message):
    if model is WithShared:
        values = {"corpus": "c"} | values
    with pytest.raises(InputError) as caught:
        parameters.check(model, values, "one")
    assert message in str(caught.value)


class Circle(Section):
    kind: Literal["circle"]
    radius: float


class Square(Section):
    kind: Literal["square"]
    side: float


class Shapes(Section):
    shapes: dict[str, Annotated[Circle | Square, Field(discriminator="kind")]]


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"kind": "circle", "radios": 1.0, "radius": 1.0}, "'one.shapes.a.radios'; did you mean 'radius'?"),
        ({"kind": "square", "side": "long"}, "one.shapes.a.side should be a valid number, found 'long'"),
        ({"kind": "square"}, "one.shapes.a.side is missing"),
        ({"kind": "cube", "side": 1.0}, "one.shapes.a.kind should be one of circle, square, found 'cube'"),
        ({"side": 1.0}, "one.shapes.a.kind is missing"),
    ],
)
def test_a_mistake_of_sections_told_apart_by_their_kind(shape, message):
    with pytest.raises(InputError) as caught:
        parameters.check(Shapes, {"shapes": {"a": shape}}, "one")
    assert message in str(caught.value)


def test_sections_are_laid_over_each_other():
    first, second = Knobs(copies=1, kind="y"), {"rate": 0.2}
    assert parameters.overlaid(Knobs, {"one": first, "one.corpora.c": second}) == Knobs(copies=1, rate=0.2, kind="y")
    for layers, message in (
        ({"one": first, "one.corpora.c": {"rat": 1}}, "unknown parameter 'one.corpora.c.rat'; did you mean 'rate'?"),
        ({"one": {"copies": "1"}, "one.corpora.c": second}, "one.copies should be a valid integer, found '1'"),
        ({"one": {}, "one.corpora.c": second}, "one.corpora.c.copies is missing"),
    ):
        with pytest.raises(InputError) as caught:
            parameters.overlaid(Knobs, layers)
        assert message in str(caught.value)


def test_an_override_changes_leaves_and_knows_their_names():
    base = {"profile": "small", "one": {"rate": 1, "inner": {"a": 2, "b": 3}}}
    assert parameters.merge(base, {"one": {"inner": {"b": 4}}})["one"] == {"rate": 1, "inner": {"a": 2, "b": 4}}
    with pytest.raises(InputError, match=r"profile: unknown parameter 'one.inner.c'"):
        parameters.merge(base, {"one": {"inner": {"c": 4}}})
    with pytest.raises(InputError, match=r"one is a section, found 3"):
        parameters.merge(base, {"one": 3})


def test_an_override_adds_variants_or_replaces_them(tmp_path):
    base = {"one": {"variants": {"a": {"k": 1}, "b": {"k": 2}}}}
    path = tmp_path / "profile.yaml"
    path.write_text("one:\n  variants: {c: {k: 3}, a: {k: 5}}\n")
    merged = parameters.merge(base, parameters.read(path))
    assert merged["one"]["variants"] == {"a": {"k": 5}, "b": {"k": 2}, "c": {"k": 3}}
    path.write_text("one:\n  variants: !replace {c: {k: 3}}\n")
    assert parameters.merge(base, parameters.read(path))["one"]["variants"] == {"c": {"k": 3}}
    base["one"]["none"] = {}
    assert parameters.merge(base, {"one": {"none": {"a": {"k": 1}}}})["one"]["none"] == {"a": {"k": 1}}
    with pytest.raises(InputError, match="unknown parameter 'two'"):
        parameters.merge(base, {"two": {}})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: 1\nb: 2\na: 3\n", r"line 3: this is not valid YAML .the key 'a' is there twice"),
        (b"a: {b: 1, b: 1}\n", r"line 1: this is not valid YAML .the key 'b' is there twice"),
        (b"a: !replace\n  b: 1\n  b: 2\n", r"line 3: this is not valid YAML .the key 'b' is there twice"),
        (b"a: 1\nb: caf\xe9\n", r"line 2: expected UTF-8 text, found the byte 0xe9; save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), r"line 1: expected UTF-8 text, found the byte 0xff"),
        (b"a:\n\tb: 1\n", r"line 2: this is not valid YAML"),
        (b"a: \x07\n", r"this is not valid YAML .unacceptable character"),
    ],
)
def test_a_file_of_parameters_that_is_no_yaml_is_one_sentence(tmp_path, content, message):
    (tmp_path / "params.yaml").write_bytes(content)
    with pytest.raises(InputError, match=message) as problem:
        parameters.read(tmp_path / "params.yaml")
    assert str(problem.value).isprintable()


NUMBERS = [
    "1e-3",
    "1E5",
    "+1e3",
    "1.5e3",
    "1.e5",
    "-.5",
    "+.5",
    "5.",
    "1_000.5",
    "12e03",
    "020",
    "-012",
    "08",
    "0o17",
    "-0x1F",
    "0b101",
    "1_000",
    "+12",
]
WORDS = [
    "1:20",
    "190:20:30",
    "no",
    "yes",
    "On",
    "off",
    "True",
    "false",
    "tRue",
    "null",
    "~",
    ".inf",
    "-.inf",
    "2026-01-02",
    "2026-1-2",
    "1e",
    "1.2.3",
    "e5",
    "x1",
]


@pytest.mark.parametrize("text", [*NUMBERS, *WORDS])
def test_a_word_of_parameters_is_what_it_is_for_dvc(tmp_path, text):
    """DVC reads YAML 1.2: a stage that took 020 for 16 would train otherwise than its lock says."""
    path = tmp_path / "params.yaml"
    path.write_text(f"a: {text}\n")
    value, of_dvc = parameters.read(path)["a"], LOADERS[".yaml"](str(path))["a"]
    assert (type(value), value) == (type(of_dvc), of_dvc)


def test_a_mark_before_parameters_is_no_part_of_them(tmp_path):
    (tmp_path / "params.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\n")
    assert parameters.read(tmp_path / "params.yaml") == {"a": 1}
