"""Sweeps, optimisation and fits."""

import inspect
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _html
from .errors import InputError
from .results import Result, read
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
        """The SI units of varied paths and measures; empty without dimension."""
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


_OF_LOAD = set(inspect.signature(Simulation.__init__).parameters)
_TYPES = (str, Union[str, os.PathLike], bool, int, float, str)  #: by StudyOption::Kind


def with_options_of(kind: str) -> Callable:
    """A function with `**options` gets those of the study `kind` in its signature and docstring: the declaration that the
    command line reads, too."""
    def declare(function: Callable) -> Callable:
        signature = inspect.signature(function)
        given = {name: one for name, one in signature.parameters.items() if one.kind != one.VAR_KEYWORD}
        lines = []
        for option in _core.study_options(kind):
            name, of = option["name"], _TYPES[option["kind"]]
            if name in _OF_LOAD:
                continue
            default = of(option["default"]) if option["kind"] in (3, 4, 5) and option["default"] else None
            default = False if of is bool else default
            lines.append(f"    {name}: {option['form']}. {option['text']}." if option["form"] else f"    {name}: {option['text']}.")
            if name not in given:
                of = Sequence[of] if option["is_repeated"] else of
                given[name] = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default,
                                                annotation=of if default is not None else Optional[of])
        rest = [one for one in signature.parameters.values() if one.kind == one.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=[*given.values(), *rest])
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__), "", "Options of the study:", "", *lines])
        return function
    return declare


def _texts(value: Any) -> List[str]:
    """The texts that a command line would have for the values of an option."""
    if isinstance(value, Mapping):
        return [f"{path}={one if isinstance(one, str) else ','.join(_text_of(part) for part in one)}"
                for path, one in value.items()]
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (int, np.integer)):
        return [str(value)]
    if isinstance(value, float):
        return [repr(float(value))]
    return [text for one in value for text in _texts(one)]


def _study(kind: str, source: Source, options: Dict[str, Any], **values: Any) -> Tuple[Any, Simulation]:
    """A study with all its options, and its system."""
    names = {option["name"] for option in _core.study_options(kind)} - _OF_LOAD
    own = {name: options[name] for name in options if name in names}
    system = _system(source, {name: value for name, value in options.items() if name not in names})
    study = _core.Study(kind, system)
    for name, value in {**values, **own}.items():
        # jobs=0 means as many as the machine has.
        if value is not None and value is not False and not (name == "jobs" and value == 0):
            for text in _texts(value):
                study.store(name, text)
    return study, system


def _bounds(vary: Mapping[str, Any]) -> Dict[str, str]:
    return {path: values if isinstance(values, str) else ":".join(_text_of(value) for value in values)
            for path, values in vary.items()}


def _judge(study: Any, functions: Mapping[str, Callable[[Result], float]], signals: Union[None, str, Iterable[str]],
           maxima: Sequence[bool] = ()) -> None:
    if functions:
        study.judge(lambda core: [float(function(Result(core))) for function in functions.values()], list(functions),
                    _globs(signals), list(maxima))


def _globs(signals: Union[None, str, Iterable[str]]) -> List[str]:
    return [signals] if isinstance(signals, str) else list(signals or [])


@with_options_of("sweep")
def sweep(source: Source, vary: Union[Mapping[str, Union[str, Sequence[Value]]], str, os.PathLike],
          measure: Mapping[str, Measure], *, signals: Union[None, str, Iterable[str]] = None, **options) -> Table:
    """Runs a system for many values, as ``davit sweep`` does.

    `vary`: by path a list of values, or a text as on the command line: "5 t:1 t:15 t", with `samples` "normal(10 t, 1 t)".
    Several give all combinations. Or a .csv file with the cases: paths in its first line. `measure`: by name an expression,
    or a function that gets the Result of a case, with `signals` (paths and globs; without them those of ``<Record>``) at each
    step. Functions run one at a time. Other options are those of load().

    Raises InputError, and what a function raises.
    """
    texts = {name: one for name, one in measure.items() if isinstance(one, str)}
    functions = {name: one for name, one in measure.items() if not isinstance(one, str)}
    if not isinstance(vary, Mapping):
        options, vary = {**options, "cases": vary}, {}
    study, system = _study("sweep", source, options, vary=vary, measure=texts,
                           signals=_globs(signals) if options.get("keep") else None)
    _judge(study, functions, signals)
    return Table(study.run(system)["table"])


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


@with_options_of("optimize")
def optimize(source: Source, vary: Mapping[str, Union[str, Tuple[Value, Value]]], *,
             minimize: Union[None, Measure, Sequence[Measure]] = None,
             maximize: Union[None, Measure, Sequence[Measure]] = None, subject_to: Union[str, Iterable[str]] = (),
             measure: Optional[Mapping[str, str]] = None, signals: Union[None, str, Iterable[str]] = None,
             **options) -> Optimum:
    """Searches values for which an objective is smallest, as ``davit optimize`` does.

    `vary`: by path two bounds, or "LOW:HIGH", "LOW:HIGH log", or a choice, "Ideal,Standard". `minimize`, `maximize`: an
    expression of measures, or a function that gets the Result of a case with `signals` and returns a number; several give the
    front between them (Pareto), all of them expressions or all functions. `subject_to`: "max(cylinder.p_a) <= 250 bar". Other
    options are those of load().

    Raises InputError, and what a function raises.
    """
    def listed(goals):
        return [] if goals is None else [goals] if isinstance(goals, str) or callable(goals) else list(goals)

    goals = [(goal, False) for goal in listed(minimize)] + [(goal, True) for goal in listed(maximize)]
    texts = [[goal for goal, is_maximum in goals if isinstance(goal, str) and is_maximum == kind] for kind in (False, True)]
    functions = [(goal, is_maximum) for goal, is_maximum in goals if not isinstance(goal, str)]
    if functions and len(functions) < len(goals):
        raise InputError("minimize: objectives are all expressions or all functions; write the expressions as functions")
    study, system = _study("optimize", source, options, vary=_bounds(vary), minimize=texts[0], maximize=texts[1],
                           subject_to=subject_to, measure=measure or {})
    names = [f"objective{i + 1}" if len(functions) > 1 else "objective" for i in range(len(functions))]
    _judge(study, dict(zip(names, (goal for goal, _ in functions))), signals, [is_maximum for _, is_maximum in functions])
    return _optimum(study.run(system))


def _optimum(found: Dict[str, Any]) -> Optimum:
    table, paths, bounds = Table(found.pop("table")), found.pop("paths"), found.pop("bounds")
    if not found["front"]:
        raise RuntimeError("no case has given a value: " + "; ".join(sorted({text for text in table["message"] if text})))
    found["values"] = dict(zip(paths, found["values"]))
    return Optimum(at_bound=[path for path, bound in zip(paths, bounds) if bound], table=table, **found)


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


Measured = Union[Result, str, os.PathLike, Mapping[str, Tuple[Sequence[float], Sequence[float]]]]


@with_options_of("fit")
def fit(source: Source, vary: Mapping[str, Union[str, Tuple[Value, Value]]], data: Union[Measured, Sequence[Measured]], *,
        match: Optional[Mapping[str, str]] = None, weight: Optional[Mapping[str, float]] = None,
        offset: Union[None, str, Tuple[Value, Value]] = None,
        per_data: Optional[Mapping[str, Union[str, Sequence[Value]]]] = None, **options) -> Fit:
    """Searches values for which signals follow measured ones, as ``davit fit`` does: least squares, or another `loss`.

    `vary`: as for optimize(). `data`: by path of a signal (times [s], values [SI]); or a Result, or a file that read()
    reads, with `match`: by path its column. A list has an experiment in each element, and `per_data` what differs between
    them: by path a value for each. Values that are not finite are ignored. `weight`: of residuals, by path. `offset`:
    bounds of the time by which the data are late, which is searched, too. Other options are those of load().

    Raises InputError.
    """
    experiments = [data] if isinstance(data, (Result, Mapping, str, os.PathLike)) else list(data)
    experiments = [read(one) if isinstance(one, (str, os.PathLike)) else one for one in experiments]
    if match is None:
        if any(isinstance(one, Result) for one in experiments):
            raise InputError("match: nothing is matched; give for example match={'load.x': 'x_measured'}")
        match = {path: path for one in experiments for path in one}
    matches = []
    for path, column in match.items():
        scale = float((weight or {}).get(path, 1))
        if not scale > 0:
            raise InputError(f"weight: {path}: {scale:g} is not a weight; give a number above 0")
        matches.append(f"{path}={column}:{scale!r}")
    bounds = offset if offset is None or isinstance(offset, str) else ":".join(_text_of(one) for one in offset)
    study, system = _study("fit", source, options, vary=_bounds(vary), match=matches, offset=bounds, per_data=per_data)
    for one in experiments:
        study.measured([_measured(one, column) for column in sorted(set(match.values())) if column in one])
    return _fit(study.run(system))


def _measured(data: Union[Result, Mapping], column: str) -> Tuple[str, np.ndarray, np.ndarray]:
    """The rows of a column that have a number."""
    time, values = (data.time, data[column]) if isinstance(data, Result) else data[column]
    time, values = np.asarray(time, dtype=float), np.asarray(values, dtype=float)
    if time.shape != values.shape or time.ndim != 1:
        raise InputError(f"data: {column}: {time.shape} times and {values.shape} values; give one value for each time")
    good = np.isfinite(time) & np.isfinite(values)
    if np.any(np.diff(time[good]) < 0):
        raise InputError(f"data: {column}: times must rise, and there must be values")
    return column, time[good], values[good]


def _fit(found: Dict[str, Any]) -> Fit:
    bounds = found.pop("bounds")
    return Fit(at_bound=[name for name, bound in zip(found["names"], bounds) if bound], **found)
