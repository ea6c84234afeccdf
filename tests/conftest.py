"""Share the tests among the workers; say at the end how long each notebook took."""

from xdist.scheduler import LoadScopeScheduling


class Sharing(LoadScopeScheduling):
    """Keep the tests of a file on one worker (nbval needs it), but part the exercises by number."""

    def _split_scope(self, nodeid):
        path, _, test = nodeid.partition("::")
        if path.endswith("test_exercises.py") and "[" in test:
            return path + test.split("[")[1].rstrip("]").split("-")[0]
        return path


def pytest_xdist_make_scheduler(config, log):
    return Sharing(config, log)


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
