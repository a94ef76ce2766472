"""The name of this machine's time zone, in which the times of a schedule are read."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import tzlocal

from flows.errors import InputError


def of_this_machine() -> str:
    """Its name, such as Europe/Berlin; UTC where the machine has none.

    Raises:
        InputError: the machine has one that has no name.
    """
    time.tzset()  # TZ may have changed since this process began
    try:
        name = tzlocal.get_localzone_name() or "UTC"
        offset = datetime.now(ZoneInfo(name)).utcoffset()
    except (LookupError, ValueError):  # files of the system that contradict each other
        offset = None
    now = datetime.now().astimezone()
    if offset != now.utcoffset():
        raise InputError(
            f"the time zone of this machine, {now.tzname()}, has no name that a schedule can have; name one as "
            "`timezone` in the schedule of refresh, such as Europe/Berlin, or in the variable TZ"
        )
    return name
