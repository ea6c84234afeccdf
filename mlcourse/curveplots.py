"""How good is an ensemble, and why? Curves of errors and of their parts, bars of importances.

Lectures 04 to 06. ``plot_bias_variance`` splits an error into its parts, over a knob such as the
depth of a tree; ``plot_oob_curve`` follows the out-of-bag error as learners are added;
``plot_importances`` ranks the features.
Lines differ by style and marker, areas and bars by hatch, never by color alone.
"""

from numbers import Integral

import numpy as np
import pandas as pd
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from mlcourse.bias_variance import Decomposition, SquaredDecomposition
from mlcourse.layout import COLORS, GRAY, INK, marks
from mlcourse.panels import STYLES, WIDTH, axes_of, beside, panels_of
from mlcourse.words import clipped

__all__ = []


# Bias and variance -----------------------------------------------------------------------------

# term of a decomposition, how it is called in a picture
SQUARED = (("noise", "noise"), ("bias_squared", "bias²"), ("variance", "variance"))
ZERO_ONE = (
    ("error", "error"),
    ("bias", "bias"),
    ("variance", "variance"),
    ("unbiased_variance", "unbiased variance (hurts)"),
    ("biased_variance", "biased variance (helps)"),
    ("noise", "noise"),
)


def plot_bias_variance(
    results, x, *, xlabel=None, log=False, data=None, n_curves=30, axes=None, legend=True
):
    """Draw the parts of an error over a knob, or the many fits behind one decomposition.

    A list of results, one for each value of the knob: squared errors as areas (bars, if the knob
    has names), noise, bias² and variance on top of each other, which reach up to the error; 0/1
    errors as lines with markers. A star marks the smallest error.

    One result of bias_variance_squared: the fits to several training sets as thin lines, their
    mean and the truth. The gap between the two is the bias, the spread of the lines the variance.

    Parameters
    ----------
    results : a list of decompositions of one kind, or one decomposition of squared errors
    x : the values of the knob, or for one decomposition the test points (n,) or (n, 1)
    xlabel : what the knob is called
    log : True for a logarithmic axis of knob values
    data : (x, y), a training set to show as points, for one decomposition
    n_curves : how many fits to draw at most
    axes : where to draw; by default on a new figure
    legend : False leaves out the legend

    Returns
    -------
    The figure.
    """
    name = "plot_bias_variance"
    if isinstance(results, Decomposition):
        return _draw_fits(name, results, x, xlabel or "x", data, n_curves, axes, legend)
    results, x = list(results), np.asarray(x)
    if not results or not all(isinstance(result, Decomposition) for result in results):
        raise TypeError(
            f"{name}: results must be what bias_variance_squared or bias_variance_zero_one returns"
        )
    if len({type(result) for result in results}) > 1:
        raise ValueError(f"{name}: results of squared and of 0/1 errors do not go together")
    if x.shape != (len(results),):
        raise ValueError(f"{name}: {len(results)} results, but x has shape {x.shape}")
    if data is not None:
        raise ValueError(f"{name}: data are for one decomposition, not for several")
    named = x.dtype.kind not in "biuf"
    order = np.arange(len(x)) if named else np.argsort(x, kind="stable")
    places = np.arange(len(x)) if named else x[order].astype(float)
    means = pd.DataFrame([result.averages for result in results]).iloc[order]
    axes = axes_of(axes)
    draw = _draw_stack if isinstance(results[0], SquaredDecomposition) else _draw_lines
    handles, across = draw(axes, places, means, named)
    best = int(means["error"].argmin())
    label = f"smallest: {means['error'].iloc[best]:.3f}\nat {x[order][best]}"
    handles += axes.plot(
        across[best], means["error"].iloc[best], "*", ms=14, color=COLORS[4], mec=INK, zorder=5,
        label=label, gid="smallest", clip_on=False,
    )  # fmt: skip
    axes.set(xlabel=xlabel or "", xscale="log" if log and not named else "linear")
    axes.set_ylim(bottom=0)
    if named:
        axes.set_xticks(places, [clipped(label, 22) for label in x[order]])
        axes.grid(False, axis="x")
    elif log and len(places) <= 10:
        axes.set_xticks(places, [f"{place:g}" for place in places])
        axes.minorticks_off()
    if legend:
        beside(axes, handles=handles, handleheight=1.3)
    return axes.figure


def _draw_stack(axes, x, means, named):
    """Draw noise, bias² and variance on top of each other, and the error, which is their sum.

    Returns the handles of the legend, the topmost first, and where the errors stand.
    """
    floor, handles = np.zeros(len(x)), []
    for k, (term, label) in enumerate(SQUARED):
        color, hatch = (("#bbbbbb", ""), (COLORS[0], "//"), (COLORS[1], ".."))[k]
        shape = {"fc": color, "ec": "white", "hatch": hatch, "lw": 0.6, "label": label, "gid": term}
        height = means[term].to_numpy()
        if named:
            handles.append(axes.bar(x, height, 0.6, bottom=floor, **shape))
        else:
            handles.append(axes.fill_between(x, floor, floor + height, alpha=0.75, **shape))
        floor = floor + height
    style = {"ls": "", "marker": "_", "ms": 26} if named else {"ls": "-", "marker": "o", "ms": 4}
    handles += axes.plot(
        x, means["error"], color=INK, lw=1.8, label="error (sum)", gid="error", clip_on=False,
        **style,
    )  # fmt: skip
    axes.set(ylabel="mean squared error")
    if not named and len(x) > 1:
        axes.set_xlim(x[0], x[-1])
    return handles[::-1], x


def _draw_lines(axes, x, means, named):
    """Draw the terms of the 0/1 error, each with its marker; return as _draw_stack does."""
    handles = []
    for k, (term, label) in enumerate(ZERO_ONE):
        if term == "noise" and not means[term].any():
            continue
        color, _, marker = marks(k - 1) if k else (INK, "", "X")
        shift = 0.1 * (k - 2.5) if named else 0.0
        handles += axes.plot(
            x + shift, means[term], color=color, marker=marker, ms=6, gid=term, label=label,
            ls="" if named else STYLES[k % 6], lw=2.2 if k == 0 else 1.5,
        )  # fmt: skip
    axes.set(ylabel="share of answers")
    return handles, handles[0].get_xdata()


def _draw_fits(name, result, x, xlabel, data, n_curves, axes, legend):
    """Draw the fits to many training sets, their mean and the truth."""
    if not isinstance(result, SquaredDecomposition):
        raise TypeError(f"{name}: curves need a result of bias_variance_squared; give a list of 0/1 results")  # noqa: E501  # fmt: skip
    x = np.asarray(x, dtype=float)
    if x.size != len(result.error) or x.ndim > 2:
        raise ValueError(
            f"{name}: x has shape {x.shape}, expected the {len(result.error)} test points, "
            "one number each; several results go into a list"
        )
    x = x.ravel()
    order, mean, between = np.argsort(x, kind="stable"), result.averages, "\n" if axes else ", "
    title = f"bias² = {mean['bias_squared']:.3f}{between}variance = {mean['variance']:.3f}"
    axes = axes_of(axes)
    if data is not None:
        points = [np.ravel(values) for values in data]
        axes.plot(*points, "o", color=COLORS[2], ms=4, zorder=2.5, label="one training set")
    for i, fit in enumerate(result.predictions[:n_curves]):
        label = "fits to training sets" if i == 0 else None
        axes.plot(
            x[order], fit[order], color=GRAY, lw=0.6, ls="-", alpha=0.6, label=label, gid="fit"
        )
    truth = result.mean_prediction - result.bias
    axes.plot(x[order], result.mean_prediction[order], color=COLORS[0], lw=2.4, ls="-",
              label="mean of all fits", gid="mean", zorder=3)  # fmt: skip
    axes.plot(
        x[order], truth[order], color=INK, lw=2, ls="--", label="truth", gid="truth", zorder=3
    )
    axes.set_title(title, fontsize=9.5)
    axes.set(xlabel=xlabel, ylabel="prediction", xlim=(x.min(), x.max()))
    if legend:
        beside(axes)
    return axes.figure


# Out-of-bag error ------------------------------------------------------------------------------


def plot_oob_curve(models, test_curve=None, *, ylabel=None, axes=None):
    """Draw the out-of-bag error against the number T of learners.

    Parameters
    ----------
    models : a fitted model with ``oob_curve_`` (bagging, forests), or such a curve (T,); a
        dictionary of several, named. NaN, where no example is out of bag yet, leaves a gap
    test_curve : the error on test examples after each learner, (T,), to compare; of several models
        a dictionary with the same names
    ylabel : what the error is, if not the share of wrong answers (regression: squared error)
    axes : where to draw; by default on a new figure

    Returns
    -------
    The figure.
    """
    name = "plot_oob_curve"
    several = isinstance(models, dict)
    models = models if several else {"": models}
    if not models:
        raise ValueError(f"{name}: there are no models")
    tests = {} if test_curve is None else test_curve if several else {"": test_curve}
    if several and test_curve is not None and not isinstance(test_curve, dict):
        raise TypeError(f"{name}: of several models give test_curve as a dictionary, too")
    if set(tests) - set(models):
        raise ValueError(f"{name}: test_curve names {sorted(set(tests) - set(models))}, no models")
    curves = {key: _oob(name, model) for key, model in models.items()}
    tests = {key: _curve(name, "test_curve", curve) for key, curve in tests.items()}
    for key, curve in tests.items():
        if len(curve) != len(curves[key]):
            raise ValueError(
                f"{name}: test_curve has {len(curve)} values, the out-of-bag curve "
                f"{len(curves[key])}; give one for each number of learners"
            )
    axes = axes_of(axes)
    longest = max(map(len, curves.values()))
    for k, (key, curve) in enumerate(curves.items()):
        for kind, values, ls in (("out of bag", curve, "-"), ("test", tests.get(key), "--")):
            if values is not None:
                color, _, marker = marks(k if several else int(kind == "test"))
                label = f"{key + ', ' if key else ''}{kind}\n(last {values[-1]:.3f})"
                axes.plot(
                    np.arange(1, len(values) + 1), values, color=color, ls=ls, lw=1.7, label=label,
                    marker=marker, markevery=(len(values) // 20, max(1, len(values) // 8)), ms=5,
                    mfc=color if ls == "-" else "white", gid=kind,
                )  # fmt: skip
    if ylabel is None:
        numbers = any(hasattr(m, "fit") and is_regressor(m) for m in models.values())
        ylabel = "mean squared error" if numbers else "error"
    axes.set(xlabel="number T of learners", ylabel=ylabel, xlim=(0, longest * 1.01))
    beside(axes, labelspacing=0.8)
    return axes.figure


def _oob(name, model):
    """Return the curve of a model, or the curve given."""
    if not hasattr(model, "fit"):
        return _curve(name, "the curve", model)
    check_is_fitted(model)
    if getattr(model, "oob_curve_", None) is None:
        raise ValueError(
            f"{name}: {type(model).__name__} has no oob_curve_; fit a bagging or forest model with "
            "oob_score=True"
        )
    return _curve(name, "oob_curve_", model.oob_curve_)


def _curve(name, what, values):
    values = np.asarray(values)
    if values.ndim != 1 or values.dtype.kind not in "iuf" or not np.isfinite(values).any():
        raise ValueError(f"{name}: {what} must be numbers (T,), not all of them missing")
    return values.astype(float)


# Importances -----------------------------------------------------------------------------------


def plot_importances(importances, names=None, *, spread=None, top=None, xlabel=None, axes=None):
    """Draw the importances of features as bars, the most important on top.

    Parameters
    ----------
    importances : (d,), or a dictionary of several kinds, named, which get panels side by side; all
        are sorted by the first. A Series brings the names of the features. A result that has
        ``importances_mean`` and ``importances_std`` brings its spread
    names : the names of the d features
    spread : (d,) the standard deviations, drawn as error bars; a dictionary, if there are kinds
    top : draw so many features only, the first by importance
    xlabel : what the bars measure; if there are kinds, their names say so
    axes : where to draw, a panel for each kind; by default on a new figure that grows with d

    Returns
    -------
    The figure.
    """
    name = "plot_importances"
    kinds = importances if isinstance(importances, dict) else {"": importances}
    if not kinds:
        raise ValueError(f"{name}: there are no importances")
    spreads = spread if isinstance(spread, dict) else {next(iter(kinds)): spread}
    if set(spreads) - set(kinds):
        raise ValueError(
            f"{name}: spread names {sorted(set(spreads) - set(kinds))}, no importances"
        )
    first = next(iter(kinds.values()))
    if names is None and isinstance(first, pd.Series):
        names = first.index
    table = {key: _bars(name, values, spreads.get(key)) for key, values in kinds.items()}
    d = len(next(iter(table.values()))[0])
    names = [f"x{j}" for j in range(d)] if names is None else list(map(str, names))
    for what, size in [
        ("names", len(names)),
        *((key or "it", len(v[0])) for key, v in table.items()),
    ]:
        if size != d:
            raise ValueError(f"{name}: there are {d} importances, but {what} has {size}")
    if top is not None and (not isinstance(top, Integral) or top < 1):
        raise ValueError(f"{name}: top is {top!r}, expected a whole number from 1 up")
    order = np.argsort(-next(iter(table.values()))[0], kind="stable")[:top]
    size = (WIDTH if len(kinds) > 1 else 6.4, 0.9 + 0.27 * len(order))
    figure, panels = panels_of(name, axes, len(kinds), size)
    for k, (panel, (key, (values, deviation))) in enumerate(
        zip(panels, table.items(), strict=True)
    ):
        color, hatch, _ = marks(k)
        error = None if deviation is None else deviation[order]
        panel.barh(
            np.arange(len(order)), values[order], 0.7, color=color, ec="white", hatch=hatch[:3],
            lw=0, xerr=error, error_kw={"ecolor": INK, "capsize": 2.5, "lw": 1.1},
        )  # fmt: skip
        panel.axvline(0, color=INK, lw=0.8, ls="-")
        panel.set(ylim=(len(order) - 0.4, -0.6), xlabel=key or xlabel or "importance")
        panel.set_yticks(range(len(order)), [clipped(names[j], 24) for j in order])
        panel.grid(False, axis="y")
        panel.tick_params(axis="y", length=0, labelleft=k == 0 or axes is not None)
        panel.locator_params(axis="x", nbins=5)
    return figure


def _bars(name, values, spread):
    """Return importances (d,) and their spread (d,) or None."""
    if hasattr(values, "importances_mean"):
        spread = values.importances_std if spread is None else spread
        values = values.importances_mean
    values = np.asarray(values)
    if values.ndim != 1 or not values.size or values.dtype.kind not in "iuf":
        raise ValueError(f"{name}: importances must be numbers (d,), one for each feature")
    if not np.isfinite(values).all():
        raise ValueError(f"{name}: an importance is missing or infinite")
    if spread is not None:
        spread = np.asarray(spread, dtype=float)
        if spread.shape != values.shape or not (spread >= 0).all():
            raise ValueError(f"{name}: spread must be {len(values)} numbers from 0 up, one each")
    return values.astype(float), spread
