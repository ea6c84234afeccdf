"""Many learners, one answer: average their numbers, and let them vote on classes.

Lecture 05. Learner t of T says h_t, with weight w_t ≥ 0 (1 by default). Numbers are averaged

    average      H = Σ_t w_t h_t,    Σ_t w_t = 1

Classes are voted on. With h_t^j = 1 if learner t says class j, else 0 (a hard label), or with
h_t^j from 0 to 1, as sure as the learner is (a soft label), class j gets v_j = Σ_t w_t h_t^j and

    plurality    H = the class of most votes
    weighted     the same, with weights
    majority     H = the class with v_j > ½ Σ_k v_k, more than half; if there is none, reject
    unanimity    H = the class with v_j =   Σ_k v_k, all of them;    if it is none, reject

*More than* half: with ≥ ½ two classes could win at once. Of classes with equally many votes
(within 1e-10 of all votes, so that 0.1 + 0.2 equals 0.3) the first in class order wins.

For all rules of this module
- ``predictions`` has a row per learner: (T, n) hard labels of any type, (T, n, K) soft labels, or
  (T,) hard labels for one point, which give one answer instead of an array (n,);
- ``classes`` is the class order: by default the labels that occur, sorted, or for soft labels the
  numbers 0 … K−1; for soft labels it names their K columns;
- ``reject`` is the answer where no class wins. By default None, in an array of dtype object.
"""

import numpy as np
import pandas as pd

__all__ = ["average", "majority_vote", "plurality_vote", "unanimous_vote", "weighted_vote"]

_TOLERANCE = 1e-6  # how far from one the weights of an average may sum, and soft labels be
_TIE = 1e-10  # votes that differ by less than this share of all votes are equal


def average(predictions, weights=None):
    """Return H = Σ w_t h_t, the (weighted) mean of T numeric outputs or tables of probabilities.

    Parameters
    ----------
    predictions : (T, …), a row of numbers per learner
    weights : (T,), not negative; they must sum to one (within 1e-6, then divided by their sum),
        else H were not an average. By default 1/T each

    Examples
    --------
    >>> average([[1.0, 4.0], [2.0, 5.0], [3.0, 9.0]]).tolist()
    [2.0, 6.0]
    >>> average([10.0, 20.0], weights=[0.75, 0.25])
    12.5
    """
    name, outputs = "average", np.asarray(predictions)
    fits = outputs.ndim >= 1 and outputs.size > 0 and outputs.dtype.kind in "biuf"
    advice = f"predictions have shape {outputs.shape} and type {outputs.dtype}"
    _require(fits, name, f"{advice}; give a row of numbers per learner, and vote on labels")
    _require(np.isfinite(outputs).all(), name, "predictions are not all finite; drop or fill them")
    if weights is None:
        mean = outputs.mean(axis=0)
    else:
        weights = _weights(name, weights, outputs.shape[:1])
        total = weights.sum()
        advice = f"weights sum to {total:.9g}, expected 1; divide them by their sum"
        _require(abs(total - 1) <= _TOLERANCE, name, advice)
        mean = np.tensordot(weights / total, outputs, axes=1)
    return mean if np.ndim(mean) else float(mean)


def plurality_vote(predictions, classes=None):
    """Return the class of most votes at every point; of equals, the first in class order.

    Examples
    --------
    >>> plurality_vote([["cat", "dog"], ["cat", "owl"], ["owl", "dog"]]).tolist()
    ['cat', 'dog']
    >>> plurality_vote(["owl", "cat"])  # a tie
    'cat'
    >>> soft = [[[0.9, 0.1]], [[0.4, 0.6]], [[0.4, 0.6]]]  # (T, n, K) = (3, 1, 2)
    >>> plurality_vote(soft, classes=["cat", "dog"]).tolist()
    ['cat']
    """
    return _elect("plurality_vote", predictions, None, classes)


def weighted_vote(predictions, weights, classes=None):
    """Return the class of largest total weight at every point.

    Parameters
    ----------
    predictions, classes : see the top of the module
    weights : (T,), or (T, n) if they differ from point to point (0 where a learner has no vote);
        not negative, and not all zero at a point. Their sum does not matter

    Examples
    --------
    >>> weighted_vote([["no"], ["no"], ["yes"]], weights=[0.42, 0.65, 1.2]).tolist()
    ['yes']
    """
    _require(weights is not None, "weighted_vote", "weights are missing; use plurality_vote")
    return _elect("weighted_vote", predictions, weights, classes)


def majority_vote(predictions, weights=None, classes=None, *, reject=None):
    """Return the class with more than half of the votes at every point, else ``reject``.

    Parameters
    ----------
    predictions, classes : see the top of the module
    weights : None, or as in weighted_vote
    reject : answer where no class has more than half. With None the result has dtype object; give
        for example -1 or "?", no class itself, to get numbers or strings

    Examples
    --------
    >>> majority_vote([["yes", "yes"], ["yes", "no"]]).tolist()  # 2 of 2, 1 of 2
    ['yes', None]
    >>> majority_vote([[0, 1], [0, 2], [1, 3]], reject=-1)
    array([ 0, -1])
    """
    return _elect("majority_vote", predictions, weights, classes, share=0.5, reject=reject)


def unanimous_vote(predictions, classes=None, *, reject=None):
    """Return the class that gets all the votes at every point, else ``reject``.

    Of soft labels that asks that every learner is sure: one that says 0.9 gives 0.1 to others.

    Examples
    --------
    >>> unanimous_vote([["yes", "yes"], ["yes", "no"], ["yes", "yes"]]).tolist()
    ['yes', None]
    """
    return _elect("unanimous_vote", predictions, None, classes, share=1.0, reject=reject)


def _elect(name, predictions, weights, classes, share=None, reject=None):
    """Count the votes and name the winner, if it has more than ``share`` of them (1: all)."""
    votes, classes = count_votes(predictions, weights, classes, name)
    if share is not None:
        _require(not np.any(classes == reject), name, f"reject is {reject!r}, which is a class")
    total = votes.sum(axis=1)  # (n,)
    close = votes >= votes.max(axis=1, keepdims=True) - _TIE * total[:, None]
    winner = np.argmax(close, axis=1)  # (n,): the first of those that are equal
    labels = classes[winner]
    if share is not None:
        needed = (share + _TIE if share < 1 else 1 - _TIE) * total
        most = votes[np.arange(len(votes)), winner]
        # A common type for labels and reject if both are numbers or both are text, else objects.
        kinds = {"u": "i", "f": "i"}
        kind, other = (kinds.get(k, k) for k in (labels.dtype.kind, np.asarray(reject).dtype.kind))
        labels = labels.astype(np.result_type(labels, np.asarray(reject)) if kind == other else "O")
        labels[most < needed if share == 1 else most <= needed] = reject
    return labels if np.ndim(predictions) != 1 else labels.tolist()[0]


def count_votes(predictions, weights=None, classes=None, name="count_votes"):
    """Return the votes v_j (n, K) of hard or soft labels, and the classes (K,)."""
    predictions = np.asarray(predictions)
    shape = predictions.shape
    advice = f"predictions have shape {shape}; give (T, n) hard or (T, n, K) soft labels, not empty"
    _require(predictions.ndim in (1, 2, 3) and predictions.size > 0, name, advice)
    if predictions.ndim == 1:  # T learners, one point
        predictions = predictions[:, None]
    T, n = predictions.shape[:2]
    weights = np.ones((T, 1)) if weights is None else _weights(name, weights, (T,), (T, n))
    weights = np.broadcast_to(weights if weights.ndim == 2 else weights[:, None], (T, n))
    silent = np.flatnonzero(weights.sum(axis=0) <= 0)
    _require(not len(silent), name, f"all weights are 0 at point {silent[:1]}; nobody votes there")
    if predictions.ndim == 3:
        return _soft_votes(name, predictions, weights, classes)
    _check_labels(name, predictions)
    try:
        classes = np.unique(predictions) if classes is None else _classes(name, classes)
    except TypeError:
        raise ValueError(f"{name}: the labels cannot be sorted; give classes= in order") from None
    votes, known = np.empty((n, len(classes))), np.zeros((T, n), dtype=bool)
    for j, label in enumerate(classes):
        said = predictions == label  # (T, n)
        votes[:, j] = np.sum(weights, axis=0, where=said)
        known |= said
    strange = predictions[~known][:1].tolist()
    _require(not strange, name, f"label {strange} is not among classes {classes.tolist()}")
    return votes, classes


def _soft_votes(name, predictions, weights, classes):
    k, numeric = predictions.shape[2], predictions.dtype.kind in "biuf"
    proper = numeric and predictions.min() >= -_TOLERANCE and predictions.max() <= 1 + _TOLERANCE
    _require(proper, name, "soft labels (T, n, K) must be numbers from 0 to 1")
    classes = np.arange(k) if classes is None else _classes(name, classes)
    advice = f"{len(classes)} classes for {k} columns of soft labels; give one name for each"
    _require(len(classes) == k, name, advice)
    votes = np.einsum("tn,tnk->nk", weights, np.clip(predictions, 0.0, 1.0))
    silent = np.flatnonzero(votes.sum(axis=1) <= 0)
    _require(not len(silent), name, f"soft labels are all 0 at point {silent[:1]}; nobody votes")
    return votes, classes


def _check_labels(name, labels):
    _require(not pd.isna(labels).any(), name, "labels are missing; weight 0 skips a learner")
    whole = labels.dtype.kind != "f" or np.all(labels == np.round(labels))
    advice = "labels are not whole numbers; soft labels need three axes (T, n, K)"
    _require(whole, name, f"{advice}, and outputs of a regression are for average")


def _classes(name, classes):
    """Return the class names as a 1-D array, each once."""
    classes = np.asarray(classes)
    advice = f"classes are {classes.tolist()!r}; give a flat list that names each class once"
    proper = classes.ndim == 1 and len(classes) == len(set(classes.tolist())) > 0
    _require(proper, name, advice)
    return classes


def _weights(name, weights, *shapes):
    """Return weights as an array of finite floats ≥ 0 that has one of the shapes."""
    weights = np.asarray(weights)
    wanted = " or ".join(map(str, shapes))
    advice = f"weights have shape {weights.shape}, expected {wanted}; give a number per learner"
    _require(weights.dtype.kind in "biuf" and weights.shape in shapes, name, advice)
    proper = np.isfinite(weights).all() and weights.min() >= 0
    _require(proper, name, "weights must be finite and not negative")
    return weights.astype(float)


def _require(condition, name, message):
    if not condition:
        raise ValueError(f"{name}: {message}")
