"""Train one variant as a language model: `python -m stages.rrnet.train_language_model rrnet`."""

from repline.systems.rrnet.language_model_training import train_rrnet_language_model
from stages import run
from stages.rrnet.train import train


def main() -> None:
    train("language_model", train_rrnet_language_model)


if __name__ == "__main__":
    run(main)
