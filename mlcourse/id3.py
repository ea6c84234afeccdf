"""How does ID3 learn a tree? It asks for the attribute with the largest information gain.

Lecture 02 (Quinlan 1986). At every node: entropy of the classes, minus the average entropy that is
left when the attribute is known,

    Gain(a) = H(y) − Σ_v |D_v|/|D| · H(y | a = v).

A category gets one branch per value; a branch without cases answers like its parent. Numbers are
parted at the threshold of largest gain, as the lecture describes it (strictly, C4.5 added this).
"""

from mlcourse.growing import Grower
from mlcourse.learner import TreeClassifier

__all__ = ["ID3Classifier"]


class ID3Classifier(TreeClassifier):
    """Decision tree by information gain, with one branch per value of a category.

    It grows until every leaf is pure or nothing tells its cases apart; there is no pruning
    (see mlcourse.pruning), and no way to handle missing values in training. In prediction a value
    that was never seen, or is missing, ends at its node, which answers with its majority.

    Parameters
    ----------
    max_depth : most tests on a path; None for no limit
    min_samples_split : fewest cases a node needs to be split

    Examples
    --------
    >>> from mlcourse import load_play_tennis
    >>> X, y = load_play_tennis()
    >>> print(ID3Classifier().fit(X, y).tree_.to_text())
    outlook = sunny
    |   humidity = high: no (3)
    |   humidity = normal: yes (2)
    outlook = overcast: yes (4)
    outlook = rain
    |   windy = false: yes (3)
    |   windy = true: no (2)
    """

    _ordered = "category"

    def __init__(self, *, max_depth=None, min_samples_split=2):
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split

    def _grow(self, columns, y, weight):
        grower = Grower(
            columns,
            y,
            len(self.classes_),
            weight=weight,
            criterion="entropy",
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            multiway=True,
            record=self._record,
        )
        return self._named(self._grown(grower))
