"""Models as they lie on disk: `config.json` and `model.safetensors` of `huggingface_hub.PyTorchModelHubMixin`."""

from contextlib import redirect_stdout
from pathlib import Path
from typing import TypeVar

from safetensors import SafetensorError
from torch import nn

from repline.errors import InputError

Model = TypeVar("Model", bound=nn.Module)


def pretrained(kind: type[Model], folder: str | Path) -> Model:
    """Read a model that its `save_pretrained` wrote, in evaluation mode.

    `kind.from_pretrained` by itself would look for a missing folder on the web, and would leave the weights of a model
    with another configuration random.

    Raises:
        InputError: there is no model, it is of another kind or configuration, or its file is damaged.
    """
    folder = Path(folder)
    for name in ("config.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise InputError(f"{folder / name}: there is no such file, so {folder} holds no model; train it again")
    try:
        with redirect_stdout(None):  # the mixin announces every file
            return kind.from_pretrained(folder, strict=True, local_files_only=True).eval()
    except (RuntimeError, TypeError, ValueError, SafetensorError) as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(
            f"{folder}: this is no {kind.__name__} of the present code and parameters ({first}); train it again"
        ) from None
