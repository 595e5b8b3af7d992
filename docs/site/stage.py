"""Puts the pages of the documentation into one folder, with links that hold there.

    stage.py FOLDER TAGFILE       (from the root of the repository)

In the repository a page may link to any file: to another page, a header, an example. Here a link to a header
leads to its page of the C++ API (Doxygen's TAGFILE says which), a link to any other file to a page that shows
it, made on demand. A link that shows the name of a page shows its title instead, and names of models, classes and
files in backticks become links. Links to files that do not exist stay as they are: MkDocs reports them.
"""

import html
import os
import re
import shutil
import sys
import xml.etree.ElementTree
from pathlib import Path

from equations import CITATION

# The page of the repository, and its name in the folder; those of docs/ keep theirs.
START_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
               "SECURITY.md": "security.md"}
LANGUAGES = {".xml": "xml", ".scxml": "xml", ".sh": "sh", ".cc": "cpp", ".h": "cpp", ".in": "cpp",
             ".cmake": "cmake", ".py": "python"}
CODE = re.compile(r"(?<![\[`])`([\w./:-]+)`(?![\]`])")
# Of system files; classes of the same names are not what a page means.
ELEMENTS = {"At", "Connect", "Expose", "Level", "Record", "Route", "Start", "Statechart", "Subsystem", "System"}
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def title_of(page):
    return next(line[2:] for line in Path(page).read_text().split("\n") if line.startswith("# "))


def place_of_heading(title):
    """The anchor that MkDocs gives to a heading."""
    return title.lower().replace(" ", "-")


def first_sentence(file):
    """Of the remark that an XML file begins with, as HTML; empty for other files."""
    if not file.endswith((".xml", ".scxml")):
        return ""
    remark = re.search(r"<!--\s*(.*?)\s*-->", Path(file).read_text(), re.DOTALL)
    sentence = " ".join(re.split(r"\.\s", remark[1])[0].split()).rstrip(".") if remark else ""
    return html.escape(sentence, quote=False)


def first_remark(file):
    """The same as Markdown."""
    return re.sub(r"([\\`*_|\[\]])", r"\\\1", first_sentence(file))


def is_text(file):
    try:
        Path(file).read_text()
    except UnicodeDecodeError:
        return False
    return True


class Stage:
    def __init__(self, folder, tag_file):
        self.folder = folder
        # Paths in the repository -> paths in the folder.
        self.places = {page: place for page, place in START_PAGES.items() if os.path.exists(page)}
        for page in sorted(Path("docs").rglob("*")):
            if page.is_file() and Path("docs/site") not in page.parents:
                self.places[str(page)] = str(page.relative_to("docs"))
        tags = xml.etree.ElementTree.parse(tag_file)
        for compound in tags.iterfind("compound[@kind='file']"):
            header = os.path.relpath(os.path.join(compound.findtext("path"), compound.findtext("name")))
            page = compound.findtext("filename")
            self.places[header] = "api/" + (page if page.endswith(".html") else page + ".html")

        # Names in the texts -> the pages that describe them: classes and their members, models with and without domain.
        self.names = {}
        for compound in [*tags.iterfind("compound[@kind='class']"), *tags.iterfind("compound[@kind='struct']")]:
            name = compound.findtext("name").removeprefix("davit::")
            if name not in ELEMENTS:
                self.names[name] = "api/" + compound.findtext("filename")
            for member in compound.iterfind("member"):
                self.names[f"{name}::{member.findtext('name')}"] = (
                    f"api/{member.findtext('anchorfile')}#{member.findtext('anchor')}")
        for page in sorted((folder / "reference/models").glob("*.*.md")):
            model = page.stem
            self.names[model] = self.names[model.partition(".")[2]] = f"reference/models/{page.name}"

    def run(self):
        for origin, place in list(self.places.items()):
            target = self.folder / place
            if target.suffix == ".md":
                self.write(place, self.with_links(Path(origin).read_text(), origin, place))
            elif not place.startswith("api/"):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(origin, target)

        self.add_references(self.folder / "bibliography.md")
        self.add_uses()
        self.add_gallery()

    def add_gallery(self):
        """A page with the picture of each example system and the sentence that its file begins with."""
        figures = []
        for picture in sorted((self.folder / "gallery").glob("*.svg")):
            system = f"systems/{picture.stem}.xml"
            page, image = self.place_of(system).removesuffix(".md") + ".html", f"gallery/{picture.name}"
            figures.append(f'<figure><a href="{page}"><img src="{image}" alt="{picture.stem}" loading="lazy"></a>'
                           f'<figcaption><a href="{page}">{picture.stem}</a>: {first_sentence(system)}.'
                           "</figcaption></figure>")
        if figures:
            self.write("gallery.md", "# Gallery\n\nThe systems of the folder `systems/`, as `davit graph --symbols` draws them, or their "
                       "curves. Choose one to see its file.\n\n"
                       f'<div class="gallery">\n{chr(10).join(figures)}\n</div>\n')

    def insert(self, page, section):
        """Puts a section before the last parts of the page of a model."""
        parts = re.split(r"(?=\n## See also\n|\n\[All models\])", page.read_text(), maxsplit=1)
        page.write_text(parts[0] + section + parts[1])

    def add_uses(self):
        """Lists on the page of each model the example systems that contain it."""
        for page in self.model_pages():
            uses = [f"[{system.name}](../../{self.place_of(str(system))})"
                    for system in sorted(Path("systems").glob("*.xml"))
                    if f"<{page.stem} " in system.read_text()]
            if uses:
                self.insert(page, f"\n## Used in\n\n{', '.join(uses)}\n")

    def add_references(self, bibliography):
        """Lists on the page of each model the sources that it cites, and in the bibliography the models."""
        if not bibliography.exists():
            return
        text, *entries = re.split(r"^### ", bibliography.read_text(), flags=re.MULTILINE)
        sources = {entry.partition("\n")[0]: entry.partition("\n")[2].strip() for entry in entries}
        citing = {key: [] for key in sources}
        for page in self.model_pages():
            keys = sorted({" ".join(key.split()) for key in CITATION.findall(page.read_text())})
            for key in keys:
                if key not in sources:
                    sys.exit(f"error: {page.stem} cites [{key}], which docs/bibliography.md does not have")
                citing[key].append(page)
            if keys:
                rows = [f"* [{key}](../../bibliography.md#{place_of_heading(key)}): {' '.join(sources[key].split())}"
                        for key in keys]
                self.insert(page, "\n## References\n\n" + "\n".join(rows) + "\n")
        for key, pages in citing.items():
            models = ", ".join(f"[{page.stem}](reference/models/{page.name}#references)" for page in pages)
            if not models:
                sys.exit(f"error: docs/bibliography.md has {key}, which no model cites")
            text += f"### {key}\n\n{sources[key]}\n\nCited by {models}.\n\n"
        bibliography.write_text(text)

    def model_pages(self):
        return sorted((self.folder / "reference/models").glob("*.*.md"))

    def write(self, place, text):
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def with_links(self, text, origin, place):
        """The text of the page `origin` with links that hold at `place`; code is left alone."""
        is_code = False
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code:
                line = LINK.sub(lambda link: self.new_link(link, origin, place), line)
                if not line.startswith("#"):
                    line = CODE.sub(lambda code: self.linked_code(code, place), line)
                lines[number] = line
        return "\n".join(lines)

    def new_link(self, link, origin, place):
        text, target, anchor = link.groups(default="")
        file = os.path.normpath(os.path.join(os.path.dirname(origin), target))
        if ":" in target or file.startswith("..") or not os.path.exists(file):
            return link.group()
        if text == target and file.endswith(".md"):
            text = title_of(file)
        return f"[{text}]({os.path.relpath(self.place_of(file), os.path.dirname(place) or '.')}{anchor})"

    def linked_code(self, code, place):
        """A model, a class, or a file with its folder, in backticks, leads to its page."""
        name = code[1]
        if name in self.names:
            target = self.names[name]
        elif re.match(r"\.?\w+/", name) and not name.startswith("build/") and os.path.isfile(name):
            target = self.place_of(name)
        else:
            return code.group()
        return f"[{code.group()}]({os.path.relpath(target, os.path.dirname(place) or '.')})"

    def place_of(self, file):
        """Where the file of the repository is shown; makes a page for one that has none."""
        if file not in self.places:
            place = f"source/{file}".replace("/.", "/")  # MkDocs reads no hidden files
            is_folder = os.path.isdir(file)
            if is_folder or is_text(file):
                self.places[file] = place + ".md"
                self.write(place + ".md", self.folder_page(file, place) if is_folder else self.file_page(file))
            else:
                self.places[file] = place
                (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, self.folder / place)
        return self.places[file]

    def folder_page(self, file, place):
        rows = [f"# {file}\n", "| file | shows |", "| --- | --- |"]
        for entry in sorted(entry for entry in os.listdir(file) if not entry.startswith(".")):
            link = os.path.relpath(self.place_of(f"{file}/{entry}"), os.path.dirname(place))
            rows.append(f"| [{entry}]({link}) | {first_remark(f'{file}/{entry}')} |")
        return "\n".join(rows) + "\n"

    def file_page(self, file):
        text = Path(file).read_text().rstrip("\n")
        fence = "`" * (3 + max((len(ticks) for ticks in re.findall("`+", text)), default=0))
        language = LANGUAGES.get(Path(file).suffix, "cmake" if file.endswith("CMakeLists.txt") else "text")
        drawing = f"{os.path.basename(file)}.svg"
        picture = f"[![Drawing of {file}]({drawing})]({drawing})\n\n"
        has_picture = (self.folder / "source" / f"{file}.svg").exists()
        return f"# {file}\n\n{picture if has_picture else ''}{fence}{language}\n{text}\n{fence}\n"


if __name__ == "__main__":
    Stage(Path(sys.argv[1]), sys.argv[2]).run()
