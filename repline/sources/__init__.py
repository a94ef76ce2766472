"""Acquisition: locate a source in its places, fetch it, verify it, and put it into data/raw."""

from repline.sources.acquisition import acquire
from repline.sources.card import locked, raw_files, read_source_card
from repline.sources.catalogue import Place, Source, SourceFile, find_source, load_sources
from repline.sources.freshness import changed, upstream
from repline.sources.server import Patience

__all__ = [
    "Patience",
    "Place",
    "Source",
    "SourceFile",
    "acquire",
    "changed",
    "find_source",
    "load_sources",
    "locked",
    "raw_files",
    "read_source_card",
    "upstream",
]
