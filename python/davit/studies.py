"""Sweeps, optimisation and fits."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _html
from .errors import InputError
from .results import Result
from .simulation import Simulation, Value, _text_of

Source = Union[str, os.PathLike, Simulation, Any]
#: An expression of measures such as "max(load.x)" (docs/analysis.md), or a function of the Result of a run.
Measure = Union[str, Callable[[Result], float]]


class Table(Mapping):
    """A row for each case, by column: arrays of float64 in SI, of texts lists.

    Columns: "case" (whole numbers from 1), the varied paths, the measures, "status" ("done" or "failed"), "message", "wall_s". A case that
    failed has NaN.
    """

    __slots__ = ("_columns", "_units")

    def __init__(self, table: Dict[str, Any]):
        self._columns = dict(table["columns"])
        self._columns["case"] = np.asarray(self._columns["case"]).astype(np.int64)
        self._units: Dict[str, str] = table["units"]

    def __getitem__(self, name: str):
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns."""
        return len(self._columns)

    @property
    def units(self) -> Dict[str, str]:
        """Of varied paths and measures: the SI unit; empty without dimension."""
        return self._units

    def rows(self) -> List[Dict[str, Any]]:
        """A dictionary for each case."""
        return [dict(zip(self._columns, row)) for row in zip(*self._columns.values())]

    def to_pandas(self):
        """A pandas.DataFrame; ``attrs["units"]`` has the units. Needs pandas."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("to_pandas needs pandas; install python3-pandas") from missing
        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        return f"<davit.Table: {len(self._columns['case'])} cases, {', '.join(self)}>"

    def _repr_html_(self) -> str:
        heads = [f"{name} [{self.units[name]}]" if self.units.get(name) else name for name in self]
        return _html.table(f"{len(self._columns['case'])} cases", heads, [row.values() for row in self.rows()])

    def _ipython_key_completions_(self) -> List[str]:
        return list(self)


def _system(source: Source, options: Dict[str, Any]) -> Simulation:
    """A system that has not run. Of a Simulation: the same one as it was loaded."""
    if not isinstance(source, Simulation):
        return Simulation(source, **options)
    if any(value for value in options.values()):
        raise InputError("options: the system is loaded already; give them to davit.load, or name its file here")
    return source._fresh()


def _varied(vary: Mapping[str, Any], bounds: bool = False) -> List[str]:
    texts = []
    for path, values in vary.items():
        if isinstance(values, str):
            texts.append(f"{path}={values}")
        elif bounds:
            low, high = values
            texts.append(f"{path}={_text_of(low)}:{_text_of(high)}")
        else:
            texts.append(f"{path}=" + ",".join(_text_of(value) for value in values))
    return texts


def _split(measures: Optional[Mapping[str, Measure]]) -> Tuple[List[Tuple[str, str]], Dict[str, Callable]]:
    texts = [(name, one) for name, one in (measures or {}).items() if isinstance(one, str)]
    functions = {name: one for name, one in (measures or {}).items() if not isinstance(one, str)}
    return texts, functions


def _judge(functions: Sequence[Callable[[Result], float]]) -> Optional[Callable]:
    if not functions:
        return None
    return lambda core: [float(function(Result(core))) for function in functions]


def _globs(signals: Union[None, str, Iterable[str]]) -> List[str]:
    return [signals] if isinstance(signals, str) else list(signals or [])


def sweep(source: Source, vary: Union[Mapping[str, Union[str, Sequence[Value]]], str, os.PathLike],
          measure: Mapping[str, Measure], *, signals: Union[None, str, Iterable[str]] = None, samples: Optional[int] = None,
          sampling: str = "lhs", seed: int = 1, jobs: int = 0, **options) -> Table:
    """Runs a system for many values, as ``davit sweep`` does.

    `vary`: by path a list of values, or a text as on the command line: "5 t:1 t:15 t", with `samples` "normal(10 t, 1 t)".
    Several give all combinations. Or a .csv file with the cases: paths in its first line. `measure`: by name an expression, or a function that gets the Result of a case, with
    `signals` (paths and globs; without them those of ``<Record>``) at each step. `jobs`: cases at a time; 0: as many as
    the machine has processors; functions run one at a time. Other options are those of load().

    Raises InputError, and what a function raises.
    """
    texts, functions = _split(measure)
    if not vary or not measure:
        raise InputError("nothing is varied or measured; give for example vary={'load.mass': ['5 t', '10 t']}, "
                         "measure={'top': 'max(load.x)'}")
    file = os.fspath(vary) if isinstance(vary, (str, os.PathLike)) else None
    return Table(_core.sweep(_system(source, options), [] if file else _varied(vary), texts, list(functions),
                             _judge(list(functions.values())), _globs(signals), file, samples, sampling, seed, jobs))


@dataclass(frozen=True)
class Optimum:
    """What optimize() has found."""

    values: Dict[str, Value]  #: by path, in SI, of a choice its name; empty with several objectives
    objective: float  #: its best value, in SI
    is_converged: bool  #: to a point where all constraints hold; else the budget was used up, or none was found
    is_feasible: bool  #: whether all constraints hold
    at_bound: List[str]  #: paths that are at a bound: the optimum may be beyond
    front: List[int]  #: with several objectives: the cases that no other one beats in all of them; else the best case
    table: Table = field(repr=False)  #: all cases


def optimize(source: Source, vary: Mapping[str, Union[str, Tuple[Value, Value]]], *,
             minimize: Union[None, Measure, Sequence[Measure]] = None,
             maximize: Union[None, Measure, Sequence[Measure]] = None, subject_to: Union[str, Iterable[str]] = (),
             measure: Optional[Mapping[str, str]] = None, signals: Union[None, str, Iterable[str]] = None,
             method: str = "auto", budget: int = 500, tolerance: float = 1e-4, seed: int = 1, jobs: int = 0,
             **options) -> Optimum:
    """Searches values for which an objective is smallest, as ``davit optimize`` does.

    `vary`: by path two bounds, or "LOW:HIGH", "LOW:HIGH log", or a choice, "Ideal,Standard". `minimize`, `maximize`: an expression of measures, or a
    function that gets the Result of a case with `signals` and returns a number; several give the front between them
    (Pareto), all of them expressions or all functions. `subject_to`: "max(cylinder.p_a) <= 250 bar". Other options are
    those of load().

    Raises InputError, and what a function raises.
    """
    def listed(goals):
        return [] if goals is None else [goals] if isinstance(goals, str) or callable(goals) else list(goals)

    goals = [(goal, 1.0) for goal in listed(minimize)] + [(goal, -1.0) for goal in listed(maximize)]
    if not vary or not goals:
        raise InputError("nothing is varied or minimised; give for example vary={'controller.gain': '1:100 log'}, "
                         "minimize='rms(error.y)'")
    texts = [goal for goal, _ in goals if isinstance(goal, str)]
    functions = [goal for goal, _ in goals if not isinstance(goal, str)]
    if texts and functions:
        raise InputError("minimize: objectives are all expressions or all functions; write the expressions as functions")
    found = _core.optimize(_system(source, options), _varied(vary, bounds=True), list((measure or {}).items()), texts,
                           [sign for _, sign in goals], [subject_to] if isinstance(subject_to, str) else list(subject_to),
                           _judge(functions), _globs(signals), method, budget, tolerance, seed, jobs)
    table = Table(found["table"])
    if not found["best"]:
        raise RuntimeError("no case has given a value: " + "; ".join(sorted({text for text in table["message"] if text})))
    paths = list(vary)
    return Optimum(values=dict(zip(paths, found["values"])), objective=found["objective"],
                   is_converged=found["is_converged"], is_feasible=found["holds"],
                   at_bound=[path for path, bound in zip(paths, found["bounds"]) if bound], front=found["best"],
                   table=table)


@dataclass(frozen=True)
class Fit:
    """What fit() has found. Arrays are in the order of `names`, in SI."""

    names: List[str]  #: the varied paths; last "time offset" where it was searched
    units: List[str]
    values: np.ndarray
    errors: np.ndarray  #: standard errors; NaN where the data do not determine a value
    correlation: np.ndarray  #: a matrix
    rms: float  #: of the residuals
    is_converged: bool
    runs: int
    ambiguities: List[List[str]]  #: those that the data do not tell apart
    at_bound: List[str]

    def __getitem__(self, name: str) -> float:
        """The value of a path."""
        return float(self.values[self.names.index(name)])


def fit(source: Source, vary: Mapping[str, Union[str, Tuple[Value, Value]]],
        data: Union[Result, Mapping[str, Tuple[Sequence[float], Sequence[float]]]], *,
        match: Optional[Mapping[str, str]] = None, weight: Optional[Mapping[str, float]] = None,
        offset: Optional[Tuple[float, float]] = None, rounds: int = 50, jobs: int = 0, **options) -> Fit:
    """Searches values for which signals follow measured ones, as ``davit fit`` does: least squares.

    `vary`: as for optimize(). `data`: by path of a signal (times [s], values [SI]); or a Result, such as read() gives,
    with `match`: by path its column. Values that are not finite are left out. `weight`: of residuals, by path. `offset`:
    bounds of the time [s] by which the data are late, which is searched, too. Other options are those of load().

    Raises InputError.
    """
    if isinstance(data, Result):
        if not match:
            raise InputError("match: nothing is matched; give for example match={'load.x': 'x_measured'}")
        data = {path: (data.time, data[column]) for path, column in match.items()}
    if not vary or not data:
        raise InputError("nothing is varied or matched; give for example vary={'load.mass': ('5 t', '20 t')}, "
                         "data={'load.x': (t, x)}")
    rows = []
    for path, (time, values) in data.items():
        time, values = np.asarray(time, dtype=float), np.asarray(values, dtype=float)
        if time.shape != values.shape or time.ndim != 1:
            raise InputError(f"data: {path}: {time.shape} times and {values.shape} values; give one value for each time")
        good = np.isfinite(time) & np.isfinite(values)
        time, values = time[good], values[good]
        if not len(time) or np.any(np.diff(time) < 0):
            raise InputError(f"data: {path}: times must rise, and there must be values")
        scale = float((weight or {}).get(path, 1))
        if not scale > 0:
            raise InputError(f"weight: {path}: {scale:g} is no weight; give a number above 0")
        rows.append((path, time, values, scale))
    found = _core.fit(_system(source, options), _varied(vary, bounds=True), rows, offset, rounds, jobs)
    bounds = found.pop("bounds")
    return Fit(at_bound=[name for name, bound in zip(found["names"], bounds) if bound], **found)
