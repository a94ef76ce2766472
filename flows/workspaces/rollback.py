"""Results as they were before a run that failed."""

from collections.abc import Iterable
from pathlib import Path

from dvc.repo import Repo

from flows.files import new_file
from flows.planning.dvc_graph import address_of


class Before:
    """The outputs of some stages as dvc.lock records them, to be restored from DVC's cache.

    Outputs that DVC does not cache (metrics, which git keeps) are kept in memory.
    """

    def __init__(self, root: Path, addresses: Iterable[str]):
        self._root, self._addresses = root, set(addresses)
        files: set[Path] = set()
        with Repo(str(root)) as repo:
            for stage in repo.index.stages:
                if address_of(stage) in self._addresses:
                    files.add(Path(stage.path).with_name("dvc.lock"))
                    files |= {Path(out.fs_path) for out in stage.outs if not out.use_cache and out.is_in_repo}
        self._files = {path: path.read_bytes() if path.is_file() else None for path in files if not path.is_dir()}

    def restore(self) -> None:
        """Restore every output that has changed."""
        for path, content in self._files.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                with new_file(path) as partial:
                    partial.write_bytes(content)
        with Repo(str(self._root), _wait_for_lock=True) as repo:
            outs = [
                out.fs_path
                for stage in repo.index.stages
                if address_of(stage) in self._addresses
                for out in stage.outs
                if out.use_cache and out.hash_info
            ]
            if outs:
                repo.checkout(targets=outs, force=True, allow_missing=True)
