"""The rows of DVC's plots: what a figure draws, a text or a number in each column."""

from collections.abc import Mapping

Row = Mapping[str, bool | int | float | str | None]
