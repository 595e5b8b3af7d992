"""What MkDocs does for davit beyond its own: the models in the navigation, the search, the colors of code."""

import html.parser
import json
import logging
import sys
from pathlib import Path

from pygments.formatters import HtmlFormatter

sys.path.insert(0, str(Path(__file__).parent))
import equations  # noqa: E402

MODELS = "reference/models"
PARTS = "Parts of a system file"


def models_by_domain(folder):
    """[{'hydraulic': [{'Cylinder': 'reference/models/hydraulic.Cylinder.md'}, ...]}, ...]"""
    domains = {}
    for page in sorted(folder.glob("*.md")):
        if page.name != "index.md":
            domain, _, model = page.stem.rpartition(".")
            domains.setdefault(domain or PARTS, []).append({model: f"{MODELS}/{page.name}"})
    return [{domain: domains[domain]} for domain in sorted(domains, key=lambda domain: (domain == PARTS, domain))]


def on_config(config):
    for section in config["nav"]:
        for pages in section.values():
            for page in pages if isinstance(pages, list) else []:
                if page.get("Models") == f"{MODELS}/index.md":
                    page["Models"] = [{"All models": f"{MODELS}/index.md"},
                                      *models_by_domain(Path(config["docs_dir"]) / MODELS)]
    return config


# ---- equations ---------------------------------------------------------------------------------------


def on_page_markdown(markdown, page, config, files):
    if "```equations\n" not in markdown:
        return markdown

    def link(target):
        """Of a model, a page of docs/ or a source."""
        source = equations.CITATION.fullmatch(target)
        if source:
            return "../../bibliography.html#" + source[1].lower().replace(" ", "-")
        place = target.removeprefix("docs/") if target.startswith("docs/") else f"{MODELS}/{target}.md"
        found = files.get_file_from_path(place)
        return found.url_relative_to(page.file) if found else ""

    text, unread = equations.typeset(markdown, link)
    for part in unread:  # fails the build, which is strict
        logging.getLogger("mkdocs.plugins").warning("%s: no formula that can be typeset: %s", page.title, part)
    return text


# ---- search ------------------------------------------------------------------------------------------
# A page opened from a disk may load scripts but no data, so the index is a script.


class Sections(html.parser.HTMLParser):
    """The text of a page below each of its headings."""

    def __init__(self, content):
        super().__init__()
        self.sections = [{"id": "", "title": "", "text": []}]
        self.heading = None
        self.is_permalink = False
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("h1", "h2", "h3") and "id" in values:
            self.heading = tag
            self.sections.append({"id": "" if tag == "h1" else values["id"], "title": "", "text": []})
        self.is_permalink = tag == "a" and values.get("class") == "headerlink"

    def handle_endtag(self, tag):
        if tag == self.heading:
            self.heading = None
        elif tag not in ("a", "code", "em", "span", "strong"):
            self.sections[-1]["text"].append(" ")
        self.is_permalink = False

    def handle_data(self, data):
        if self.is_permalink:
            return
        if self.heading:
            self.sections[-1]["title"] += data
        else:
            self.sections[-1]["text"].append(data)


index = []


def on_page_content(content, page, config, files):
    for section in Sections(content).sections:
        text = " ".join("".join(section["text"]).split())
        if section["title"] or text:
            url = page.url + ("#" + section["id"] if section["id"] else "")
            index.append([url, page.title, section["title"], text])


def on_post_build(config):
    site = Path(config["site_dir"])
    (site / "search_index.js").write_text(f"window.searchIndex = {json.dumps(index)};\n")
    index.clear()
    (site / "code.css").write_text(HtmlFormatter(style="friendly").get_style_defs(".code") + "\n")
