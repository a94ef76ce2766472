"""A published checkpoint -> data/models/pictures/<name>, safetensors. `python -m stages.pictures.convert NAME`.

The only step that opens a pickle, and of that only plain weights. It is run once for a checkpoint.
"""

from repline.corpora.pictures.efficientnet_lite import convert
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.sources.card import raw_files, read_source_card
from stages import run
from stages.argument import argument
from stages.folders import DATA, MODELS
from stages.pictures.settings import load


def main() -> None:
    weights = load().weights
    name = argument("the name of weights", weights)
    source, folder = DATA / weights[name], MODELS / "pictures" / name
    files = raw_files(source)
    if len(files) != 1:
        raise InputError(f"{source}: expected one checkpoint, found {len(files)} files")
    with new_folder(folder) as partial:
        described = convert(files[0], partial)
        write_json(partial / "config.json", {"architecture": "EfficientNet-Lite0", **described})
        write_json(partial / "source.json", read_source_card(source))
    print(f"{folder}: {described['parameters']:,} parameters")


if __name__ == "__main__":
    run(main)
