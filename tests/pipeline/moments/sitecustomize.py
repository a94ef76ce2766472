"""Send a signal at an exact moment of a program's life, which no polling from outside can hit.

Python imports this module at its start where this folder is in PYTHONPATH. The variable MOMENT describes the moment as
JSON, in terms of Python's audit events (PEP 578), so that the program itself runs as it is:

    {"program": "stages.report",         what must be in the command line
     "event": "os.rename", "path": "data/report/index.html", "count": 1,       its first such event, just before it
     "signal": 9, "group": false,        to its process group or only to itself
     "hit": "/tmp/.../hit"}              a file that appears if the moment came
"""

import json
import os
import sys


def _arm(moment: dict) -> None:
    left = moment["count"]

    def watch(event: str, arguments: tuple) -> None:
        nonlocal left
        if left == 0 or event != moment["event"]:
            return
        if not any(
            isinstance(argument, str | os.PathLike) and str(argument).endswith(moment["path"]) for argument in arguments
        ):
            return
        left -= 1
        if left == 0:
            os.close(os.open(moment["hit"], os.O_CREAT))
            if moment["group"] and "FORKED_FOR_GROUP" in os.environ:  # of who started this fork: see tests/forks.py
                os.killpg(int(os.environ["FORKED_FOR_GROUP"]), moment["signal"])
            os.kill(0 if moment["group"] else os.getpid(), moment["signal"])  # 0: every process of the group

    sys.addaudithook(watch)


if "MOMENT" in os.environ:
    _moment = json.loads(os.environ["MOMENT"])
    if _moment["program"] in " ".join(sys.orig_argv):
        _arm(_moment)
