"""Fails where a link of a built page leads to no file or no place in it, or where a page loads from the network.

    check_links.py FOLDER

Pages of the C++ API are checked as targets only: Doxygen reports its own broken references.
"""

import html.parser
import os
import sys
import urllib.parse
from pathlib import Path


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag == "link" and values.get("href"):
            self.loads.append(values["href"])
        elif values.get("src"):
            self.loads.append(values["src"])


def check(root):
    pages = {}

    def page_at(path):
        if path not in pages:
            pages[path] = Page(path)
        return pages[path]

    faults = []
    for path in sorted(root.rglob("*.html")):
        if root / "api" in path.parents:
            continue
        page = page_at(path)
        faults += [f"{path}: loads {url} from the network" for url in page.loads if "//" in url]
        for url in page.links + page.loads:
            parts = urllib.parse.urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target = path
            if parts.path:
                target = Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path)))
            if not target.is_file():
                faults.append(f"{path}: no file for the link {url}")
            elif parts.fragment and target.suffix == ".html":
                if urllib.parse.unquote(parts.fragment) not in page_at(target).places:
                    faults.append(f"{path}: no such place: {url}")
    return faults


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    for fault in found:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if found else 0)
