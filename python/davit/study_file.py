"""Files with studies."""

import os
import pathlib
from typing import Any, Callable, Dict, List, Union

from . import _core
from .errors import InputError
from .results import read
from .sensitivity import Sensitivity, SobolIndices, sensitivity, sobol
from .simulation import si
from .studies import Fit, Optimum, Table, fit, optimize, sweep

Study = Union[Table, Optimum, Fit, Sensitivity, SobolIndices]

#: What every study has, and what says which files the program writes.
_SHARED = {"system", "stop", "steady", "output", "plot", "curves", "keep", "signals", "interval", "Set", "Level", "At"}


class _Element:
    """An element of the file; what it has and davit.study does not know is refused."""

    def __init__(self, element: Dict[str, Any], folder: pathlib.Path, known: str):
        self._element, self._folder = element, folder
        has = [*element["attributes"], *(child["name"] for child in element["children"])]
        for name in has:
            if name not in {*_SHARED, *known.split()}:
                self._fail(f"davit.study does not know {name}; run davit study")

    def _fail(self, text: str) -> None:
        place = f"{self._element['file']}:{self._element['line']}"
        raise InputError(f"{place}: error: <{self._element['name']}>: {text}")

    def get(self, **of: Callable[[str], Any]) -> Dict[str, Any]:
        """Those of the attributes that are given, converted."""
        values = {}
        for name, convert in of.items():
            if name in self._element["attributes"]:
                try:
                    values[name] = convert(self._element["attributes"][name])
                except ValueError as wrong:
                    self._fail(f"{name}: {wrong}")
        return values

    def children(self, name: str) -> List[Dict[str, str]]:
        """The attributes of the children of that name."""
        return [child["attributes"] for child in self._element["children"] if child["name"] == name]

    def pairs(self, name: str, key: str, value: str) -> Dict[str, str]:
        """Two attributes of each child of that name."""
        return {child[key]: child[value] for child in self.children(name)}

    def path(self, name: str) -> str:
        """A file, looked up beside the study."""
        return os.fspath(self._folder / self._element["attributes"][name])

    def options(self) -> Dict[str, Any]:
        """Those of load()."""
        at: Dict[Any, Dict[str, Any]] = {}
        for child in self.children("At"):
            at.setdefault(child["time"], {})[child["path"]] = child["value"]
        return {"set": self.pairs("Set", "path", "value"), "level": self.pairs("Level", "path", "level"), "at": at,
                **self.get(stop=str, steady=_condition)}


def _condition(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"{text!r} is wrong; use true or false")
    return text == "true"


def _sweep(element: Dict[str, Any], folder: pathlib.Path, jobs: int) -> Study:
    one = _Element(element, folder, "cases samples sampling seed Vary Measure")
    vary = one.path("cases") if "cases" in element["attributes"] else one.pairs("Vary", "path", "values")
    return sweep(one.path("system"), vary, one.pairs("Measure", "name", "expr"), jobs=jobs,
                 **one.get(samples=int, sampling=str, seed=int), **one.options())


def _optimize(element: Dict[str, Any], folder: pathlib.Path, jobs: int) -> Study:
    one = _Element(element, folder, "method budget tolerance seed Vary Measure Minimize Maximize SubjectTo")
    return optimize(one.path("system"), one.pairs("Vary", "path", "values"), jobs=jobs,
                    minimize=[child["expr"] for child in one.children("Minimize")],
                    maximize=[child["expr"] for child in one.children("Maximize")],
                    subject_to=[child["constraint"] for child in one.children("SubjectTo")],
                    measure=one.pairs("Measure", "name", "expr"),
                    **one.get(method=str, budget=int, tolerance=float, seed=int), **one.options())


def _bounds(text: str) -> tuple:
    low, high = (si(part, "s") for part in text.split(":"))
    return low, high


def _fit(element: Dict[str, Any], folder: pathlib.Path, jobs: int) -> Study:
    one = _Element(element, folder, "data offset rounds Vary Match")
    weights = {child["path"]: float(child["weight"]) for child in one.children("Match") if "weight" in child}
    return fit(one.path("system"), one.pairs("Vary", "path", "values"), read(one.path("data")), jobs=jobs,
               match=one.pairs("Match", "path", "column"), weight=weights, **one.get(offset=_bounds, rounds=int),
               **one.options())


def _sensitivity(element: Dict[str, Any], folder: pathlib.Path, jobs: int) -> Study:
    one = _Element(element, folder, "method step sobol seed Of To")
    of: Any = [child["expr"] for child in one.children("Of")]
    if all("name" in child for child in one.children("Of")):
        of = one.pairs("Of", "name", "expr")
    given = one.get(method=str, step=float, sobol=int, seed=int)
    if "sobol" in given:
        return sobol(one.path("system"), of, one.pairs("To", "path", "values"), samples=given["sobol"],
                     seed=given.get("seed", 1), jobs=jobs, **one.options())
    given.pop("seed", None)
    return sensitivity(one.path("system"), of, [child["path"] for child in one.children("To")], jobs=jobs, **given,
                       **one.options())


def study(file: Union[str, os.PathLike], *, jobs: int = 0) -> List[Study]:
    """Runs the studies of a file in their order, as ``davit study`` does, and returns what each has found: a Table, an
    Optimum, a Fit, a Sensitivity or SobolIndices. Tables and pictures that the file names are left to the program.

    Raises InputError, and what the studies raise.
    """
    runs = {"Sweep": _sweep, "Optimize": _optimize, "Fit": _fit, "Sensitivity": _sensitivity}
    folder = pathlib.Path(file).parent
    return [runs[one["name"]](one, folder, jobs) for one in _core.load_studies(os.fspath(file))]
