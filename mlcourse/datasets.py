"""Which data do the lectures work with? Every table and generator of the course, in one place.

A loader returns ``X, y``: a DataFrame with one row per example and a Series of labels. Both are
fresh at each call, so a notebook may change them. Names are lower case, with the words of the
lecture. A column of words is a pandas categorical whose categories keep the declared order, unused
ones included. Numbers are int or float columns, and a missing value is NaN.

A maker draws from a distribution whose least possible (Bayes) error is known. It returns arrays:
``X`` of shape (n_samples, n_features), and ``y`` of -1 and +1. ``random_state`` is a seed, a NumPy
Generator or None; the same seed gives the same bits.

Small tables are typed into this file, with the label last. Larger ones are in data/, where
SOURCES.md says where each comes from and under which licence. Nothing is ever downloaded.
"""

from gzip import decompress
from importlib.resources import files
from io import StringIO
from numbers import Integral

import numpy as np
import pandas as pd
from scipy.special import chdtri

__all__ = [
    "load_banana", "load_breast_cancer_ljubljana", "load_flare_solar", "load_galton", "load_german",
    "load_golf", "load_heart", "load_kyphosis", "load_play_tennis", "load_restaurant", "load_spam",
    "load_thyroid", "load_titanic", "make_nested_gaussians", "make_nested_spheres", "make_ringnorm",
    "make_threenorm", "make_twonorm", "make_waveform",
]  # fmt: skip

_PLAY_TENNIS = """
outlook   temperature  humidity  windy  play
sunny     hot          high      false  no
sunny     hot          high      true   no
overcast  hot          high      false  yes
rain      mild         high      false  yes
rain      cool         normal    false  yes
rain      cool         normal    true   no
overcast  cool         normal    true   yes
sunny     mild         high      false  no
sunny     cool         normal    false  yes
rain      mild         normal    false  yes
sunny     mild         normal    true   yes
overcast  mild         high      true   yes
overcast  hot          normal    false  yes
rain      mild         high      true   no
"""
_RESTAURANT = """
alt bar fri hungry patrons price rain res type    est   wait
yes no  no  yes    some    $$$   no   yes french  0-10  yes
yes no  no  yes    full    $     no   no  thai    30-60 no
no  yes no  no     some    $     no   no  burger  0-10  yes
yes no  yes yes    full    $     yes  no  thai    10-30 yes
yes no  yes no     full    $$$   no   yes french  >60   no
no  yes no  yes    some    $$    yes  yes italian 0-10  yes
no  yes no  no     none    $     yes  no  burger  0-10  no
no  no  no  yes    some    $$    yes  yes thai    0-10  yes
no  yes yes no     full    $     yes  no  burger  >60   no
yes yes yes yes    full    $$$   no   yes italian 10-30 no
no  no  no  no     none    $     no   no  thai    0-10  no
yes yes yes yes    full    $     no   no  burger  30-60 yes
"""
_YES_NO = ["no", "yes"]


def load_play_tennis():
    """Return the 14 days of play-tennis: four attributes in words, and whether to play (9 of 14).

    The table is Quinlan's, "Induction of decision trees", Machine Learning 1 (1986), 81–106,
    where the classes are N and P. One lecture writes "Rainy" for his "rain". The values of
    ``windy`` are the words "false" and "true".

    >>> X, y = load_play_tennis()
    >>> X.head(3)
        outlook temperature humidity  windy
    0     sunny         hot     high  false
    1     sunny         hot     high   true
    2  overcast         hot     high  false
    """
    categories = {"outlook": ["sunny", "overcast", "rain"], "temperature": ["hot", "mild", "cool"]}
    categories |= {"humidity": ["high", "normal"], "windy": ["false", "true"], "play": _YES_NO}
    return _words(_PLAY_TENNIS, categories)


def load_golf():
    """Return the 14 days of play-tennis with temperature (°F) and humidity (%) as numbers.

    The numbers are those of Quinlan's book, "C4.5: Programs for machine learning" (1993), in the
    order of ``load_play_tennis``. Weka's weather.numeric has 86 for 78 and 91 for the last 80.

    >>> load_golf()[0].mean(numeric_only=True).round(1).to_dict()
    {'temperature': 73.6, 'humidity': 80.3}
    """
    X, y = load_play_tennis()
    numbers = """85 85  80 90  83 78  70 96  68 80  65 70  64 65
                 72 95  69 70  75 80  75 70  72 90  81 75  71 80"""
    X[["temperature", "humidity"]] = np.array(numbers.split(), dtype=int).reshape(14, 2)
    return X, y


def load_restaurant():
    """Return the 12 restaurants of Russell and Norvig: ten attributes, and whether to wait.

    "Artificial intelligence: a modern approach", the chapter on learning from examples. The names
    are the book's short ones: an alternative nearby, a bar, Friday or Saturday, hungry, patrons,
    price, raining, reservation, type, estimated minutes.

    >>> load_restaurant()[0]["patrons"].value_counts(sort=False).to_dict()
    {'none': 2, 'some': 4, 'full': 6}
    """
    categories = dict.fromkeys(["alt", "bar", "fri", "hungry", "rain", "res", "wait"], _YES_NO)
    categories |= {"patrons": ["none", "some", "full"], "price": ["$", "$$", "$$$"]}
    categories |= {"type": ["french", "italian", "thai", "burger"]}
    categories |= {"est": ["0-10", "10-30", "30-60", ">60"]}
    return _words(_RESTAURANT, categories)


def load_kyphosis():
    """Return 81 children after surgery of the spine; kyphosis, a bent spine, is absent or present.

    Columns: age in months, number of vertebrae operated on, and start, the topmost of them.
    The table of R's rpart, from Chambers and Hastie, "Statistical models in S" (1992).

    >>> load_kyphosis()[0].sum().to_dict()
    {'age': 6776, 'number': 328, 'start': 931}
    """
    return _stored("kyphosis")


def load_spam():
    """Return 4601 e-mails by 57 numbers, spam or nonspam: Spambase of Hewlett-Packard (1999).

    A word's column is its share of the words in %, a ``char_`` column the character's share of
    the characters in %; the last three are the average, longest and total run of capitals.

    >>> load_spam()[1].value_counts().to_dict()
    {'nonspam': 2788, 'spam': 1813}
    """
    return _stored("spam")


def load_titanic():
    """Return the 2201 people aboard the Titanic by class, age and sex, and whether they survived.

    R's table ``Titanic`` with a row per person, cell by cell: shuffle before splitting. There are
    14 different rows and 10 have both labels: no classifier has a training error below 20.95 %.

    >>> load_titanic()[1].value_counts().to_dict()
    {'no': 1490, 'yes': 711}
    """
    categories = {"class": ["1st", "2nd", "3rd", "crew"], "age": ["child", "adult"]}
    categories |= {"sex": ["male", "female"], "survived": _YES_NO}
    # Lost and saved boys, girls, men and women of each class.
    counts = """ 0  5   0  1  118  57   4 140
                 0 11   0 13  154  14  13  80
                35 13  17 14  387  75  89  76
                 0  0   0  0  670 192   3  20"""
    cells = pd.MultiIndex.from_product(categories.values(), names=categories)
    people = cells.repeat(np.array(counts.split(), dtype=int)).to_frame(index=False)
    return _typed(people, categories)


def load_breast_cancer_ljubljana():
    """Return 286 patients by nine categories; the breast cancer came back (85) or not (201).

    From M. Zwitter and M. Soklic, University Medical Centre, Institute of Oncology, Ljubljana.
    Nine values are missing, in nine rows; the lecture's benchmark uses the other 277.

    >>> load_breast_cancer_ljubljana()[0].isna().sum().loc[lambda missing: missing > 0].to_dict()
    {'node_caps': 8, 'breast_quad': 1}
    """
    return _stored("breast_cancer_ljubljana")


def load_german():
    """Return 1000 German loans by 7 numbers and 13 categories; the credit was good (700) or bad.

    UCI's "Statlog (German Credit Data)" of H. Hofmann. Its code table is wrong for eight columns
    (Grömping, "South German Credit Data: correcting a widely used data set", 2019): they keep
    their codes (A11, ...). The 1 to 4 of installment_rate, residence_since, existing_credits and
    people_liable are codes of classes, too. Amounts are in Deutsche Mark, durations in months.

    >>> load_german()[0].loc[0, ["purpose", "duration", "employment"]].astype(str).to_list()
    ['A43', '6', '>=7 years']
    """
    return _stored("german")


def load_heart():
    """Return the 303 patients of Cleveland; heart disease is absent (164) or present (139).

    This is UCI's Cleveland table (Detrano and others, 1989), with six missing values. The lecture's
    benchmark uses Statlog's selection of 270 of these patients. UCI's names for the columns: age,
    sex, cp, trestbps, chol, fbs, restecg, thalach, exang, oldpeak, slope, ca, thal.

    >>> load_heart()[0].isna().sum().loc[lambda missing: missing > 0].to_dict()
    {'vessels': 4, 'thallium': 2}
    """
    return _stored("heart")


def load_flare_solar():
    """Return 1066 active regions of the sun by nine small whole numbers, with labels -1 and +1.

    UCI's "Solar Flare" as the lecture's benchmark uses it. The label is not "did it flare": +1
    (589 rows) says that the distribution of the sunspots is X, I or C, and -1 (477) that it is O,
    open. Of 115 different rows 29 have both labels: no training error is below 30.5 %.

    >>> load_flare_solar()[0].columns[:5].to_list()
    ['activity', 'evolution', 'previous_24h', 'hist_complex', 'hist_complex_this_pass']
    """
    return _stored("flare_solar")


def load_thyroid(n_classes=2):
    """Return 215 patients by five laboratory values, and whether the thyroid works normally.

    UCI's "new-thyroid" (Coomans and others, 1983). With two classes, as in the lecture's benchmark,
    -1 is normal (150) and +1 is not; with three, the labels are normal, hyper (35), hypo (30).

    >>> load_thyroid()[1].value_counts().to_dict()
    {-1: 150, 1: 65}
    """
    if n_classes not in (2, 3):
        raise ValueError(f"load_thyroid: n_classes is {n_classes!r}; choose 2 or 3")
    X, y = _stored("thyroid")
    return X, y if n_classes == 3 else y.map({"normal": -1, "hyper": 1, "hypo": 1}).astype(int)


def load_banana():
    """Return 5300 points in the plane, two bent clouds that overlap: 2924 of -1 and 2376 of +1.

    The artificial data of Rätsch, Onoda and Müller, "Soft margins for AdaBoost" (2001).

    >>> load_banana()[1].value_counts().to_dict()
    {-1: 2924, 1: 2376}
    """
    return _stored("banana")


def load_galton(n_samples=None, random_state=None):
    """Return guesses of the weight of Galton's ox, in pounds, and the true weight beside each.

    Galton, "Vox populi", Nature 75 (1907), 450, prints 19 percentiles of 787 guesses: without
    ``n_samples``, these are the rows. With it, a crowd is simulated (the cards are not published):
    each member has a uniform percentile and the guess found there on straight lines through the
    19 points, the end lines continued to 0 % and 100 %, rounded. The median of many such guesses
    is Galton's 1207, 9 too much; their mean is 1196, which depends on how the ends are continued.

    >>> X, weight = load_galton(787, random_state=0)
    >>> (X["guess"] - weight).agg(["median", "mean"]).round(1).to_list()
    [13.0, 2.0]
    """
    table = """1074 1109 1126 1148 1162 1174 1181 1188 1197 1207
               1214 1219 1225 1230 1236 1243 1254 1267 1293"""
    percentile, guess = np.arange(5, 100, 5), np.array(table.split(), dtype=int)
    if n_samples is not None:
        rng = _generator("load_galton", n_samples, 1, random_state)
        line = [2 * guess[0] - guess[1], *guess, 2 * guess[-1] - guess[-2]]  # 1039 ... 1319
        percentile = rng.uniform(0, 100, n_samples)
        guess = np.rint(np.interp(percentile, np.arange(0, 101, 5), line)).astype(int)
    X = pd.DataFrame({"percentile": percentile, "guess": guess})
    return X, pd.Series(1198, index=X.index, name="weight")


def make_nested_spheres(n_samples=2000, n_features=10, random_state=None):
    """Draw x ~ N(0, I); y = +1 if x lies outside the sphere that holds half of them. Bayes error 0.

    Hastie, Tibshirani and Friedman, "The elements of statistical learning", equation 10.2: the
    squared radius is the median of χ² with n_features degrees of freedom, 9.34 for ten.

    >>> X, y = make_nested_spheres(4, random_state=0)
    >>> (X**2).sum(axis=1).round(1), y
    (array([5.6, 9.6, 4.9, 4.8]), array([-1,  1, -1, -1]))
    """
    rng = _generator("make_nested_spheres", n_samples, n_features, random_state)
    X = rng.standard_normal((n_samples, n_features))
    return X, np.where((X**2).sum(axis=1) > chdtri(n_features, 0.5), 1, -1)


def make_nested_gaussians(n_samples=2000, n_features=10, random_state=None):
    """Draw the noisy twin of the nested spheres. Bayes error 25 %, in every dimension.

    Half of the examples have y = -1 and x ~ N(0, I), the others y = +1 and the same x on condition
    that it lies outside the sphere. There, two in three are +1, and no -1 can be told from them.

    >>> X, y = make_nested_gaussians(2000, random_state=0)
    >>> bool(((X**2).sum(axis=1)[y == 1] > 9.34).all())
    True
    """
    rng = _generator("make_nested_gaussians", n_samples, n_features, random_state)
    X, y = rng.standard_normal((n_samples, n_features)), rng.choice([-1, 1], n_samples)
    # chdtri(d, p) is what χ² exceeds with probability p: below one half, it is outside the sphere.
    squared_radius = chdtri(n_features, (1 - rng.random(n_samples)) / 2)
    outside = X * np.sqrt(squared_radius / (X**2).sum(axis=1))[:, None]
    return np.where(y[:, None] == 1, outside, X), y


def make_twonorm(n_samples=300, n_features=20, random_state=None):
    """Draw x ~ N(y·a·(1, ..., 1), I), a = 2/√n_features. Bayes error Φ(-2) = 2.275 %.

    Breiman, "Bias, variance, and arcing classifiers" (1996).

    >>> X, y = make_twonorm(300, random_state=0)
    >>> int(np.sum(np.sign(X.sum(axis=1)) != y))  # errors of the Bayes rule
    7
    """
    rng = _generator("make_twonorm", n_samples, n_features, random_state)
    y = rng.choice([-1, 1], n_samples)
    return rng.standard_normal((n_samples, n_features)) + 2 / n_features**0.5 * y[:, None], y


def make_threenorm(n_samples=300, n_features=20, random_state=None):
    """Draw y = +1 from N(±a·(1, 1, ...), I), -1 from N(a·(1, -1, 1, ...), I). Bayes error 10.46 %.

    Breiman (1996); a = 2/√n_features, and both centres of +1 are equally likely.

    >>> make_threenorm(5, random_state=0)[1]
    array([ 1,  1,  1, -1, -1])
    """
    rng = _generator("make_threenorm", n_samples, n_features, random_state)
    y, side = rng.choice([-1, 1], n_samples)[:, None], rng.choice([-1, 1], n_samples)[:, None]
    centre = np.where(y == 1, side, (-1) ** np.arange(n_features)) * 2 / n_features**0.5
    return rng.standard_normal((n_samples, n_features)) + centre, y.ravel()


def make_ringnorm(n_samples=300, n_features=20, random_state=None, *, a=None):
    """Draw y = +1 from N(0, 4·I) and y = -1 from N(a·(1, ..., 1), I). Bayes error 1.240 %.

    Breiman (1996). a = 2/√n_features unless given, as in the benchmark's data; R's mlbench takes
    a = 1/√20, with a Bayes error of 1.497 %.

    >>> make_ringnorm(5, random_state=0)[1]
    array([ 1,  1,  1, -1, -1])
    """
    rng = _generator("make_ringnorm", n_samples, n_features, random_state)
    y, X = rng.choice([-1, 1], n_samples), rng.standard_normal((n_samples, n_features))
    return np.where(y[:, None] == 1, 2 * X, X + (2 / n_features**0.5 if a is None else a)), y


def make_waveform(n_samples=300, n_features=21, random_state=None, *, n_classes=3):
    """Draw noisy mixtures of two of three triangular waves at 21 points. Bayes error 13.3 %.

    Breiman, Friedman, Olshen and Stone, "Classification and regression trees" (1984): x = u·h +
    (1-u)·h' + noise; class 0 mixes h1 and h2, class 1 h1 and h3, class 2 h2 and h3. With two
    classes, as in the benchmark, 1 is +1, the rest -1: 8.3 %. Features beyond 21 are pure noise.

    >>> make_waveform(5, random_state=0)[1]
    array([2, 1, 1, 0, 0])
    """
    if n_classes not in (2, 3):
        raise ValueError(f"make_waveform: n_classes is {n_classes!r}; choose 2 or 3")
    rng = _generator("make_waveform", n_samples, n_features, random_state, at_least=21)
    h = np.maximum(6 - np.abs(np.arange(1, 22) - [[7], [15], [11]]), 0)  # (3 waves, 21 points)
    y, u = rng.integers(3, size=n_samples), rng.random((n_samples, 1))
    X = rng.standard_normal((n_samples, n_features))
    X[:, :21] += u * h[[0, 0, 1]][y] + (1 - u) * h[[1, 2, 2]][y]
    return X, y if n_classes == 3 else np.where(y == 1, 1, -1)


def _generator(maker, n_samples, n_features, random_state, at_least=1):
    """Check the arguments of a maker and return its NumPy Generator."""
    for name, value, least in [("n_samples", n_samples, 1), ("n_features", n_features, at_least)]:
        if not isinstance(value, Integral) or value < least:
            raise ValueError(f"{maker}: {name} is {value!r}; give a whole number from {least} up")
    return np.random.default_rng(random_state)


def _words(text, categories):
    """Return X and y of an inline table: a header, a line per row, the label last."""
    header, *rows = [line.split() for line in text.strip().splitlines()]
    return _typed(pd.DataFrame(rows, columns=header), categories)


def _stored(name):
    """Return X and y of data/NAME.csv.gz, the label last.

    A column headed ``sex{female|male}`` holds words and declares their order; others are numbers.
    """
    file = files("mlcourse") / "data" / f"{name}.csv.gz"
    text = decompress(file.read_bytes()).decode()
    heads = [head.rstrip("}").split("{") for head in text.partition("\n")[0].split(",")]
    categories = {head[0]: head[1].split("|") for head in heads if len(head) == 2}
    options = {"header": 0, "keep_default_na": False, "na_values": ""}
    options |= {"names": [head[0] for head in heads], "dtype": dict.fromkeys(categories, str)}
    return _typed(pd.read_csv(StringIO(text), **options), categories)


def _typed(table, categories):
    """Return X and y of a table whose last column is the label.

    ``categories`` maps columns of words to their values in order; another value is an error.
    """
    for name, values in categories.items():
        unknown = sorted(set(table[name].dropna()) - set(values))
        if unknown:
            raise ValueError(f"datasets: column {name!r} holds {unknown}; add to its categories")
        table[name] = pd.Categorical(table[name], categories=values)
    return table.iloc[:, :-1].copy(), table.iloc[:, -1].copy()
