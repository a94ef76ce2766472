"""The rules of the house: which rooms may import which, how large a room is, and that a name means one thing."""

from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.module_imports import Imports

ROOT = Path(__file__).parent.parent
# each system may have these
ROLES = {"__init__", "__main__", "model", "training", "evaluation", "corpus", "recipes", "settings", "use"}
LARGEST_ROOM = 16  # files side by side

imports = Imports(ROOT)
library = sorted(module for module in imports.files if module.startswith("repline."))


def system_of(module):
    """The system whose room a module lies in, or None."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["repline", "systems"] and len(parts) > 2 else None


def test_imports_go_one_way():
    wrong = []
    for module in library:
        for imported in sorted(imports.of(module)[0]):
            if not imported.startswith("repline"):
                wrong.append(f"{module} of the library imports {imported}")
            elif system_of(imported) not in (None, system_of(module)) and not module.startswith("repline.cli."):
                wrong.append(f"{module} imports {imported} of another system")
            elif imported.startswith("repline.cli") and not module.startswith(("repline.cli", "repline.__main__")):
                wrong.append(f"{module} imports {imported} of the command")
    assert not wrong


def test_nothing_imports_flows():
    for path in [*ROOT.glob("repline/**/*.py"), *ROOT.glob("stages/**/*.py")]:
        text = path.read_text(encoding="utf-8")
        assert "from flows" not in text and "import flows" not in text, path


def test_a_stage_imports_its_own_system_alone():
    families = {path.name for path in (ROOT / "repline/systems").iterdir()}
    for module in imports.files:
        folder = module.split(".")[1] if module.startswith("stages.") else None
        for imported in imports.of(module)[0] if folder else ():
            system = system_of(imported)
            assert system is None or system == folder, f"{module} imports {imported}"
            if imported.startswith("stages.") and imported.count(".") > 1 and folder in families:
                assert imported.split(".")[1] == folder, f"{module} imports {imported}"


def test_there_is_no_circle_of_imports():
    # repline itself is the front door: its `load` imports what it opens when it is called
    graph = {module: imports.of(module)[0] - {"repline"} for module in imports.files}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("top", ["repline", "flows"])
def test_the_rooms_lie_one_above_the_other(top):
    """No room takes something, however far around, from a room that takes something from it."""
    inside = imports if top in imports.packages else Imports(ROOT, [top])
    rooms: dict[str, set[str]] = {}
    for module in inside.files:
        if module.split(".")[0] == top:
            room = ".".join(module.split(".")[:2])
            imported_rooms = {".".join(imported.split(".")[:2]) for imported in inside.of(module)[0]}
            rooms.setdefault(room, set()).update(imported_rooms - {room, top})
    try:
        TopologicalSorter(rooms).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_room_is_small_enough_to_look_around_in():
    files = [path for top in ("repline", "flows") for path in ROOT.glob(f"{top}/**/*.py") if path.stem != "__init__"]
    sizes = Counter(path.parent for path in files)
    assert {room: size for room, size in sizes.items() if size > LARGEST_ROOM} == {}


def test_a_name_means_one_thing():
    shared = [module.rpartition(".")[2] for module in library if not system_of(module)]
    assert {name for name, count in Counter(shared).items() if count > 1} <= ROLES
    systems = {module.rpartition(".")[2] for module in library if system_of(module)}
    assert systems & set(shared) <= ROLES


def test_a_system_has_its_room_and_its_stages_under_one_name():
    systems = [path for path in (ROOT / "repline/systems").iterdir() if any(path.glob("*.py"))]
    assert systems
    for room in systems:
        for file in ("dvc.yaml", "published.yaml", "claims.yaml", "README.md"):
            assert (ROOT / "stages" / room.name / file).is_file(), room
        if len(list(room.glob("*.py"))) > 2:
            assert (room / "__init__.py").is_file(), f"{room}: say in which order to read them"
