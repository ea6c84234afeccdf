"""Share the tests among the workers; say at the end how long each notebook took."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the tests of a file together (nbval needs it), but part the exercises by number."""
    for item in items:
        group = item.nodeid.split("::")[0]
        if group.endswith("test_exercises.py") and hasattr(item, "callspec"):
            group += item.callspec.id.split("-")[0]
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_terminal_summary(terminalreporter):
    times = [
        dict(report.user_properties)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        and "seconds" in dict(getattr(report, "user_properties", []))
    ]
    if times:
        terminalreporter.section("seconds per notebook (over 30 warns, over 120 fails)")
        for entry in sorted(times, key=lambda entry: entry["notebook"]):
            terminalreporter.line(f"{entry['seconds']:6.1f}  {entry['notebook']}")
