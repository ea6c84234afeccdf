"""The shape of the library: lazy, small, imports that only point back, no foreign learners."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mlcourse

PACKAGE = Path(mlcourse.__file__).parent
# The order of the lectures. A module may use those before it; plots and checks come last.
ORDER = list(mlcourse._NAMES)
FILES = sorted(path for path in PACKAGE.rglob("*.py"))


def imports(path):
    """Yield the dotted names a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("mlcourse", ["scipy", "sklearn", "matplotlib", "pandas"]),
        ("mlcourse.information", ["scipy", "sklearn", "matplotlib"]),
    ],
)
def test_import_loads_nothing_heavy(module, heavy):
    code = f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("module", [name for name in ORDER if name != "checks"])
def test_public_names_are_those_of_the_module(module):
    assert sorted(import_module(f"mlcourse.{module}").__all__) == sorted(mlcourse._NAMES[module])
    for name in mlcourse._NAMES[module]:
        assert getattr(mlcourse, name) is getattr(import_module(f"mlcourse.{module}"), name)
        assert name in dir(mlcourse)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="entropie"):
        _ = mlcourse.entropie


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_back_and_learners_are_our_own(path):
    module = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    allowed = [] if module == "__init__" else ORDER[: ORDER.index(module) + 1]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "mlcourse" and len(parts) > 1:
            home = parts[1] if parts[1] in ORDER else mlcourse._MODULE_OF.get(parts[1], parts[1])
            assert home in allowed, f"{module} imports {name}, which comes later"
        if parts[0] == "sklearn" and len(parts) > 1:
            assert parts[1] not in {"tree", "ensemble"}, f"{module} uses scikit-learn's learners"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_over_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_core_imports_numpy_scipy_and_pandas_only():
    for module in ("information", "criteria", "tree", "splitting", "growing"):
        roots = {name.split(".")[0] for name in imports(PACKAGE / f"{module}.py")}
        assert roots <= {"numpy", "scipy", "pandas", "mlcourse", *sys.stdlib_module_names}


@pytest.mark.parametrize(
    "name", sorted(name for name in mlcourse.__all__ if name.endswith("Classifier"))
)
def test_declared_classes_keep_their_order_and_kind(name):
    X, order = np.arange(12.0)[:, None], [True, False]
    labels = pd.Categorical([True] * 6 + [False] * 6, categories=order)
    model = getattr(mlcourse, name)().fit(X, labels)
    assert model.classes_.tolist() == order
    assert model.predict(X).tolist() == labels.tolist()
