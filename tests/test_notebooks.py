"""Every notebook of the tree: it is what its source builds, and no guard objects.

nbval runs the notebooks themselves; here is what nbval does not see.
"""

import warnings
from pathlib import Path

import nbformat
import pytest

from tools import guards
from tools.build import FAIL_SECONDS, ROOT, make, orphans, sources, time_problem
from tools.notebooks import normalized, read_source

SOURCES = sources()
NAMES = [path.stem + (" (solution)" if "solutions" in path.parts else "") for path in SOURCES]
each = pytest.mark.parametrize(("source", "target"), SOURCES.items(), ids=NAMES)


def test_there_are_notebooks_and_none_without_a_source():
    assert SOURCES
    assert orphans() == []


@pytest.mark.slow
@each
def test_notebook_is_what_its_source_builds(source, target, record_property):
    problems, seconds = make(source, target, check=True)
    record_property("notebook", str(target.relative_to(ROOT)))
    record_property("seconds", seconds)
    assert problems == []
    assert seconds <= FAIL_SECONDS
    if slow := time_problem(target.name, seconds):
        warnings.warn(slow, stacklevel=1)


@each
def test_source_is_written_as_jupytext_writes_it(source, target):
    text = source.read_text(encoding="utf-8")
    assert normalized(text) == text
    assert "formats:" not in text.split("---")[1], "a paired notebook"


@pytest.mark.parametrize("guard", guards.STORED)
@each
def test_guard_of_the_built_notebook(source, target, guard):
    assert guard(nbformat.read(target, as_version=4)) == []


@pytest.mark.parametrize("guard", guards.WRITTEN)
@each
def test_guard_of_the_written_text(source, target, guard):
    assert guard(read_source(source)[0]) == []


@each
def test_internal_links(source, target):
    place = target
    if "solutions" in Path(target).parts:  # a student reads it in exercises/
        place = ROOT / "exercises" / target.parent.name / target.name
    assert guards.links(nbformat.read(target, as_version=4), place) == []
