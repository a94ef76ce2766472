"""A folder of data described in Croissant 1.1, the JSON-LD form by which data sets are found and loaded elsewhere.

Source: Akhtar et al., Croissant: A Metadata Format for ML-Ready Datasets, 2024; the format's version 1.1,
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.parameters import Json, JsonObject
from repline.version import VERSION

CARD = "card.json"
TERMS = (  # of Croissant's own vocabulary
    "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject",
    "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5",
    "parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip
CONTEXT: dict[str, Json] = {term: f"cr:{term}" for term in TERMS} | {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}
FORMATS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
}
TYPES = {
    pa.bool_(): "sc:Boolean",
    pa.string(): "sc:Text",
    pa.large_string(): "sc:Text",
    pa.float16(): "cr:Float16",
    pa.float32(): "cr:Float32",
    pa.float64(): "cr:Float64",
} | {getattr(pa, f"{kind.lower()}{bits}")(): f"cr:{kind}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)}
ANY_LENGTH = -1  # of a dimension of an array
DIGITS = 12  # of a digest in a version
_PART = re.compile(r"(?P<stem>.+)-\d{5}\.parquet")


def describe(folder: str | Path, *, name: str, description: str, licence: str) -> dict[str, Json]:
    """The Croissant document of a folder whose data is complete.

    Every file is a FileObject with its size and sha256, named relative to the folder. A Parquet file is a RecordSet of
    its columns as well; files that are numbered (`part-00000.parquet`, ...) are one FileSet and one RecordSet.

    Args:
        folder: with all of its files; its `card.json` and hidden files are left out.
        name, description, licence: of the data set.

    Returns:
        the document, which JSON can hold. It has no `url`, `creator` and `datePublished`: these are of a publication,
        and the same for two equal folders the rest must be. Its `version` is that of this library and, as build
        metadata of Semantic Versioning, the first digits of a sha256 over the names and the sha256 of all files.

    Raises:
        TypeError: a Parquet column of a type that has no name in Croissant.
    """
    folder = Path(folder)
    paths = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    names = [path.as_posix() for path in paths if path.name != CARD and not path.name.startswith(".")]
    files, sets, records = [], {}, {}
    for file in names:
        files.append(_file_object(folder / file, file))
        if not file.endswith(".parquet"):
            continue
        source = {"fileObject": {"@id": file}}
        record = file.removesuffix(".parquet")
        if part := _PART.fullmatch(file):
            record = part["stem"]
            sets[record] = _file_set(f"{record}-files", f"{record}-*.parquet")
            source = {"fileSet": {"@id": f"{record}-files"}}
        if record not in records:
            records[record] = _record_set(record, pq.read_schema(folder / file), source)
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": name,
        "description": description,
        "license": licence,
        "version": f"{VERSION}+{_digest_of(files)}",
        "distribution": [*files, *sets.values()],
        "recordSet": list(records.values()),
    }


def _digest_of(files: Sequence[JsonObject]) -> str:
    """The first digits of a sha256 over the files' names and contents, in their order."""
    listed = "".join(f"{file['sha256']}  {file['@id']}\n" for file in files)
    return hashlib.sha256(listed.encode()).hexdigest()[:DIGITS]


def _file_object(path: Path, name: str) -> JsonObject:
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": FORMATS.get(path.suffix, "application/octet-stream"),
        "sha256": digest,
    }


def _file_set(name: str, pattern: str) -> JsonObject:
    return {
        "@type": "cr:FileSet",
        "@id": name,
        "name": name,
        "encodingFormat": FORMATS[".parquet"],
        "includes": pattern,
    }


def _record_set(name: str, schema: pa.Schema, source: JsonObject) -> JsonObject:
    fields = [_field(f"{name}/{field.name}", field, {**source, "extract": {"column": field.name}}) for field in schema]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}


def _field(identity: str, field: pa.Field, column: JsonObject, json_path: str = "") -> JsonObject:
    """A field, or a part of one.

    Args:
        column: the source of the whole column.
        json_path: where the part lies in a value of the column; empty for all of it.
    """
    kind, shape = field.type, list[int]()
    while pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        shape.append(kind.list_size if pa.types.is_fixed_size_list(kind) else ANY_LENGTH)
        kind = kind.value_type
    described: dict[str, Json] = {"@type": "cr:Field", "@id": identity, "name": identity}
    if shape:
        described |= {"isArray": True, "arrayShape": ",".join(map(str, shape))}
    if pa.types.is_struct(kind):
        inner = [kind.field(index) for index in range(kind.num_fields)]
        described["subField"] = [
            _field(f"{identity}/{part.name}", part, column, f"{json_path}.{part.name}".strip(".")) for part in inner
        ]
        return described
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if kind not in TYPES:
        raise TypeError(f"column {identity}: the type {field.type} has no name in Croissant")
    source = {**column, "transform": {"jsonPath": json_path}} if json_path else column
    return described | {"dataType": TYPES[kind], "source": source}
