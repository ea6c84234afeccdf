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
    "datasets": ["load_play_tennis"],
    "plots": ["use_style", "show", "figure_slider", "plot_transport"],
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
