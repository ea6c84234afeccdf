"""How does an ensemble grow? Pictures of boosting round by round, and of regions.

Lectures 05 to 08. ``plot_boosting_round`` shows one round of AdaBoost: on the left the weights w_t
and the learner h_t fitted to them, on the right the weighted sum F_t = Σ α h of all learners so
far. ``plot_growing_regions`` shows what any ensemble answers after 1, 3, 10, … learners. Both keep
their axes from one round to the next, so they can be the frames of a ``figure_slider``.
"""

from itertools import islice
from numbers import Integral

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from mlcourse.layout import COLORS, GRAY, INK, marks
from mlcourse.panels import (
    STYLES,
    WIDTH,
    checked,
    class_handles,
    codes_of,
    draw_points,
    fill_line,
    fill_plane,
    grid_of,
    legend_of,
    panels_of,
)

__all__ = []

LEAST, MOST = 4.0, 620.0  # areas in points²: of the smallest and of the largest marker


def plot_boosting_round(model, X, y, round, *, axes=None, resolution=200):
    """Draw one round of AdaBoost on training examples with one or two features.

    Left: the examples, the area of each as its weight w_t in this round, on the answers of the
    learner h_t; the title has its weighted error ε and its vote α. Right: the answers of the
    weighted sum F_t of all learners so far. Rings mark wrong examples. With one feature the height
    of an example is its weight on the left and F_t(x) on the right (with more than two classes
    the F_t of its own class).

    Parameters
    ----------
    model : a fitted AdaBoostClassifier, with any base learner
    X, y : the examples it was fitted to
    round : t, from 1 to the number of learners
    axes : a pair of axes to draw on; by default those of a new figure
    resolution : points of the grid along each of two features

    Returns
    -------
    The figure. Sizes and limits suit all rounds of the model, so figures of several rounds can
    follow each other in a ``figure_slider``.
    """
    name = "plot_boosting_round"
    _check_boosted(name, model, round)
    classes, largest, t = model.classes_, model.weights_.max(), int(round)
    table, codes = checked(name, X, y, classes)
    n = len(codes)
    if model.weights_.shape[1] != n:
        raise ValueError(
            f"{name}: the model was fitted to {model.weights_.shape[1]} examples, but X has {n} "
            "rows; give the training examples"
        )
    weight, learner = model.weights_[t - 1], model.estimators_[t - 1]
    line, points = table.shape[1] == 1, table.to_numpy(dtype=float)
    grid, asked = grid_of(X, table, 1001 if line else resolution)
    # What h_t and the sum answer: on the grid, and for the examples.
    alone = [codes_of(name, classes, learner.predict(where)) for where in (asked, X)]
    votes = [codes_of(name, classes, _at(model.staged_predict(where), t)) for where in (asked, X)]
    figure, (left, right) = panels_of(name, axes, 2, (WIDTH, 3.9))
    spots = [points, points]
    if line:
        left.vlines(points[:, 0], 0, weight, color=GRAY, lw=0.8, zorder=2)
        left.set(ylim=(0, 1.12 * largest), ylabel="weight in this round")
        spots = [np.column_stack([points, weight])]
        spots.append(
            np.column_stack([points, _draw_sum(right, model, t, grid[0], asked, X, codes)])
        )
    areas = (_areas(weight, largest, n), np.full(n, _areas(1 / n, 1 / n, n)))
    for panel, (everywhere, mine), spot, area in zip(
        (left, right), (alone, votes), spots, areas, strict=True
    ):
        if line:
            fill_line(panel, grid[0], everywhere)
        else:
            fill_plane(panel, grid, everywhere, border=True)
        draw_points(panel, spot, codes, area, mine != codes, len(classes))
        _frame(panel, grid, table)
    left.set_title(
        f"round {t}: ε = {model.errors_[t - 1]:.3f}, α = {model.alphas_[t - 1]:.3f}", fontsize=10.5
    )
    right.set_title(f"F after round {t}: {(votes[1] != codes).sum()} of {n} wrong", fontsize=10.5)
    handles = class_handles(classes)
    if not line:
        left.set_ylabel(str(table.columns[1]))
        size = np.sqrt(_areas(1 / n, largest, n))
        label = "weight 1/N (left)"
        handles.append(Line2D([], [], ls="", marker="o", mew=0, color=GRAY, ms=size, label=label))
    elif len(classes) > 2:
        handles += [
            Line2D([], [], color=marks(k)[0], ls=STYLES[k % 6], label=f"F for {label}")
            for k, label in enumerate(classes)
        ]
    legend_of(figure, right, axes, handles)
    return figure


def plot_growing_regions(
    models, X, y, *, rounds=None, test=None, titles=None, axes=None, resolution=150
):
    """Draw what an ensemble answers after some numbers of learners: a row of panels.

    Classes and two features: regions by color and hatch, with rings around wrong examples. Numbers
    and two features: colors by value, on one scale for all panels. Numbers and one feature: the
    fitted curve. Above a panel stands the share of wrong answers (numbers: mean squared error).

    Parameters
    ----------
    models : a fitted ensemble with ``staged_predict`` (boosting, bagging, forests), or a list or
        dictionary of fitted models, one for each panel
    X, y : the examples to show
    rounds : numbers T of learners, a panel for each; by default 1, 3, 10 and all. One number, such
        as [7], gives a frame of a ``figure_slider``
    test : (X, y) not used for training; the panels then say the error on both
    titles : what stands above the panels instead of "T = 3"
    axes : axes to draw on, one for each panel; by default those of a new figure
    resolution : points of the grid along each of two features

    Returns
    -------
    The figure.
    """
    name = "plot_growing_regions"
    models, rounds, names = _stages(name, models, rounds)
    each = models if rounds is None else [models]
    numeric = is_regressor(each[0])
    classes = None if numeric else _classes(name, each)
    table, target = checked(name, X, y, classes)
    line = table.shape[1] == 1
    if line and not numeric:
        raise ValueError(f"{name}: X has one feature; regions of classes need two")
    if titles is not None and len(titles) != len(names):
        raise ValueError(f"{name}: {len(titles)} titles for {len(names)} panels")
    names = names if titles is None else titles
    grid, asked = grid_of(X, table, 801 if line else resolution)
    everywhere = _answers(name, models, rounds, asked)  # a list with an array for each panel
    mine = _answers(name, models, rounds, X)
    errors = [_errors(name, "train", mine, y, numeric)]
    if test is not None:
        errors.append(
            _errors(name, "test", _answers(name, models, rounds, test[0]), test[1], numeric)
        )
    across = min(len(names), 4)
    wide, high = {1: (5.0, 4.2), 2: (WIDTH, 4.2), 3: (WIDTH, 3.1), 4: (WIDTH, 2.8)}[across]
    high = 0.5 + (high - 0.5) * -(-len(names) // across)
    figure, panels = panels_of(name, axes, len(names), (wide, high), across)
    size, points = (9.0 if across > 2 else 22.0), table.to_numpy(dtype=float)
    if numeric:
        scale = plt.Normalize(target.min(), target.max())  # of the examples: same in every round
    for i, panel in enumerate(panels):
        if not numeric:
            fill_plane(panel, grid, codes_of(name, classes, everywhere[i]))
            wrong = codes_of(name, classes, mine[i]) != target
            draw_points(panel, points, target, np.full(len(target), size), wrong, len(classes))
        elif line:
            panel.plot(points, target, "o", color=GRAY, ms=3, zorder=2, label="examples")
            panel.plot(grid[0], everywhere[i], color=COLORS[0], ls="-", zorder=3, label="ensemble")
            room = 0.08 * (scale.vmax - scale.vmin)
            panel.set(ylim=(scale.vmin - room, scale.vmax + room))
        else:
            image, colors = (
                everywhere[i].reshape(resolution, -1),
                {"norm": scale, "cmap": "viridis"},
            )
            panel.pcolormesh(*grid, image, rasterized=True, **colors)
            panel.scatter(*points.T, c=target, ec="white", lw=0.6, s=2 * size, **colors)
        _frame(panel, grid, table)
        panel.grid(line)
        if i % across and axes is None:
            panel.tick_params(labelleft=False)
        else:
            panel.set_ylabel(getattr(y, "name", None) or "y" if line else str(table.columns[1]))
        words = ("\n" if across > 2 else ", ").join(kind[i] for kind in errors)
        panel.set_title(f"{names[i]}\n{words}", fontsize=9.5)
    if not numeric:
        legend_of(figure, panels[-1], axes, class_handles(classes))
    elif line:
        legend_of(figure, panels[-1], axes, panels[-1].get_legend_handles_labels()[0])
    else:
        colors = plt.cm.ScalarMappable(scale, "viridis")
        label = str(getattr(y, "name", None) or "answer")
        figure.colorbar(colors, ax=panels, label=label, fraction=0.05, pad=0.015, aspect=30)
    return figure


# What was given --------------------------------------------------------------------------------


def _check_boosted(name, model, t):
    """Raise unless the model is AdaBoost's and has a round t."""
    if hasattr(model, "fit"):
        check_is_fitted(model)
    if not all(hasattr(model, word) for word in ("alphas_", "errors_", "weights_")):
        raise TypeError(
            f"{name}: model is {type(model).__name__}, expected a fitted AdaBoostClassifier"
        )
    if model.weights_ is None:
        raise ValueError(f"{name}: the model kept no weights; fit it with store_weights=True")
    last = len(model.estimators_)
    if isinstance(t, bool) or not isinstance(t, Integral) or not 1 <= t <= last:
        raise ValueError(f"{name}: round is {t!r}, expected a whole number from 1 to {last}")


def _stages(name, models, rounds):
    """Return the model or list of models, the rounds (None for a list) and the panels' names."""
    if isinstance(models, dict | list | tuple):
        names = list(models) if isinstance(models, dict) else range(1, len(models) + 1)
        names = [str(key) if isinstance(models, dict) else f"model {key}" for key in names]
        models = list(models.values() if isinstance(models, dict) else models)
        if not models:
            raise ValueError(f"{name}: there are no models")
        if rounds is not None:
            raise ValueError(f"{name}: rounds are for one ensemble, not for several models")
        for model in models:
            check_is_fitted(model)
        return models, None, names
    if not hasattr(models, "staged_predict"):
        raise TypeError(
            f"{name}: {type(models).__name__} has no staged_predict; give an ensemble that has, or "
            "a list of fitted models"
        )
    check_is_fitted(models)
    if rounds is None:
        last = len(models.estimators_)
        rounds = [*(t for t in (1, 3, 10) if t < last), last]
    rounds = list(rounds) if np.ndim(rounds) else [rounds]
    if not rounds or not all(isinstance(t, Integral) and t >= 1 for t in rounds):
        raise ValueError(f"{name}: rounds are {rounds}, expected whole numbers from 1 up")
    return models, rounds, [f"T = {t}" for t in rounds]


def _answers(name, models, rounds, X):
    """Return the answers (n,) for each panel; an ensemble is asked once, as it grows."""
    if rounds is None:
        return [np.asarray(model.predict(X)) for model in models]
    found, wanted, t = {}, set(rounds), 0
    for t, answer in enumerate(islice(models.staged_predict(X), max(rounds)), start=1):
        if t in wanted:
            found[t] = np.array(answer)
    if t < max(rounds):
        raise ValueError(f"{name}: {max(rounds)} learners are asked for, the ensemble has {t}")
    return [found[t] for t in rounds]


def _at(stages, t):
    """Return what an iterator of stages yields in round t."""
    return next(islice(stages, t - 1, None))


def _classes(name, models):
    """Return the classes of the models, which must be the same."""
    classes = [list(getattr(model, "classes_", ())) for model in models]
    if not classes[0] or any(each != classes[0] for each in classes):
        raise ValueError(f"{name}: the models must be classifiers with the same classes")
    return classes[0]


def _errors(name, kind, answers, y, numeric):
    """Return the words for the error of each panel."""
    y = np.asarray(y)
    if y.shape != answers[0].shape:
        raise ValueError(f"{name}: {len(answers[0])} {kind} rows, but y has shape {y.shape}")
    if numeric:
        return [f"{kind} MSE {np.mean((answer - y) ** 2):.3g}" for answer in answers]
    return [f"{kind} error {np.mean(answer != y):.3f}" for answer in answers]


# Drawing ---------------------------------------------------------------------------------------


def _areas(weights, largest, n):
    """Return the area of a marker for each weight, on a scale that ``largest`` and n fix."""
    unit = np.clip(1600 / n, 12.0, 70.0)  # of weight 1/n
    return np.maximum(LEAST, min(unit, MOST / (n * largest)) * n * weights)


def _frame(axes, grid, table):
    """Set the limits and the label of the axis across."""
    axes.set(xlim=(grid[0][0], grid[0][-1]), xlabel=str(table.columns[0]))
    axes.grid(False)
    if len(grid) == 2:
        axes.set(ylim=(grid[1][0], grid[1][-1]))


def _draw_sum(axes, model, t, x, asked, X, codes):
    """Draw F_t over one feature; return its height at each example."""
    several = len(model.classes_) > 2
    high = 1.15 * max(np.abs(F).max() for F in model.staged_decision_function(asked))
    F, heights = (_at(model.staged_decision_function(where), t) for where in (asked, X))
    for k in range(len(model.classes_) if several else 1):
        look = {"color": marks(k)[0], "ls": STYLES[k % 6]} if several else {"color": INK, "ls": "-"}
        axes.plot(x, F[:, k] if several else F, lw=1.8, zorder=2, gid="sum", **look)
    axes.axhline(0, color=GRAY, lw=0.8, ls="-", zorder=1)
    axes.set(ylim=(-high, high), ylabel="weighted sum F(x)")
    return heights[np.arange(len(codes)), codes] if several else heights
