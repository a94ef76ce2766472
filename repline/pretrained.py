"""Models on disk: `config.json` and `model.safetensors` of `huggingface_hub.PyTorchModelHubMixin`."""

import inspect
import json
from pathlib import Path
from typing import Any, TypeVar

from huggingface_hub import PyTorchModelHubMixin
from safetensors import SafetensorError
from safetensors.torch import load_model
from torch import nn

from repline.errors import InputError, in_one_line, shown
from repline.parameters import JsonObject

Model = TypeVar("Model", bound=nn.Module)
DESCRIPTION = "repline"  # the entry of config.json that `repline.use.folders` writes; no argument of a model


class DescribedModel(PyTorchModelHubMixin):
    """The mixin for a model that takes keyword arguments: all of config.json is passed to it, but the description."""

    @classmethod
    def _from_pretrained(cls, **options: Any) -> Any:
        options.pop(DESCRIPTION, None)
        return super()._from_pretrained(**options)


def pretrained(kind: type[Model], folder: str | Path, settings: JsonObject | None = None) -> Model:
    """Read a model that its `save_pretrained` wrote, in evaluation mode.

    Args:
        kind: the model's class.
        settings: what it should have been trained with; compared with its training.json, where that names the
            same settings.

    `kind.from_pretrained` by itself would look for a missing folder on the web, and would leave the weights of a model
    with another configuration random.

    Raises:
        InputError: there is no model, it is of another kind or configuration, was trained with other settings, or its
            file is damaged.
    """
    folder = Path(folder)
    for name in ("config.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise InputError(f"{folder / name}: there is no such file, so {folder} holds no model; train it again")
    if settings is not None:
        _compare(folder, json.loads(json.dumps(settings)))
    try:
        return _built(kind, folder).eval()
    except OSError as error:
        raise InputError(f"{folder}: the model cannot be read ({in_one_line(error)})") from None
    except (RuntimeError, TypeError, ValueError, ArithmeticError, LookupError, SafetensorError) as error:
        first = in_one_line(error)
        raise InputError(
            f"{folder}: this is no {kind.__name__} of the present code and parameters ({first}); train it again"
        ) from None


def _built(kind: type[Model], folder: Path) -> Model:
    """The model that config.json describes, with the weights of model.safetensors.

    It is what `from_pretrained` builds, which prints a line for every model: silencing the standard output would
    silence it for all threads of a program.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if not isinstance(config, dict):
        raise TypeError(f"config.json holds no object, but {type(config).__name__}")
    config.pop(DESCRIPTION, None)
    parameters = inspect.signature(kind.__init__).parameters
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    model = kind(**{name: value for name, value in config.items() if takes_all or name in parameters})
    load_model(model, folder / "model.safetensors", strict=True)
    return model


def save_model(model: nn.Module, folder: str | Path) -> None:
    """Write config.json and model.safetensors of a model that has huggingface_hub's mixin into an existing folder.

    The card that the mixin adds says that the model was pushed to the Hub, which is not so; it is removed.
    """
    mixin: Any = model
    mixin.save_pretrained(folder)
    (Path(folder) / "README.md").unlink(missing_ok=True)


def _compare(folder: Path, settings: JsonObject) -> None:
    try:
        recorded = json.loads((folder / "training.json").read_text(encoding="utf-8"))["settings"]
    except (FileNotFoundError, KeyError, ValueError):
        raise InputError(f"{folder}: training.json does not say how this model was trained; train it again") from None
    for key in sorted(settings.keys() & recorded.keys()):
        if settings[key] != recorded[key]:
            raise InputError(
                f"{folder}: this model was trained with {key} {shown(recorded[key])}, and the parameters now say "
                f"{shown(settings[key])}; train it again"
            )
