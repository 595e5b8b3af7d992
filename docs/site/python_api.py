"""Writes the reference of the Python module from its signatures and docstrings, without importing it.

    python_api.py FOLDER FILE.md      FOLDER has the package as it is built: with the stubs of its compiled part

Public is what __init__.py imports and what of it does not begin with `_`; a class has the members of its bases in the package.
What has no docstring is an error.
"""

import ast
import re
import sys
from pathlib import Path


def docstring_of(node):
    first, *rest = (ast.get_docstring(node, clean=False) or "").split("\n")
    indent = node.col_offset + 4 if hasattr(node, "col_offset") else 0
    return "\n".join([first.strip(), *(line[indent:].rstrip() for line in rest)]).strip()


def markdown(text):
    """A docstring as Markdown: examples are indented in it, and code is in double backticks."""
    lines, is_code = [], False
    for line in text.split("\n") + [""]:
        starts = line.startswith("    ") and (is_code or not lines or not lines[-1].strip())
        if starts and not is_code:
            lines += ["```python"]
        elif is_code and line.strip() and not line.startswith("    "):
            while not lines[-1]:
                lines.pop()
            lines += ["```", ""]
        is_code = starts or is_code and not line.strip()
        lines.append(line[4:] if is_code else re.sub(r"([<\[\]*|])", r"\\\1", line) if "`" not in line else line)
    if is_code:
        while not lines[-1]:
            lines.pop()
        lines.append("```")
    return "\n".join(lines).strip().replace("``", "`") if "```" not in "\n".join(lines) else re.sub(
        r"(?<!`)``(?!`)", "`", "\n".join(lines).strip())


def signature_of(function, name):
    """As it is called: without self, on several lines if it is long."""
    arguments = function.args
    is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    everything = [*arguments.posonlyargs, *arguments.args]
    skipped = everything[:1] if everything and everything[0].arg in ("self", "cls") and not is_static else []
    defaults = [None] * (len(everything) - len(arguments.defaults)) + arguments.defaults
    parts = []
    for argument, default in zip(everything, defaults):
        if argument not in skipped:
            parts.append(part_of(argument, default))
    if arguments.vararg:
        parts.append("*" + part_of(arguments.vararg, None))
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += [part_of(argument, default) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        parts.append("**" + part_of(arguments.kwarg, None))
    answer = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    line = f"{name}({', '.join(parts)}){answer}"
    return line if len(line) <= 100 else f"{name}(\n    " + ",\n    ".join(parts) + f"\n){answer}"


def part_of(argument, default):
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    if default is None:
        return text
    return f"{text} = {ast.unparse(default)}" if argument.annotation else f"{text}={ast.unparse(default)}"


def is_property(function):
    return any(isinstance(one, ast.Name) and one.id == "property" for one in function.decorator_list)


def is_setter(function):
    return any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in function.decorator_list)


class Package:
    def __init__(self, folder):
        files = sorted([*folder.glob("*.py"), *folder.glob("*.pyi")])
        self.modules = {file.stem: ast.parse(file.read_text()) for file in files}
        self.texts = {file.stem: file.read_text().split("\n") for file in files}
        self.missing = []

    def public(self):
        """(module, name) of what __init__ imports from its modules, in its order; last of the compiled part."""
        names = [(node.module, alias.name) for node in ast.walk(self.modules["__init__"])
                 if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module in self.modules
                 for alias in node.names if not (alias.asname or alias.name).startswith("_")]
        return sorted(names, key=lambda one: one[0] == "_core")

    def find(self, module, name):
        for node in self.modules[module].body:
            if getattr(node, "name", None) == name:
                return node
        return None

    def class_named(self, name, module):
        """The base class of that name: `_core.System`, or one of the module, or one that it imports."""
        place, _, plain = name.rpartition(".")
        places = [place] if place else [module, *self.modules]
        return next(((home, node) for home in places if home in self.modules for node in [self.find(home, plain)]
                     if isinstance(node, ast.ClassDef)), None)

    def members_of(self, module, cls):
        """(module, node) of functions and documented fields, those of the bases last."""
        own = [(module, node) for node in cls.body]
        for base in cls.bases:
            found = self.class_named(ast.unparse(base).split("[")[0], module)
            if found:
                own += self.members_of(*found)
        return own

    def text_of(self, node, name):
        text = docstring_of(node)
        if not text:
            self.missing.append(name)
        return markdown(text)

    def field(self, module, node):
        """`name: type  #: meaning` in the body of a class."""
        line = self.texts[module][node.end_lineno - 1]
        meaning = line.partition("#:")[2].strip()
        return f"| `{node.target.id}` | `{ast.unparse(node.annotation)}` | {meaning} |" if meaning else ""

    def class_section(self, module, cls):
        lines = [f"### {cls.name}", "", self.text_of(cls, cls.name), ""]
        fields, functions, seen = [], [], set()
        for home, node in self.members_of(module, cls):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id not in seen:
                fields.append(self.field(home, node))
                seen.add(node.target.id)
            if not isinstance(node, ast.FunctionDef) or is_setter(node) or node.name in seen:
                continue
            seen.add(node.name)
            if node.name == "__init__":
                lines += ["```python", signature_of(node, cls.name), "```", ""]
            elif is_property(node) and not node.name.startswith("_"):
                kind = ast.unparse(node.returns) if node.returns else ""
                text = " ".join(self.text_of(node, f"{cls.name}.{node.name}").split())
                fields.append(f"| `{node.name}` | `{kind}` | {text} |".replace("| `` |", "| |"))
            elif not node.name.startswith("_") and (home != "_core" or docstring_of(node)) or node.name in ("__getitem__", "__setitem__", "__call__") and docstring_of(node):
                functions += [f"#### {cls.name}.{node.name}", "", "```python", signature_of(node, node.name), "```", "",
                              self.text_of(node, f"{cls.name}.{node.name}"), ""]
        fields = [field for field in fields if field]
        if fields:
            lines += ["| attribute | type | meaning |", "| --- | --- | --- |", *fields, ""]
        return lines + functions

    def page(self):
        lines = ["# Python API", "", markdown(docstring_of(self.modules["__init__"])), "",
                 "Made from the docstrings of the module. Numbers are in SI; texts may have a unit. See [the guide](../python.md).", ""]
        module = None
        for home, name in self.public():
            node = self.find(home, name)
            if node is None:
                continue
            if home != module:
                title = "Compiled part" if home == "_core" else home.replace("_", " ").capitalize()
                lines += ["", f"## {title}", "", self.text_of(self.modules[home], home) if home != "_core" else "", ""]
                module = home
            if isinstance(node, ast.ClassDef):
                lines += self.class_section(home, node)
            elif isinstance(node, ast.FunctionDef):
                lines += [f"### {name}", "", "```python", signature_of(node, name), "```", "", self.text_of(node, name), ""]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


if __name__ == "__main__":
    package = Package(Path(sys.argv[1]))
    text = package.page()
    Path(sys.argv[2]).write_text(text)
    for name in package.missing:
        print(f"error: davit.{name} has no docstring", file=sys.stderr)
    sys.exit(1 if package.missing else 0)
