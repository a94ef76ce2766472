"""The section `chunks` of params.yaml."""

from typing import Any

from repline import parameters
from repline.corpora.chunks.chunk_tagger_training import train
from repline.errors import InputError

FORMS = ("tags", "words", "running")  # what a tagger reads


def corpora(values: dict[str, Any], key: str) -> dict[str, dict[str, Any]]:
    """The entries of `chunks.parsed` or `chunks.tagged` by their names; InputError on a mistake in any."""
    wanted = {"parsed": ("name", "source"), "tagged": ("name", "source", "tagger")}[key]
    also = {"parse"} if key == "tagged" else set()
    entries = parameters.section(values, "chunks").get(key)
    found: dict[str, dict[str, Any]] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        good = isinstance(entry, dict) and all(isinstance(entry.get(name), str) and entry[name] for name in wanted)
        if not good or set(entry) - set(wanted) - also or not isinstance(entry.get("parse", False), bool):
            raise InputError(f"params.yaml: chunks.{key} should be a list of {{{', '.join(wanted)}}}, found {entry!r}")
        if key == "tagged" and entry["tagger"] not in FORMS:
            raise InputError(
                f"params.yaml: chunks.tagged: {entry['name']}: tagger should be one of {', '.join(FORMS)}, "
                f"found {entry['tagger']!r}{parameters.nearest(entry['tagger'], FORMS)}"
            )
        if entry["name"] in found:
            raise InputError(f"params.yaml: chunks.{key}: there are two corpora named {entry['name']!r}")
        found[entry["name"]] = entry
    return found


def tagger(values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of `chunks.tagger`: of the data (source, sentences, test_share, vocabulary), and of `train`."""
    section = dict(parameters.section(values, "chunks.tagger"))
    kinds = {"source": (str,), "sentences": (int, type(None)), "test_share": (float,), "vocabulary": (str,)}
    data = {}
    for name, kind in kinds.items():
        if name not in section or not isinstance(section[name], kind):
            raise InputError(
                f"params.yaml: chunks.tagger.{name} should be {kind[0].__name__}, found {section.get(name)!r}"
            )
        data[name] = section.pop(name)
    if not 0 < data["test_share"] < 1:
        raise InputError(f"params.yaml: chunks.tagger.test_share should be between 0 and 1, found {data['test_share']}")
    return data, parameters.bind(train, section, "chunks.tagger", given=("progress",))
