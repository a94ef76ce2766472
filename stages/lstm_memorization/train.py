"""Train on one distribution, for every size, length and seed: `python -m stages.lstm_memorization.train language`.

data/corpora/middle_token -> data/models/lstm_memorization/<distribution>/d<size>-n<length>/seed-<s>/.
"""

from repline.systems.lstm_memorization.learning_curves import selected_test_accuracy
from repline.systems.lstm_memorization.settings import load
from repline.systems.lstm_memorization.training import train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    distribution = argument("a distribution", settings.distributions)
    with trained_runs("lstm_memorization", distribution) as trained:
        for size in settings.sizes_of(distribution):
            for experiment in settings.experiments(distribution, size):
                runs = [trained.run(seed, experiment.name) for seed in settings.seeds]
                for this_run in runs:
                    train(settings.training, CORPORA / "middle_token", experiment, this_run)
                accuracy = selected_test_accuracy([this_run.folder for this_run in runs])
                if settings.stop_when_unsolved and accuracy < settings.solved:
                    print(
                        f"{distribution}, d = {size}: {experiment.length} is not solved, longer ones are not tried",
                        flush=True,
                    )
                    break


if __name__ == "__main__":
    run(main)
