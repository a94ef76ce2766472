"""One bzip2 stream decompressed by several threads: rapidgzip finds its blocks, which do not depend on each other."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from rapidgzip import IndexedBzip2File

_BLOCK, _END = 0x314159265359, 0x177245385090  # what a block and the end of a stream begin with; a CRC-32 follows
_FAILURES = (RuntimeError, ValueError, IndexError, ArithmeticError, OSError)  # what C++ exceptions become in Python


def in_parallel(path: Path, threads: int, chunk: int, alone: Callable[[], Iterable[bytes]]) -> Iterator[bytes]:
    """Decompress a bzip2 file; the bytes, and where it breaks, are those of one thread.

    rapidgzip checks the CRC of every block. What it does not check (the CRC of a stream, what follows the last one) is
    checked here, at the end. Where anything is wrong, one thread reads the file again and says what. Only for a wrong
    CRC of a stream that others follow does it say so after more bytes than it would have given by itself.

    Args:
        path: of one stream or more.
        threads: how many decompress.
        chunk: decompressed bytes that are read at once.
        alone: the same bytes by one thread, in chunks of at most `chunk`. At a break it may lose the last of them that
            are good, so as many are held back here until more follow.
    """
    held: deque[bytes] = deque()
    size = bytes_given = 0  # bytes in `held`, bytes before them
    try:
        with IndexedBzip2File(str(path), parallelization=threads) as file:
            while data := file.read(chunk):
                held.append(data)
                size += len(data)
                while size - len(held[0]) >= chunk:
                    size, bytes_given = size - len(held[0]), bytes_given + len(held[0])
                    yield held.popleft()
            whole = _is_whole(path, file.block_offsets())
    except _FAILURES:
        whole = False
    if whole:
        yield from held
        return
    held.clear()
    for data in alone():
        if fresh := data[bytes_given:]:
            yield fresh
        bytes_given = max(bytes_given - len(data), 0)


def _is_whole(path: Path, offsets: Mapping[int, int]) -> bool:
    """Whether the CRC of each stream is that of its blocks, and only padding follows the last one.

    Args:
        offsets: its keys are the bits of the file where blocks and ends of streams begin, and at last where these end.
    """
    *begun, last = sorted(offsets)
    crc, open_stream = 0, False
    with open(path, "rb") as file:
        for bit in begun:
            file.seek(bit // 8)
            mark, recorded = divmod(int.from_bytes(file.read(11)) >> 8 - bit % 8 & (1 << 80) - 1, 1 << 32)
            if mark == _BLOCK:
                crc, open_stream = (crc << 1 & 0xFFFFFFFF | crc >> 31) ^ recorded, True
            elif mark == _END and crc == recorded:
                crc, open_stream = 0, False
            else:
                return False
        file.seek(-(-last // 8))
        return not open_stream and not any(piece.strip(b"\0") for piece in iter(lambda: file.read(1 << 20), b""))
