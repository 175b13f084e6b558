"""What both scripts share that train `maththera/words/ngram_model.py`: runs, the fit, held-out scores, the file."""

import random
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from maththera.words.ngram_model import FORMAT, SCALE, features, plain
from tests.support.danger_lines import noisy

TOP: Final = Path(__file__).resolve().parent.parent
SMOOTHING: Final = 0.01
STRENGTH: Final = 3.0  # inverse of the regularisation
SHORTEST: Final = 8.0
KINDS_FEWEST: Final = 6
MOST_KINDS: Final = 9_000


class Fit(NamedTuple):
    ratios: Any
    weights: Any
    bias: float


class Kinds(NamedTuple):
    """Weights of runs for each of `categories`; `runs`: places of those that have some."""

    categories: Sequence[str]
    bias: Sequence[float]
    runs: frozenset[int]
    weights: dict[int, Any]


NO_KINDS: Final = Kinds((), (), frozenset(), {})


def with_noise(texts: Sequence[str]) -> list[str]:
    """Every text as it stands, then a copy of each with typos or lost spaces."""
    chance = random.Random(2027)  # noqa: S311 - the same copies each time
    return [*texts, *(noisy(text, chance) for text in texts)]


def counted(texts: Sequence[str], fewest: int) -> tuple[Any, Any]:
    """-> the runs that stand in at least `fewest` texts, and which of them each text has."""
    counter = CountVectorizer(analyzer=features, binary=True, min_df=fewest, dtype=np.float32)
    matrix = counter.fit_transform(map(plain, texts)).tocsr()
    return counter.get_feature_names_out(), matrix


def fit(matrix: Any, wanted: Any, costs: Any = None) -> Fit:
    """Naive Bayes log odds ratios, and the logistic regression over features scaled by them."""
    inside = SMOOTHING + np.asarray(matrix[wanted].sum(0)).ravel()
    outside = SMOOTHING + np.asarray(matrix[~wanted].sum(0)).ravel()
    ratios = np.log((inside / inside.sum()) / (outside / outside.sum()))
    model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=600)
    model.fit(scaled(matrix, ratios), wanted, sample_weight=costs)
    return Fit(ratios, model.coef_[0], float(model.intercept_[0]))


def scaled(matrix: Any, ratios: Any) -> Any:
    sizes = np.sqrt(np.asarray(matrix.sum(1)).ravel())
    return sparse.diags(1 / np.maximum(sizes, SHORTEST)) @ matrix.multiply(ratios).tocsr()


def scores(found: Fit, matrix: Any) -> Any:
    return scaled(matrix, found.ratios) @ found.weights + found.bias


def kept(found: Fit, most: int) -> Any:
    """Places of the `most` runs that count most."""
    return np.argsort(-np.abs(found.ratios * found.weights))[:most]


def held_out(matrix: Any, wanted: Any, costs: Any, writers: Any, count: int, most: int) -> Any:  # noqa: PLR0913
    """The score of each of the first `count` lines by a model of `most` runs that has not seen its writer."""
    found = np.zeros(count)
    for writer in sorted(set(writers)):
        mine = writers == writer
        model = fit(matrix[~mine], wanted[~mine], costs[~mine])
        own, places = np.where(mine[:count])[0], kept(model, most)
        weights = np.zeros_like(model.weights)
        weights[places] = model.weights[places]
        found[own] = scores(model._replace(weights=weights), matrix[own])
    return found


def kinds_of(
    matrix: Any, categories: Sequence[str], labels: Any, fewest: int = KINDS_FEWEST, strength: float = 3.0
) -> Kinds:
    """What tells the categories of the lines apart."""
    often = np.where(np.asarray(matrix.sum(0)).ravel() >= fewest)[0]
    own = matrix[:, often]
    sizes = np.sqrt(np.maximum(np.asarray(own.sum(1)).ravel(), 1))
    kinds = LogisticRegression(C=strength, class_weight="balanced", max_iter=400)
    kinds.fit(sparse.diags(1 / sizes) @ own, labels)
    order = [list(kinds.classes_).index(name) for name in categories]
    weights = dict(zip(often, np.round(kinds.coef_[order].T * SCALE).astype(int), strict=True))
    strongest = np.abs(kinds.coef_).max(0)
    runs = frozenset(often[np.argsort(-strongest)[:MOST_KINDS]])
    return Kinds(categories, [kinds.intercept_[place] for place in order], runs, weights)


def write(finds: str, names: Any, found: Fit, most: int, kinds: Kinds = NO_KINDS) -> None:
    """`configs/words/<finds>_model.tsv`: weights in thousandths, of the `most` runs that count most."""
    weights = np.round(found.ratios * found.weights * SCALE).astype(int)
    chosen = set(kept(found, most))
    body = []
    for place, name in enumerate(names):
        if place not in chosen and place not in kinds.runs:
            continue
        numbers = [int(weights[place]) if place in chosen else 0]
        numbers += [int(each) for each in kinds.weights[place]] if place in kinds.runs else []
        body.append("\t".join([name.replace(" ", "_"), *map(str, numbers)]))
    text = "\n".join(body) + "\n"
    head = [
        FORMAT.format(finds),
        f"bias\t{found.bias:.4f}",
        f"shortest\t{SHORTEST}",
        f"categories\t{','.join(kinds.categories)}",
        f"kinds_bias\t{','.join(f'{each:.4f}' for each in kinds.bias)}",
        f"sha256\t{sha256(text.encode()).hexdigest()}",
    ]
    path = TOP / "configs" / "words" / f"{finds}_model.tsv"
    path.write_text("\n".join(head) + "\n\n" + text, encoding="utf-8")
    print(f"{path.relative_to(TOP)}: {len(body)} runs, {path.stat().st_size / 1e6:.1f} MB")
