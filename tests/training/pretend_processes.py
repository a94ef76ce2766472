"""This process as one of several that train together, for what asks only which one it is."""

import pytest
import torch


def be_process(monkeypatch: pytest.MonkeyPatch, rank: int, world: int) -> None:
    """Be process `rank` of `world` until the end of the test."""
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_rank", lambda: rank)
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: world)
