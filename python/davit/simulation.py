"""Systems that are loaded and run."""

import fnmatch
import os
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _core
from .errors import InputError, InputWarning, StateError
from .plugins import names_plugins, offer_symbols, paths_of
from .results import Event, Result
from .tree import Components

Value = Union[str, float, int, bool]
Seconds = Union[str, float, int]


def _text_of(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(float(value))


def _settings(values: Optional[Mapping[str, Value]]) -> List[str]:
    return [f"{path}={_text_of(value)}" for path, value in (values or {}).items()]


def _commands(at: Optional[Mapping[Seconds, Mapping[str, Value]]]) -> List[str]:
    return [f"{_text_of(time)}:{setting}" for time, values in (at or {}).items() for setting in _settings(values)]


class Simulation(_core.System):
    """A system that is loaded, checked and run.

    ``load()`` makes one. Then: ``initialize()`` and any number of ``step()``, or ``run()``. Numbers are in SI, texts may
    have units. One thread at a time uses a simulation; two simulations may be used by two threads, which compute at the
    same time. A simulation does not survive a fork: ForkError.
    """

    def __init__(self, source: Union[str, os.PathLike, "Any"], *, level: Optional[Mapping[str, str]] = None,
                 set: Optional[Mapping[str, Value]] = None, at: Optional[Mapping[Seconds, Mapping[str, Value]]] = None,
                 stop: Optional[Seconds] = None, threads: int = 1, steady: bool = False, log: str = "detail",
                 plugins: Iterable[Union[str, os.PathLike]] = (), schedule: Union[None, str, os.PathLike] = None,
                 level_chart: Union[None, str, os.PathLike] = None):
        super().__init__()
        if log not in ("detail", "info"):
            raise InputError(f"log: {log!r} is not a kind of log; give 'detail' or 'info'")
        settings = _settings(set)
        if stop is not None:
            settings.append("SimulatorManager.StopTime=" + _text_of(stop))
        text = source.to_xml() if hasattr(source, "to_xml") else None
        file = getattr(source, "name", "") if text is not None else os.fspath(source)
        self._arguments = dict(file=file, text=text, set=settings, level=_settings(level), at=_commands(at),
                               threads=threads, steady=steady, detail=log == "detail",
                               plugins=paths_of(plugins), named_in="",
                               schedule=None if schedule is None else os.fspath(schedule),
                               level_chart=None if level_chart is None else os.fspath(level_chart))
        if text is None and names_plugins(file):
            self._arguments["named_in"] = file
            offer_symbols()
        self._load(**self._arguments)
        for warning in self._warnings:
            warnings.warn(warning, InputWarning, stacklevel=3)

    # ---- running ---------------------------------------------------------------------------------

    def run(self, until: Optional[Seconds] = None, *, signals: Union[None, str, Iterable[str]] = None,
            interval: Optional[Seconds] = None, output: Union[None, str, os.PathLike, Iterable] = None,
            realtime: Optional[float] = None) -> Result:
        """Runs to the time `until`, or to stop_time, and returns the curves.

        A run that is under way continues, so that stepping to T and ``run(until=T)`` give the same bits; otherwise a new
        one begins at the start values. `signals` are paths and globs, `interval` is the time between rows (0: each step);
        without them those of ``<Record>``. `output` names .csv, .mat and .h5 files that get the rows, too. `realtime` is
        simulated seconds per second; without it as fast as possible.

        Raises InputError; SimulationError if the run cannot continue; KeyboardInterrupt with Ctrl-C, at the next
        communication point. The rows until then are in ``result``.
        """
        if realtime is not None and until is not None:
            raise InputError("realtime: it goes to stop_time; leave out until, or load with stop=...")
        names = [signals] if isinstance(signals, str) else list(signals or [])
        files = [output] if isinstance(output, (str, os.PathLike)) else list(output or [])
        self._run(until, names, interval, [os.fspath(file) for file in files], realtime)
        return Result(self._result)

    @property
    def result(self) -> Optional[Result]:
        """The curves of the last run(), also of one that failed or was interrupted; None before."""
        return None if self._result is None else Result(self._result)

    # ---- values ----------------------------------------------------------------------------------

    def __getitem__(self, path: str) -> Value:
        """The present value of an item: a number in SI, of a choice such as a level its name."""
        return self._get(path)

    def __setitem__(self, path: str, value: Value) -> None:
        """Writes a number in SI, or a text with unit or the name of an option. It takes effect immediately; levels
        and options from the next communication point on. Raises InputError for items that are structural or fed by a route."""
        self._set(path, value)

    def _ipython_key_completions_(self) -> List[str]:
        return _core.item_paths(self)

    def text(self, path: str) -> str:
        """The present value as a text that can be written: "5000 kg", "Advanced"."""
        return self._text(path)

    def level(self, path: str, level: Optional[str] = None) -> Optional[str]:
        """The level of a component; with `level` sets it, also of all that match a glob. Globs pass over components
        without levels. Raises InputError if nothing matches."""
        if level is None:
            return self[path + ".level"]
        if not any(sign in path for sign in "*?"):
            self[path + ".level"] = level
            return None
        found = [one for one in self.components.values() if one.levels and fnmatch.fnmatchcase(one.path, path)]
        if not found:
            raise InputError(f"level: {path!r} matches no component with levels")
        for one in found:
            self[one.path + ".level"] = level
        return None

    def send(self, path: str, name: str) -> None:
        """Sends a message to a component, or an event to a statechart; it arrives at the next communication point."""
        self._send(path, name)

    def event(self, name: str) -> None:
        """Sends an event to all statecharts; it arrives at the next communication point."""
        self._event(name)

    @property
    def components(self) -> Components:
        """The components by their paths."""
        return Components(self)

    @property
    def log(self) -> List[Tuple[float, str, str]]:
        """The run log: (time, path, text). The latest 200,000 lines are kept."""
        return [(time, path, text) for time, path, text, _, _ in self._log()]

    @property
    def events(self) -> List[Event]:
        """The same with kind and severity."""
        return [Event(*event) for event in self._log()]

    # ---- copies ----------------------------------------------------------------------------------

    def clone(self) -> "Simulation":
        """Another simulation that continues from here bit for bit; a method with a long history (ida, bulirsch_stoer,
        adams_bashforth_moulton) restarts in both. The system is loaded again."""
        copy = _empty(self._arguments)
        copy._copy(self)
        return copy

    def _fresh(self) -> "Simulation":
        """The same system as it was loaded."""
        return _restore(self._arguments, None)

    def __copy__(self) -> "Simulation":
        return self.clone()

    def __deepcopy__(self, memo) -> "Simulation":
        return self.clone()

    def __reduce__(self):
        return (_restore, (self._arguments, self.save_state() if self.is_initialized else None))

    def __repr__(self) -> str:
        try:
            of = f"<davit.Simulation of {self._arguments['file'] or 'a system built in Python'}"
        except AttributeError:
            return "<davit.Simulation that was not loaded>"
        try:
            return f"{of} at {self.time:g} s>"
        except StateError as told:
            return f"{of}: {told}>"


def _empty(arguments: Dict[str, Any]) -> Simulation:
    simulation = Simulation.__new__(Simulation)
    _core.System.__init__(simulation)
    simulation._arguments = arguments
    return simulation


def _restore(arguments: Dict[str, Any], snapshot: Optional[bytes]) -> Simulation:
    simulation = _empty(arguments)
    if arguments["plugins"] or arguments["named_in"]:
        offer_symbols()
    simulation._load(**arguments)
    if snapshot is not None:
        simulation.load_state(snapshot)
    return simulation


def load(source: Union[str, os.PathLike, "Any"], *, level: Optional[Mapping[str, str]] = None,
         set: Optional[Mapping[str, Value]] = None, at: Optional[Mapping[Seconds, Mapping[str, Value]]] = None,
         stop: Optional[Seconds] = None, threads: int = 1, steady: bool = False, log: str = "detail",
         plugins: Iterable[Union[str, os.PathLike]] = (), schedule: Union[None, str, os.PathLike] = None,
         level_chart: Union[None, str, os.PathLike] = None) -> Simulation:
    """Loads a system file, a davit.System or a davit.SystemText, and checks it.

    `level`: by glob, ``{"*": "Standard"}``. `set`: values by path; a number is in SI, a text may have a unit. `at`: the
    same by time, ``{"3 s": {"pump.speed": 0}}``. `stop`: the end of the run. `threads`: most that share a step; results
    do not depend on it. `steady`: begins at the steady state. `log`: "info" leaves out modes and events of equations.
    `plugins`: libraries with further models. `schedule`, `level_chart`: a file of ``davit levels`` that chooses the
    levels in place of the system.

    Raises InputError with all errors; warns with InputWarning.
    """
    return Simulation(source, level=level, set=set, at=at, stop=stop, threads=threads, steady=steady, log=log,
                      plugins=plugins, schedule=schedule, level_chart=level_chart)


def si(text: str, unit: Optional[str] = None) -> float:
    """The value of a text such as "8 t" in SI. With `unit` it must have that dimension. Raises InputError."""
    return _core.quantity(text, unit)
