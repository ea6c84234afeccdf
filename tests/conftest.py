"""Say at the end of a run how long each notebook took."""


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
