"""How sure is a vote of its examples? The distribution of the margins, and how boosting moves it.

Lecture 09. After the training error is zero AdaBoost goes on pushing the smallest margins up: the
left end of the curve of ``plot_margins`` moves to the right from round to round.
"""

from itertools import islice
from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted

from mlcourse.layout import GRAY, INK, marks
from mlcourse.margins import _codes, _margins, margin_distribution, normalized_margins
from mlcourse.panels import STYLES, axes_of, beside

__all__ = []


def plot_margins(model, X=None, y=None, *, rounds=None, theta=(), axes=None):
    """Draw the cumulative distribution of the normalized margins: which share is ≤ θ.

    The height at 0, right of which all examples are classified correctly, is the share of wrong
    (or tied) examples. A marker at the bottom shows the smallest margin of each curve.

    Parameters
    ----------
    model : a fitted ensemble with ``staged_votes`` or ``votes`` (AdaBoostClassifier); or margins
        (n,), or a dictionary of several such arrays, named; then X and y are not used
    X, y : the examples
    rounds : after how many rounds, a curve for each; by default all, a tenth and a
        hundredth of them
    theta : margins θ to mark by vertical lines
    axes : where to draw; by default on a new figure

    Returns
    -------
    The figure.
    """
    curves = _margin_curves("plot_margins", model, X, y, rounds)
    axes = axes_of(axes)
    for i, (name, margins) in enumerate(curves.items()):
        color, _, marker = marks(i)
        least = float(np.min(margins))
        steps = margin_distribution(margins)
        axes.plot(*steps, color=color, ls=STYLES[i % 6], drawstyle="steps-post", gid="margins")
        axes.plot(
            least, 0, marker, color=color, mec="white", ms=8, clip_on=False, zorder=4, gid="least"
        )
        smallest = f"{least:.2f}".replace("-", "−")
        label = f"{name}\n(smallest {smallest})"
        axes.plot([], [], color=color, ls=STYLES[i % 6], marker=marker, label=label)
    axes.axvline(0, color=INK, lw=1.0, ls="-", zorder=1)
    _mark_thetas(axes, np.sort(np.ravel(theta)))
    axes.set(xlim=(-1.06, 1.06), ylim=(0, 1.02), xticks=np.linspace(-1, 1, 5))
    axes.set(xlabel="margin θ", ylabel="share of examples ≤ θ")
    beside(axes, labelspacing=0.8)
    return axes.figure


def _mark_thetas(axes, thetas):
    """Draw a vertical line at each θ; labels that would stand on each other are moved apart."""
    places = thetas.astype(float)
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + 0.27)
    places = places - np.mean(places - thetas) if len(places) else places
    for theta, place in zip(thetas, places, strict=True):
        axes.axvline(theta, color=GRAY, lw=1.0, ls=":", zorder=1, gid="theta")
        label = f"θ = {theta:g}".replace("-", "−")
        axes.annotate(
            label, (theta, 1.02), (place, 1.1), fontsize=8.5, ha="center",
            arrowprops={"arrowstyle": "-", "color": GRAY, "lw": 0.8, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip


def _margin_curves(name, model, X, y, rounds):
    """Return name → margins."""
    if isinstance(model, dict) or not (hasattr(model, "votes") or hasattr(model, "fit")):
        if not (X is None and y is None and rounds is None):
            raise ValueError(f"{name}: margins are given, so X, y and rounds are of no use")
        given = model if isinstance(model, dict) else {"margins": model}
        given = {str(key): np.asarray(values, dtype=float) for key, values in given.items()}
        for margins in given.values():
            proper = margins.ndim == 1 and margins.size and (np.abs(margins) <= 1 + 1e-9).all()
            if not proper:
                raise ValueError(
                    f"{name}: margins must be numbers (n,) from -1 to 1; divide by the sum of votes"
                )
        if not given:
            raise ValueError(f"{name}: there are no margins")
        return given
    if y is None or X is None:
        raise ValueError(f"{name}: X and y are missing; a margin needs the right answer")
    if not hasattr(model, "staged_votes"):
        if rounds is not None:
            raise ValueError(
                f"{name}: {type(model).__name__} has no staged_votes; leave out rounds"
            )
        return {"all learners": normalized_margins(model, X, y)}
    check_is_fitted(model)
    last = len(model.estimators_)
    if rounds is None:
        rounds = sorted({t for t in (last // 100, last // 10, last) if t > 0})
    rounds = list(rounds) if np.ndim(rounds) else [rounds]
    if not rounds or not all(isinstance(t, Integral) and 1 <= t <= last for t in rounds):
        raise ValueError(f"{name}: rounds are {rounds}, expected whole numbers from 1 to {last}")
    codes, found = _codes(model, y), {}
    for t, votes in enumerate(islice(model.staged_votes(X), max(rounds)), start=1):
        if t in rounds:
            found[t] = _margins(votes, codes)
    return {f"after {t} round{'s' * (t > 1)}": found[t] for t in rounds}
