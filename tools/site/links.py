"""Look whether every link of the site leads somewhere and no page wants the network."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The anchors, the links and the loaded files of a page."""

    def __init__(self, path):
        super().__init__()
        self.path, self.anchors, self.links, self.loaded = path, set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Note what a tag names or asks for."""
        attrs = dict(attrs)
        self.anchors.update(filter(None, (attrs.get("id"), attrs.get("name"))))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag in LOADED and attrs.get(LOADED[tag]) and attrs.get("rel") != "canonical":
            self.loaded.append(attrs[LOADED[tag]])

    def has(self, fragment):
        """Say whether the page has the place that a link names."""
        return unquote(fragment) in self.anchors


def is_file(page, path):
    """Say whether a path, relative to a page, is a file."""
    return (page.parent / unquote(path)).is_file()


def problems(site, beside=()):
    """Return a sentence for each dead link, missing file or outside resource of a site.

    ``beside`` names folders of the site that other programs write, later.
    """
    site = Path(site).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.loaded:
            parts = urlsplit(target)
            if parts.netloc or parts.scheme in ("http", "https"):
                found.append(f"{name}: loads {target} from outside")
            elif parts.path and parts.scheme != "data" and not is_file(path, parts.path):
                found.append(f"{name}: {target} is missing")
        for target in page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if any(goal.is_relative_to(site / folder) for folder in beside):
                continue
            if not goal.is_file():
                found.append(f"{name}: the link {target} leads to no file")
            elif parts.fragment and goal in pages and not pages[goal].has(parts.fragment):
                found.append(f"{name}: the link {target} leads to no place on its page")
    return found
