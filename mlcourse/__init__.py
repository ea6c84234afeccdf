"""mlcourse: the companion library of the course, one module per idea, in lecture order.

Every public name can be imported from here (``from mlcourse import entropy``). Modules are
loaded when a name of theirs is first used, so ``import mlcourse`` itself is instant.
"""

from importlib import import_module

__version__ = "0.1.0"

# Where each public name lives, in lecture order. A test holds this table to each module's __all__.
_NAMES = {
    "information": [
        "self_information",
        "entropy",
        "joint_entropy",
        "conditional_entropy",
        "mutual_information",
        "cross_entropy",
        "kl_divergence",
        "js_divergence",
        "wasserstein_distance",
        "optimal_transport",
    ],
    "criteria": [
        "gini",
        "misclassification",
        "variance",
        "information_gain",
        "intrinsic_value",
        "gain_ratio",
        "gini_index",
        "split_table",
    ],
    "columns": [],
    "tree": ["Tree"],
    "stack": [],
    "splitting": [],
    "growing": [],
    "learner": [],
    "complexity": [],
    "id3": ["ID3Classifier"],
    "pessimistic": ["pessimistic_error"],
    "c45": ["C45Classifier"],
    "surrogates": [],
    "rpart": [],
    "sizing": ["cross_validate_cp", "one_se_cp", "prune_cp"],
    "cart": ["CARTClassifier", "CARTRegressor"],
    "description": ["description_length"],
    "cutting": [],
    "pruning": [
        "reduced_error_prune",
        "pessimistic_prune",
        "chi_square_prune",
        "mdl_prune",
        "cost_complexity_path",
        "cost_complexity_prune",
    ],
    "bias_variance": ["bias_variance_squared", "bias_variance_zero_one"],
    "resampling": ["jackknife", "bootstrap"],
    "voting": ["average", "majority_vote", "plurality_vote", "weighted_vote", "unanimous_vote"],
    "bags": [],
    "bagging": ["BaggingClassifier", "BaggingRegressor"],
    "cuts": [],
    "grove": [],
    "forestry": [],
    "forest": ["RandomForestClassifier", "RandomForestRegressor", "RandomSubspaceClassifier"],
    "stumps": ["DecisionStump"],
    "ballot": [],
    "adaboost": ["AdaBoostClassifier", "three_learner_boost"],
    "margins": [
        "normalized_margins",
        "minimum_margins",
        "margin_distribution",
        "training_error_bound",
        "rounds_to_zero",
        "guaranteed_margin",
        "margin_bound",
        "vc_bound",
        "vc_risk_bound",
    ],
    "losses": [
        "squared_error",
        "absolute_error",
        "huber",
        "quantile",
        "log_loss",
        "exponential",
    ],
    "binning": [],
    "gradient_boosting": ["GradientBoostingClassifier", "GradientBoostingRegressor"],
    "datasets": [
        "load_play_tennis",
        "load_golf",
        "load_restaurant",
        "load_kyphosis",
        "load_spam",
        "load_titanic",
        "load_breast_cancer_ljubljana",
        "load_german",
        "load_heart",
        "load_flare_solar",
        "load_thyroid",
        "load_banana",
        "load_galton",
        "make_nested_spheres",
        "make_nested_gaussians",
        "make_twonorm",
        "make_threenorm",
        "make_ringnorm",
        "make_waveform",
    ],
    "words": [],
    "layout": [],
    "charts": [],
    "treeplots": [],
    "regions": [],
    "panels": [],
    "ensembleplots": [],
    "marginplots": [],
    "curveplots": [],
    "plots": [
        "use_style",
        "show",
        "figure_slider",
        "plot_transport",
        "plot_tree",
        "describe",
        "plot_regions",
        "plot_impurities",
        "plot_bias_variance",
        "plot_oob_curve",
        "plot_importances",
        "plot_boosting_round",
        "plot_growing_regions",
        "plot_margins",
    ],
    "checks": [],  # check() and hint() are called as checks.check(), checks.hint()
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}
__all__ = [*_NAMES, *_MODULE_OF]


def __getattr__(name):
    """Import the module behind a public name on first use (PEP 562)."""
    if name in _NAMES:
        return import_module(f"mlcourse.{name}")
    if name in _MODULE_OF:
        value = getattr(import_module(f"mlcourse.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'mlcourse' has no attribute {name!r}")


def __dir__():
    """List the public names, loaded or not."""
    return sorted([*globals(), *__all__])
