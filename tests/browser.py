"""One headless Chromium for the tests that look at what a person sees."""

import shutil

import pytest

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium():
    """Return a started browser and what ends it; skip the test where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("Chromium is not installed: nothing looks at this page")
    driver = playwright.sync_playwright().start()
    browser = driver.chromium.launch(executable_path=program, args=FLAGS)

    def end():
        browser.close()
        driver.stop()

    return browser, end
