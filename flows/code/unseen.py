"""What the code of a command may run, or read of code, that no digest is about."""

from collections.abc import Iterable, Iterator

from flows.code_digests.module_definitions import Definition
from flows.code_digests.reach import Code, Node

STARTS_PROGRAMS = (
    "subprocess",
    "os.system",
    "os.popen",
    "os.execv",
    "os.execvp",
    "os.spawnv",
    "sh",
    "invoke",
    "pexpect",
)
BY_CONFIGURATION = ("hydra.utils.instantiate", "hydra.utils.call", "hydra.utils.get_class", "hydra.utils.get_method")
# functions that make objects of the classes that a file names
UNPICKLING = {
    *("cloudpickle.load", "cloudpickle.loads", "dill.load", "dill.loads", "joblib.load", "jsonpickle.decode"),
    *("pandas.read_pickle", "pickle.Unpickler", "pickle.load", "pickle.loads", "shelve.open", "torch.load"),
}
READING_SOURCE = {"inspect.getsource", "inspect.getsourcelines", "inspect.getcomments", "linecache.getlines"}


def unseen(code: Code, address: str, nodes: Iterable[Node]) -> Iterator[str]:
    """What a command may run that the text of its code does not name, in words.

    Args:
        nodes: what it reaches.
    """
    for name, functions in code.dynamic([address]).items():
        bound = code.modules.bound(name.partition(":")[0])
        if computed := [function for function in functions if function not in bound]:  # the project's own may be `eval`
            yield f"{name} takes code by a name that it computes ({', '.join(computed)})"
    for node in nodes:
        if node.kind == "definition":
            definition = code.modules.definitions(node.module)[node.name]
            for name in code.names.library_names(node.module, definition):
                if what := _what(name, definition):
                    yield f"{node} {what} ({name})"


def reads_source(code: Code, nodes: Iterable[Node]) -> bool:
    """Whether the text of code is read, in which comments and layout count."""
    return any(
        not READING_SOURCE.isdisjoint(
            code.names.library_names(node.module, code.modules.definitions(node.module)[node.name])
        )
        for node in nodes
        if node.kind == "definition"
    )


def _what(name: str, definition: Definition) -> str | None:
    """What a definition does by something of a library, as far as that is not seen."""
    if any(name == program or name.startswith(f"{program}.") for program in STARTS_PROGRAMS):
        return "can start other programs"
    if name in BY_CONFIGURATION:
        return "takes code that a configuration names"
    if (name in UNPICKLING and "weights_only" not in definition.options) or (
        name == "numpy.load" and "allow_pickle" in definition.options
    ):
        return "makes objects of classes that a file names"
    return "reads the text of code" if name in READING_SOURCE else None
