"""On a Dask cluster, chosen through joblib, the results are those of one core, bit for bit."""

import logging
from textwrap import dedent

import joblib
import numpy as np
import pytest

import mlcourse
from mlcourse import (
    BaggingClassifier,
    BaggingRegressor,
    CARTClassifier,
    CARTRegressor,
    bias_variance_squared,
    make_waveform,
)

pytestmark = pytest.mark.slow
X, Y = make_waveform(200, random_state=0)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Two worker processes on this machine, closed at the end."""
    distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is not there")
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
        local_directory=str(tmp_path_factory.mktemp("dask")),
        silence_logs=logging.CRITICAL,
    )
    with cluster, distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


def noisy_sine(rng):
    x = rng.uniform(0, 6, (40, 1))
    return x, np.sin(x[:, 0]) + rng.normal(0, 0.3, 40)


def bagging():
    learner = CARTClassifier(max_features=3)
    model = BaggingClassifier(learner, 12, oob_score=True, max_features=0.5, random_state=0)
    model.fit(X, Y)
    return model.oob_curve_, model.predict_proba(X)


def bagging_regression():
    model = BaggingRegressor(n_estimators=12, random_state=0).fit(X, X[:, 3] * X[:, 4])
    return model.predict(X), np.concatenate(model.estimators_samples_)


def bias_variance():
    grid = np.linspace(0, 6, 50)[:, None]
    study = bias_variance_squared(
        CARTRegressor(), noisy_sine, grid, np.sin(grid[:, 0]), n_repeats=8, random_state=0
    )
    return study.predictions, study.variance


def forest():
    model = mlcourse.RandomForestClassifier(n_estimators=12, oob_score=True, random_state=0)
    model.fit(X, Y)
    return model.predict_proba(X), model.feature_importances_


@pytest.mark.filterwarnings("ignore:.*sample of every learner")
@pytest.mark.parametrize("work", [bagging, bagging_regression, bias_variance, forest])
def test_a_cluster_gives_the_same_bits(client, work):
    distributed = pytest.importorskip("dask.distributed")
    alone = work()
    with joblib.parallel_config(backend="dask"), distributed.get_task_stream(client) as tasks:
        together = work()
    assert tasks.data, "the workers had nothing to do"
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("module", ["bagging", "forest"])
def test_the_lines_in_the_documentation_do_it(client, module):
    dask = pytest.importorskip("dask")
    text = getattr(mlcourse, module).__doc__
    lines = dedent(text[text.index("    client = ") :])
    assert len(lines.strip().splitlines()) == 3 and '"address-of-the-scheduler:8786"' in lines
    lines = lines.replace("address-of-the-scheduler:8786", client.scheduler.address)
    names = {**vars(mlcourse), **vars(getattr(mlcourse, module)), "dask": dask, "joblib": joblib}
    names |= {"X": X, "y": Y}
    with dask.distributed.get_task_stream(client) as tasks:
        exec(lines, names)
    names["client"].close()
    assert tasks.data and len(names["model"].estimators_) == 100
