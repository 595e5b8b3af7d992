"""Writes the types of davit._core for editors and type checkers: make_stubs.py FILE.pyi, beside the module.

What users see is written in Python with its types and docstrings; these are of the compiled part below it. It is imported
without the package, which needs numpy.
"""

import importlib
import inspect
import pathlib
import types
import re
import sys


def signature_of(function, is_method):
    """The first line of the docstring that pybind11 writes, where Python can read it."""
    line = (function.__doc__ or "").splitlines()[:1]
    match = re.fullmatch(r"\w+(\(.*\)) -> (.+)", line[0]) if line else None
    if match is None or "Overloaded function" in (function.__doc__ or ""):
        return "(self, *args: Any, **kwargs: Any) -> Any" if is_method else "(*args: Any, **kwargs: Any) -> Any"
    arguments = re.sub(r"self: [\w.]+", "self", match[1])
    arguments = re.sub(r"(\w+): [^,()\[\]]*davit[\w.:]*", r"\1: Any", arguments)
    answer = match[2]
    text = f"{arguments} -> {answer}"
    text = re.sub(r"numpy\.ndarray\[[^\]]*\]", "numpy.ndarray", text)
    text = re.sub(r"davit\._core\.", "", text)
    return text if re.fullmatch(r"[\w\s.,:=\[\]()*>|'\"-]*", text) else "(self, *args: Any, **kwargs: Any) -> Any"


def text_of(function, indent, head=2):
    """The docstring without its `head`: the lines in which pybind11 writes the signature."""
    lines = (function.__doc__ or "").splitlines()[head:]
    text = " ".join(line.strip() for line in lines if line.strip())
    return f'\n{indent}    """{text}"""\n{indent}    ...' if text else " ..."


def members_of(cls):
    for name, one in sorted(vars(cls).items()):
        if isinstance(one, property):
            answer = re.match(r"\(.*\) -> (float|bool|int|str|list|dict|List\[\w+\])$", one.fget.__doc__ or "", re.MULTILINE)
            yield f"    @property\n    def {name}(self) -> {answer[1] if answer else 'Any'}:{text_of(one, '    ', 0)}"
        elif isinstance(one, staticmethod):
            yield f"    @staticmethod\n    def {name}(*args: Any, **kwargs: Any) -> Any: ..."
        elif callable(one) and (not name.startswith("__") or name in ("__init__", "__len__")):
            yield f"    def {name}{signature_of(one, True)}:{text_of(one, '    ')}"


def main(file):
    package = types.ModuleType("davit")
    package.__path__ = [str(pathlib.Path(file).parent)]
    sys.modules["davit"] = package
    _core = importlib.import_module("davit._core")
    lines = ['"""Made by make_stubs.py."""', "from typing import Any, Dict, List, Optional, Tuple", "", "import numpy", ""]
    for name, one in sorted(vars(_core).items()):
        if name.startswith("__"):
            continue
        if inspect.isclass(one):
            text = [f'    """{" ".join(one.__doc__.split())}"""'] if one.__doc__ else []
            lines += ["", f"class {name}:", *text] + (list(members_of(one)) or ["    ..."])
        elif callable(one):
            lines.append(f"def {name}(*args: Any, **kwargs: Any) -> Any: ...")
        else:
            lines.append(f"{name}: {type(one).__name__}")
    text = "\n".join(lines) + "\n"
    compile(text, file, "exec")
    pathlib.Path(file).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
