"""Which data do the lectures work with? Every table and generator of the course, in one place.

A loader returns ``X, y``: a DataFrame with one row per example and a Series of labels. Both are
fresh at each call, so a notebook may change them. Names are lower case, with the words of the
lecture. A column of words is a pandas categorical whose categories keep the lecture's order.

Small tables are typed into this file: a line per example, with the label last.
"""

__all__ = ["load_play_tennis"]

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


def load_play_tennis():
    """Return the 14 days of play-tennis: four attributes in words, and whether to play.

    The table is Quinlan's, "Induction of decision trees", Machine Learning 1 (1986), 81–106,
    where the classes are N and P. One lecture writes "Rainy" for his "rain". The values of
    ``windy`` are the words "false" and "true".

    >>> X, y = load_play_tennis()
    >>> X.head(3)
        outlook temperature humidity  windy
    0     sunny         hot     high  false
    1     sunny         hot     high   true
    2  overcast         hot     high  false
    >>> y.value_counts().to_dict()
    {'yes': 9, 'no': 5}
    """
    categories = {
        "outlook": ["sunny", "overcast", "rain"],
        "temperature": ["hot", "mild", "cool"],
        "humidity": ["high", "normal"],
        "windy": ["false", "true"],
        "play": ["no", "yes"],
    }
    return _words(_PLAY_TENNIS, categories)


def _words(text, categories):
    """Return X and y of an inline table of words: a header, a line per row, the label last.

    ``categories`` maps each column to its values in order; a value outside them is an error.
    """
    import pandas as pd

    header, *rows = [line.split() for line in text.strip().splitlines()]
    table = pd.DataFrame(rows, columns=header)
    for name, column in table.items():
        unknown = sorted(set(column) - set(categories[name]))
        if unknown:
            raise ValueError(f"_words: column {name!r} holds {unknown}; add them to its categories")
        table[name] = pd.Categorical(column, categories=categories[name])
    return table.iloc[:, :-1].copy(), table.iloc[:, -1].copy()
