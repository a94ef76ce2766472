"""What the system refuses a program that reads and writes files, in words: a full disk, a folder that is read-only."""

import errno
import os
import sqlite3

FULL = (errno.ENOSPC, errno.EDQUOT)
NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)
LIMITS_AND_DAMAGE = (
    *(errno.EFBIG, errno.EIO, errno.ELOOP, errno.EMFILE, errno.ENAMETOOLONG, errno.ENFILE),
    errno.ENOTDIR,
)
SQLITE_FULL = "disk is full"
SQLITE_NOT_WRITABLE = ("readonly database", "unable to open database file", "disk I/O error")


def reason(error: BaseException) -> str | None:
    """Which file the system refused, and why; None for an error that says something of the program itself."""
    if isinstance(error, sqlite3.OperationalError):  # DVC's and Prefect's databases
        return _reason_of_database(str(error))
    if not isinstance(error, OSError) or error.errno not in (*FULL, *NOT_WRITABLE, *LIMITS_AND_DAMAGE):
        return None
    words = os.strerror(error.errno)
    if error.errno in FULL:
        where = f" while writing {error.filename}" if error.filename else ""
        return f"the disk is full{where}; free some space and run again"
    return f"{error.filename}: {words}" if error.filename else words


def _reason_of_database(words: str) -> str | None:
    if SQLITE_FULL in words:
        return "the disk is full while writing a database; free some space and run again"
    if any(refusal in words for refusal in SQLITE_NOT_WRITABLE):
        return f"a database of DVC (in DVC_SITE_CACHE_DIR, or /var/tmp/dvc) or Prefect (in PREFECT_HOME): {words}"
    return None
