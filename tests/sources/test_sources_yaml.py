"""The catalogue: what is accepted, and what a mistake in it is told."""

import re
from pathlib import Path

import pytest
import yaml

from repline.errors import InputError
from repline.sources.catalogue import find_source, load_sources, public_counts

SHA256 = "ab" * 32
GOOD = {
    "title": "A text",
    "licence": "CC0",
    "home": "https://example.org/",
    "used_by": ["wikipedia"],
    "files": [{"name": "a.txt", "sha256": SHA256, "bytes": 3, "rows": 1}],
    "places": [{"mirror": "texts/{name}.gz", "unpack": "gzip"}],
}


@pytest.fixture
def load(tmp_path):
    def load(**changes):
        entry = {key: value for key, value in (GOOD | changes).items() if value != "absent"}
        path = tmp_path / "sources.yaml"
        path.write_text(yaml.safe_dump({"text": entry}, sort_keys=False))
        return load_sources(path)["text"]

    return load


def test_the_projects_own_catalogue():
    sources = load_sources(Path(__file__).parents[2] / "sources.yaml")
    assert sources["wikipedia_en_excerpt"].files[0].places[0].path.endswith("shortened.bz2")
    linzen = sources["agreement_linzen"]
    assert [file.places[0].address for file in linzen.files] == [
        "agreement/linzen2016_subj_agr_filtered.text.gz",
        "agreement/linzen2016_subj_agr_filtered.gold.gz",
    ]
    assert all(file.size is None for file in sources["wikipedia_simple"].files)


def test_every_file_of_the_mirror_alone_says_what_it_was_made_of():
    sources = load_sources(Path(__file__).parents[2] / "sources.yaml")
    files = [file for source in sources.values() for file in source.files if not file.is_public]
    assert files and all(file.made_of for file in files)


def test_public_places_do_not_change():
    sources = load_sources(Path(__file__).parents[2] / "sources.yaml")
    addresses = [place.address for source in sources.values() for file in source.files for place in file.places]
    of_github = [address for address in addresses if address.startswith("https://raw.githubusercontent.com/")]
    assert of_github and all(re.fullmatch(r"https://[^/]+/[^/]+/[^/]+/[0-9a-f]{40}/.+", url) for url in of_github)


def test_places_of_the_source_hold_for_files_without_their_own(load):
    own = {"name": "b.txt", "sha256": SHA256, "bytes": 3, "places": [{"https": "https://example.org/{name}"}]}
    first, second = load(files=[*GOOD["files"], own]).files
    assert [(place.kind, place.address, place.unpack) for place in first.places] == [
        ("mirror", "texts/a.txt.gz", "gzip")
    ]
    assert [(place.kind, place.address) for place in second.places] == [("https", "https://example.org/b.txt")]


def test_generator_gets_every_further_key(load):
    place = load(places=[{"made": "repline.corpora.texts:write", "seed": 1, "sentences": 10}]).files[0].places[0]
    assert (place.address, place.arguments) == ("repline.corpora.texts:write", {"seed": 1, "sentences": 10})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"license": "CC0"}, "text: unknown key 'license'; did you mean 'licence'?"),
        ({"title": "absent"}, "text: the key 'title' is missing"),
        ({"title": 3}, "title should be a text, found 3"),
        ({"moving": "yes please"}, "moving should be true or false"),
        ({"files": []}, "files should be a list"),
        ({"files": [{"name": "a.txt", "sha256": SHA256}]}, "file 1: the key 'bytes' is missing"),
        ({"files": [{"name": "a.txt", "sha": 1}]}, "file 1: unknown key 'sha'"),
        ({"files": [{"name": "../a", "sha256": SHA256, "bytes": 3}]}, "plain file name"),
        ({"files": [{"name": "card.json", "sha256": SHA256, "bytes": 3}]}, "plain file name"),
        ({"files": [{"name": "a.txt", "sha256": "abc", "bytes": 3}]}, "sha256 should be 64 hexadecimal digits"),
        (
            {"files": [{"name": "a.txt", "sha256": None, "bytes": None}]},
            "beside a git_blob or in a source with",
        ),
        ({"files": [{"name": "a.txt", "sha256": None, "bytes": 3, "git_blob": "ab"}]}, "git_blob should be 40 hexa"),
        ({"files": [{"name": "a.txt", "sha256": SHA256, "bytes": -1}]}, "bytes should be a count"),
        ({"files": [GOOD["files"][0], GOOD["files"][0]]}, "file names should differ"),
        ({"places": []}, "at least one place"),
        ({"places": [{"mirrors": "a"}]}, "unknown kind of place 'mirrors'; did you mean 'mirror'?"),
        ({"places": [{"mirror": "a", "unpak": "gzip"}]}, "unknown key 'unpak'; did you mean 'unpack'?"),
        ({"places": [{"mirror": "a", "unpack": "rar"}]}, "unpack should be one of gzip, zip, tar, found 'rar'"),
        ({"places": [{"mirror": "a", "unpack": "zip"}]}, "member is for a zip or tar, found None"),
        ({"places": [{"mirror": "a", "member": "b"}]}, "member is for a zip or tar, found 'b'"),
        ({"places": [{"mirror": "a", "encoding": "utf-99"}]}, "there should be such an encoding, found 'utf-99'"),
        ({"places": [{"mirror": "a", "line_ends": "cr"}]}, "line_ends should be one of lf, closed, found 'cr'"),
        (
            {"places": [{"https": "https://example.org/a"}], "files": [GOOD["files"][0] | {"made_of": "all"}]},
            "made_of is for files of the mirror alone",
        ),
        ({"places": [{"mirror": "../a"}]}, "should stay inside the mirror"),
        ({"places": [{"package": "gensim", "path": "a"}]}, "package should be name==version"),
        ({"places": [{"package": "gensim==4.4.0"}]}, "the key 'path' is missing"),
        ({"places": [{"package": "gensim==4.4.0", "path": "/etc/passwd"}]}, "should stay inside the package"),
        ({"places": [{"made": "repline.corpora.texts"}]}, "made should be repline.module:function"),
        ({"places": [{"made": "os:system", "command": "true"}]}, "made should be repline.module:function"),
        ({"places": [{"made": "replines.texts:write"}]}, "made should be repline.module:function"),
        ({"places": [{"made": "repline.corpora.texts:os.system"}]}, "made should be repline.module:function"),
        ({"places": [{"https": "http://example.org/a"}]}, "expected an https:// address"),
        ({"places": [{"https": "ftp://example.org/a"}]}, "expected an https:// address"),
    ],
)
def test_mistakes_are_named(load, changes, message):
    with pytest.raises(InputError) as caught:
        load(**changes)
    assert message in str(caught.value)
    assert "sources.yaml" in str(caught.value)


def test_counts_of_what_everybody_can_get(load):
    mirrored = load()
    own = {"name": "b.txt", "sha256": SHA256, "bytes": 3, "places": [{"https": "https://example.org/{name}"}]}
    counts = public_counts([mirrored, load(files=[*GOOD["files"], own]), load(files=[own])])
    assert counts == {"sources": 3, "files": 4, "public_files": 2, "mirror_sources": 2, "mirror_files": 2}


def test_unknown_source_names_the_nearest(load):
    with pytest.raises(InputError, match="there is no source 'txet'; did you mean 'text'"):
        find_source({"text": load()}, "txet")


def test_missing_or_broken_catalogue(tmp_path):
    with pytest.raises(InputError, match="no such parameter file"):
        load_sources(tmp_path / "sources.yaml")
    (tmp_path / "sources.yaml").write_text("a: [")
    with pytest.raises(InputError, match="not valid YAML"):
        load_sources(tmp_path / "sources.yaml")
