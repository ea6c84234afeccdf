"""How sure is a vote, and what does that promise? Margins, and the bounds built on them.

Lecture 09. The margin of an example is y F(x) / Σ_t α_t, between -1 (all votes wrong) and +1 (all
right). Divided by Σ α, because the theorems are about votes that sum to 1. With K classes it is
the share of the votes for the right class minus the largest share for a wrong one.

With edges γ_t = 1 - 2 ε_t, and γ > 0 the least of them (the weak learner's promise, ε ≤ ½ - ½γ):

- Theorem 1 (Freund and Schapire 1997): training error ≤ Π 2√(ε_t(1-ε_t)) ≤ exp(-T γ²/2). It is
  the *share* of wrong examples; below 1/N it is 0, so after more than 2 ln(N)/γ² rounds.
- Theorem 2 (Schapire, Freund, Bartlett and Lee 1998): the share of examples with margin ≤ θ is at
  most Π 2√(ε_t^(1-θ) (1-ε_t)^(1+θ)). Corollary 3: in the end no margin is below γ/2.
- Theorem 4 (the same): from the margins to new data, whatever the number of rounds.
- The older way to new data (Freund and Schapire 1997): by the VC dimension, which grows with T.

Every function takes arrays where it takes numbers, so that curves over T, N or θ are one call.
"""

import numpy as np
from sklearn.utils.validation import check_is_fitted

__all__ = [
    "guaranteed_margin",
    "margin_bound",
    "margin_distribution",
    "minimum_margins",
    "normalized_margins",
    "rounds_to_zero",
    "training_error_bound",
    "vc_bound",
    "vc_risk_bound",
]


def normalized_margins(model, X=None, y=None):
    """Return the margin of each example, (n,), in [-1, 1].

    Parameters
    ----------
    model : a fitted ensemble with ``votes`` (AdaBoostClassifier), or a pair (alphas, answers) of
        votes (T,) and what the learners answer, (T, n) of -1 and +1; then X is not used
    X, y : the examples; for a pair, y is of -1 and +1

    Examples
    --------
    Three learners, two examples; two of the votes for the second are wrong:

    >>> normalized_margins(([0.5, 0.3, 0.2], [[1, -1], [1, -1], [-1, 1]]), y=[1, 1])
    array([ 0.6, -0.6])
    """
    if y is None:
        raise ValueError("normalized_margins: y is missing; a margin needs the right answer")
    if hasattr(model, "votes"):
        check_is_fitted(model)
        return _margins(model.votes(X), _codes(model, y))
    if not (isinstance(model, (tuple, list)) and len(model) == 2):
        raise TypeError(
            f"normalized_margins: model is {type(model).__name__}, expected a fitted ensemble with "
            "votes, such as AdaBoostClassifier, or a pair (alphas, answers)"
        )
    alphas, answers, y = np.asarray(model[0], float), np.asarray(model[1]), np.asarray(y)
    if alphas.ndim != 1 or answers.shape != (len(alphas), *y.shape) or y.ndim != 1:
        raise ValueError(
            f"normalized_margins: alphas {alphas.shape}, answers {answers.shape} and y {y.shape} "
            "do not fit; expected (T,), (T, n) and (n,)"
        )
    if not np.isin(answers, [-1, 1]).all() or not np.isin(y, [-1, 1]).all():
        raise ValueError("normalized_margins: answers and y must be -1 or +1")
    given = np.abs(alphas).sum()
    return np.clip(y * (alphas @ answers) / (given if given > 0 else 1.0), -1.0, 1.0)


def minimum_margins(model, X, y):
    """Return the smallest margin after each round, (T,), of a fitted AdaBoostClassifier.

    Compare its last value with ``guaranteed_margin`` of the least edge.
    """
    check_is_fitted(model)
    codes = _codes(model, y)
    return np.array([_margins(votes, codes).min() for votes in model.staged_votes(X)])


def _codes(model, y):
    """Return the position of each label in ``model.classes_``."""
    y = np.asarray(y)
    same = y[:, None] == np.asarray(model.classes_)  # (n, K)
    if not same.any(axis=1).all():
        unknown = y[~same.any(axis=1)][0]
        raise ValueError(
            f"the label {str(unknown)!r} in y is none of the model's classes "
            f"{[str(label) for label in model.classes_]}"
        )
    return same.argmax(axis=1)


def _margins(votes, codes):
    """Return the share (n, K) of the right class minus the largest of a wrong one, (n,)."""
    rows = np.arange(len(codes))
    right, wrong = votes[rows, codes], votes.copy()
    wrong[rows, codes] = -np.inf
    return np.clip(right - wrong.max(axis=1), -1.0, 1.0)


def margin_distribution(margins, theta=None):
    """Return θ and the share of margins ≤ θ, the cumulative distribution.

    Without ``theta`` its steps: -1, the margins themselves in order, and 1.

    Examples
    --------
    >>> margin_distribution([0.6, -0.6, 0.2, 0.2], [-1, 0, 0.2, 1])
    (array([-1. ,  0. ,  0.2,  1. ]), array([0.  , 0.25, 0.75, 1.  ]))
    """
    margins = np.sort(np.asarray(margins, dtype=float))
    if margins.ndim != 1 or not margins.size:
        raise ValueError(f"margin_distribution: margins have shape {margins.shape}, expected (n,)")
    if theta is None:
        theta = np.unique(np.concatenate([[-1.0], margins, [1.0]]))
    theta = np.asarray(theta, dtype=float)
    return theta, np.searchsorted(margins, theta, side="right") / len(margins)


def training_error_bound(errors, *, theta=0.0, form="product"):
    """Return the bound on the training error (theorem 1) after each round, (T,).

    Parameters
    ----------
    errors : (T,) the weighted errors ε_t, each below ½
    theta : a margin: the bound is on the share of examples with margin ≤ θ (theorem 2). An array
        of shape (m,) gives (m, T)
    form : "product" is Π_{s ≤ t} 2√(ε_s^(1-θ) (1-ε_s)^(1+θ)); "exponential", for θ = 0, is
        exp(-t γ²/2), larger, with the least edge γ = 1 - 2 max ε of all rounds

    Both bound a *share* of the N examples (a lecture sums them up without 1/N).

    Examples
    --------
    >>> training_error_bound([0.3, 3 / 14, 2 / 11]).round(6)
    array([0.916515, 0.75214 , 0.580193])
    >>> training_error_bound([0.3, 3 / 14, 2 / 11], form="exponential").round(3)
    array([0.923, 0.852, 0.787])
    """
    errors = _checked_errors("training_error_bound", errors)
    theta = np.asarray(theta, dtype=float)
    if form == "exponential":
        if theta.any():
            raise ValueError("training_error_bound: the exponential form is for theta = 0 only")
        gamma = 1 - 2 * errors.max(initial=0.0)
        return np.exp(-np.arange(1, len(errors) + 1) * gamma**2 / 2)
    if form != "product":
        raise ValueError(
            f"training_error_bound: form is {form!r}, expected 'product' or 'exponential'"
        )
    theta = theta[..., None]
    factors = 2 * np.sqrt(errors ** (1 - theta) * (1 - errors) ** (1 + theta))
    return np.cumprod(factors, axis=-1)


def _checked_errors(name, errors):
    errors = np.asarray(errors, dtype=float)
    if errors.ndim != 1 or not ((errors >= 0) & (errors <= 0.5)).all():
        raise ValueError(f"{name}: errors must be a list of numbers from 0 to ½, one per round")
    return errors


def rounds_to_zero(n_samples, gamma):
    """Return after how many rounds the training error is 0: the least whole T > 2 ln(N)/γ².

    Then exp(-T γ²/2) < 1/N, and a share of N examples below 1/N is none of them.

    Examples
    --------
    >>> rounds_to_zero([100, 10_000], gamma=0.2)
    array([231, 461])
    """
    n_samples = _positive("rounds_to_zero", n_samples=n_samples)
    gamma = _checked_gamma("rounds_to_zero", gamma)
    return (np.floor(2 * np.log(n_samples) / gamma**2) + 1).astype(int)


def guaranteed_margin(gamma, *, sharp=False):
    """Return the least margin that AdaBoost reaches in the end, given the edge γ (corollary 3).

    γ/2; with ``sharp`` all that theorem 2 gives, -ln(1-γ²) / ln((1+γ)/(1-γ)), between γ/2 and γ.
    The largest possible minimum margin is at least γ: AdaBoost need not reach it (Rudin, Daubechies
    and Schapire 2004).

    Examples
    --------
    >>> guaranteed_margin([0.2, 0.4, 1]), guaranteed_margin([0.2, 0.4, 1], sharp=True).round(4)
    (array([0.1, 0.2, 0.5]), array([0.1007, 0.2058, 1.    ]))
    """
    gamma = _checked_gamma("guaranteed_margin", gamma)
    if not sharp:
        return gamma / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        sharp = -np.log1p(-(gamma**2)) / (np.log1p(gamma) - np.log1p(-gamma))
    return np.where(gamma == 1, 1.0, sharp)[()]


def margin_bound(share, theta, n_samples, vc_dimension, *, delta=0.05, constant=1.0):
    """Return the bound on the error on new data from the margins (theorem 4).

    With probability 1 - δ over the draw of the N training examples, for every θ > 0,

        error ≤ share of training margins ≤ θ  +  c · √((d ln²(N/d) / θ² + ln(1/δ)) / N).

    Parameters
    ----------
    share : of the training examples with margin ≤ θ; see margin_distribution
    theta : θ > 0
    n_samples, vc_dimension : N ≥ d, and d of the base learners (not of the vote)
    delta : the probability that the bound does not hold
    constant : c. The theorem says O(·), no more: c is not known, so c = 1 shows the shape of the
        bound, not its height. It is far from tight, often above 1

    Both terms stand under the root (a lecture has the second one outside). There is no T in it.

    Examples
    --------
    >>> margin_bound(0.1, 0.5, [1_000, 100_000, 10_000_000], vc_dimension=2).round(3)
    array([0.659, 0.197, 0.114])
    """
    name = "margin_bound"
    theta = _positive(name, theta=theta)
    n_samples = _positive(name, n_samples=n_samples)
    d = _positive(name, vc_dimension=vc_dimension)
    if (n_samples < d).any():
        raise ValueError(f"{name}: n_samples is below vc_dimension; the theorem needs N ≥ d")
    delta = _checked_delta(name, delta)
    complexity = d * np.log(n_samples / d) ** 2 / theta**2
    root = np.sqrt((complexity + np.log(1 / delta)) / n_samples)
    return np.asarray(share, dtype=float) + constant * root


def vc_bound(n_rounds, vc_dimension):
    """Return a bound on the VC dimension of a vote of T learners: 2(d+1)(T+1) log2(e(T+1)).

    Freund and Schapire (1997, theorem 8), for base learners of VC dimension d ≥ 2. With as many
    rounds as make the training error 0, T = O(ln N) for a fixed edge, it is O(d ln N · ln ln N);
    a lecture prints log² N for ln ln N.

    Examples
    --------
    >>> vc_bound([10, 100], vc_dimension=2).round()
    array([ 324., 4909.])
    """
    T = _positive("vc_bound", n_rounds=n_rounds)
    d = _positive("vc_bound", vc_dimension=vc_dimension)
    return 2 * (d + 1) * (T + 1) * np.log2(np.e * (T + 1))


def vc_risk_bound(training_error, n_rounds, n_samples, vc_dimension, *, delta=0.05):
    """Return the bound on the error on new data by the VC dimension D = vc_bound(T, d) of the vote.

    With probability 1 - δ (Vapnik, as used by Freund and Schapire 1997, theorem 7),

        error ≤ training error + 2 √((D (ln(2N/D) + 1) + ln(9/δ)) / N).

    It grows with T, which AdaBoost's test error seldom does: hence the margins. Where N is too
    small for D (2N < D, say) the root says nothing; the bound is then infinite.

    Examples
    --------
    >>> vc_risk_bound(0.0, 10, [10_000, 1_000_000], vc_dimension=2).round(2)
    array([0.82, 0.11])
    """
    name = "vc_risk_bound"
    n_samples = _positive(name, n_samples=n_samples)
    delta = _checked_delta(name, delta)
    D = vc_bound(n_rounds, vc_dimension)
    with np.errstate(invalid="ignore"):
        inside = (D * (np.log(2 * n_samples / D) + 1) + np.log(9 / delta)) / n_samples
        root = np.where(2 * n_samples >= D, np.sqrt(inside), np.inf)
    return np.asarray(training_error, dtype=float) + 2 * root


def _positive(name, **number):
    """Return the one number (or array) as floats; raise if it is not above 0."""
    ((what, value),) = number.items()
    value = np.asarray(value, dtype=float)
    if not (value > 0).all():
        raise ValueError(f"{name}: {what} must be above 0")
    return value[()]


def _checked_gamma(name, gamma):
    gamma = np.asarray(gamma, dtype=float)
    if not ((gamma > 0) & (gamma <= 1)).all():
        raise ValueError(
            f"{name}: gamma must lie in (0, 1]: a learner no better than guessing has 0"
        )
    return gamma[()]


def _checked_delta(name, delta):
    delta = np.asarray(delta, dtype=float)
    if not ((delta > 0) & (delta < 1)).all():
        raise ValueError(f"{name}: delta is a probability, it must lie between 0 and 1")
    return delta
