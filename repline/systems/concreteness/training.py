"""Train regressors on rated words: out of fold, for a whole vocabulary, and the networks among them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray
from sklearn.model_selection import KFold
from torch import Tensor, nn

from repline.cards import write_card
from repline.files import new_folder
from repline.systems.concreteness.coefficients import MEASURED
from repline.systems.concreteness.rated_words import RatedWords
from repline.systems.concreteness.ratings import FILE
from repline.systems.concreteness.regressors import RatingNetworks, ridge, support_vectors
from repline.systems.concreteness.saved_ratings import describe_ratings
from repline.systems.concreteness.settings import Lexicon, Recipe, Regressor, SupportVectors
from repline.training.batches import batches
from repline.training.run import Run, run

if TYPE_CHECKING:
    from sklearn.compose import TransformedTargetRegressor

BATCHES_PER_TURN = 16  # of the training loop
NARROW = 0.003  # the paper's gamma, 1 / d for its d = 300
PREDICTIONS = "predictions.parquet"
BLOCK = 10_000  # words whose ratings are predicted at a time


def train(
    svr: SupportVectors, ffn: Recipe, methods: Sequence[Regressor], rated: RatedWords, folds: int, this_run: Run
) -> None:
    """Predict every word out of fold and write predictions.parquet, next to the networks if they are among the methods.

    Its columns are fold, target, word, gold and one for each method.
    """
    fold = folds_of(len(rated.words), folds, this_run.seed)
    predicted = out_of_fold(svr, ffn, methods, rated, fold, this_run)
    tables = [
        pa.table(
            {"fold": fold, "target": [target] * len(fold), "word": rated.words, "gold": rated.ratings[target]}
            | by_method
        )
        for target, by_method in predicted.items()
    ]
    this_run.folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.concat_tables(tables), this_run.folder / PREDICTIONS)


def train_lexicon(
    lexicon: Lexicon,
    svr: SupportVectors,
    rated: RatedWords,
    words: Sequence[str],
    matrix: NDArray,
    folder: Path,
    *,
    vectors: str,
    data: str | Path = "data",
) -> None:
    """Fit support vectors on rated words, and write predicted ratings of frequent words, with a card, into `folder`.

    The folder keeps the regressors and the vectors, so that `repline.load` rates any other word.

    Args:
        lexicon: how many words are rated.
        svr: how support vectors are fitted.
        rated: words that are fitted on.
        words: V words of the space.
        matrix: their vectors [V, d].
        vectors: where in `data` they are from.
    """
    all_words, words = words, words[: lexicon.words]
    columns: dict[str, NDArray] = {}
    models: dict[str, TransformedTargetRegressor] = {}
    for target in MEASURED:
        if target in rated.ratings:
            model = support_vectors(rated.x.shape[1], svr).fit(*rated.rated_for(target))
            models[target] = model
            starts = range(0, len(words), BLOCK)
            blocks = (np.asarray(matrix[: len(words)][start : start + BLOCK], np.float64) for start in starts)
            columns[target] = np.concatenate([model.predict(block) for block in blocks])
    with new_folder(folder) as partial:
        pq.write_table(pa.table({"word": words} | columns), partial / FILE, compression="zstd")
        describe_ratings(partial, models, rated, all_words, matrix, origin=Path(data) / vectors)
        write_card(
            partial,
            name="concreteness",
            description="Predicted ratings of words; they can leave the range of the ratings they are fitted on",
            licence="that of the ratings",
            sources=[{"name": lexicon.ratings}, {"name": vectors}],
            parameters={"lexicon": lexicon.model_dump(), "svr": svr.model_dump()},
            counts={"words": len(words)},
            tools=("pyarrow", "scikit-learn"),
        )


def folds_of(words: int, folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each word, [n]: shuffled, of equal size except for one word."""
    numbers = np.empty(words, np.int64)
    for fold, (_, test) in enumerate(KFold(folds, shuffle=True, random_state=seed).split(np.empty(words))):
        numbers[test] = fold
    return numbers


def out_of_fold(
    svr: SupportVectors,
    ffn: Recipe,
    methods: Sequence[Regressor],
    rated: RatedWords,
    fold: NDArray,
    this_run: Run,
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Predict every word by regressors that were fitted on the other folds.

    Args:
        svr, ffn: how support vectors and networks are fitted.
        methods: `svr` as the settings say; `svr_narrow` with the paper's gamma; `svr_raw` with that and ratings in
            their own unit; `ridge`; `frequency`, whose prediction is -log(1 + rank); `ffn`, the networks.
        rated: n words; a word that is not rated for a target is left out there.
        fold: [n].
        this_run: seed, folder and hardware of the networks.

    Returns:
        target -> method -> [n] predictions, NaN where a word is not rated.
    """
    narrow = svr.model_copy(update={"gamma": NARROW})
    x, d = rated.x, rated.x.shape[1]
    estimators = {
        "svr": support_vectors(d, svr),
        "svr_narrow": support_vectors(d, narrow),
        "svr_raw": support_vectors(d, narrow, standardise_ratings=False),
        "ridge": ridge(),
    }
    predictions: dict[str, dict[str, NDArray]] = {}
    members: list[tuple[str, int, NDArray]] = []  # of the networks: target, fold, rows of training
    for target, y in rated.ratings.items():
        is_rated = ~np.isnan(y)
        predictions[target] = {method: np.full(len(y), np.nan) for method in methods}
        if "frequency" in methods:
            predictions[target]["frequency"][is_rated] = -np.log1p(rated.rows[is_rated])
        for held_out in range(int(fold.max()) + 1):
            training, test = (np.flatnonzero(is_rated & side) for side in (fold != held_out, fold == held_out))
            members.append((target, held_out, training))
            for method in methods:
                if method in estimators:
                    fitted = estimators[method].fit(x[training], y[training])
                    predictions[target][method][test] = fitted.predict(x[test])
    if "ffn" in methods:
        ratings = [rated.ratings[target] for target, _, _ in members]
        predicted = train_networks(ffn, x, ratings, [training for _, _, training in members], this_run).predict(x)
        for member, (target, held_out, _) in enumerate(members):
            test = (fold == held_out) & ~np.isnan(rated.ratings[target])
            predictions[target]["ffn"][test] = predicted[test, member]
    return predictions


def train_networks(
    recipe: Recipe, x: NDArray, ratings: Sequence[NDArray], rows: Sequence[NDArray], this_run: Run
) -> RatingNetworks:
    """Fit one network per list of rows, all at once, by Adam on the mean squared error of the standardised ratings.

    There is no early stopping. Lists of rows should be of nearly one length: an epoch lasts as long as the longest,
    and the batches of a shorter one hold fewer of its words.

    Args:
        x: [N, d] vectors.
        ratings: of each network, [N]; only those of its rows are read.
        rows: of each network, the words that it is trained on.

    Returns:
        the trained networks, in eval mode; they are saved, too.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.1.
    """
    table = torch.as_tensor(np.array(x, np.float32))  # [N, d]
    gold = torch.as_tensor(np.stack(ratings, axis=1).astype(np.float32))  # [N, E]
    torch.manual_seed(this_run.seed)
    model = RatingNetworks(x.shape[1], recipe.dropout, len(rows))
    longest = max(map(len, rows))
    word_rows = torch.zeros(longest, len(rows), dtype=torch.int64)
    weights = torch.zeros(longest, len(rows))
    for member, rows_of_member in enumerate(rows):
        words = torch.as_tensor(np.asarray(rows_of_member))
        model.standardise_by(member, table[words], gold[words, member])
        word_rows[: len(words), member] = words
        weights[: len(words), member] = 1
    run(
        model,
        SquaredErrors(table, gold),
        batches((word_rows, weights), recipe.batch, seed=this_run.seed),
        recipe,
        this_run,
        data=(table, gold.nan_to_num(), word_rows, weights),
        optimizer=_adam,
        batches_per_turn=BATCHES_PER_TURN,
    )
    return model.eval()


class SquaredErrors:
    """The sum over networks of their mean squared errors, in the unit of the standardised ratings.

    Args:
        table: vectors [N, d].
        gold: ratings for each network [N, E].
    """

    def __init__(self, table: Tensor, gold: Tensor):
        self.table, self.gold = table, gold

    def __call__(self, model: RatingNetworks, batch: tuple[Tensor, ...]) -> Tensor:
        """The loss of one batch: words of each network [B, E], and their weights [B, E], 0 for no word."""
        words, weights = batch
        y = self.gold[words, torch.arange(words.shape[1])].where(weights > 0, 0)
        errors = (model(self.table[words]) - model.standardised(y)).square() * weights
        return (errors.sum(0) / weights.sum(0).clamp(min=1)).sum()  # each network has its own mean


def _adam(parameters: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Optimizer:
    return torch.optim.Adam(parameters, learning_rate, fused=True)
