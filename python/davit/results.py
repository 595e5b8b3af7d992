"""Curves of a run."""

import fnmatch
import os
from collections.abc import Mapping
from typing import Dict, Iterator, List, NamedTuple, Union

import numpy as np

from . import _core, _html


class Event(NamedTuple):
    """A line of the run log."""

    time: float  #: simulated [s]
    path: str  #: of the component, as "/crane/boom"; may be empty
    text: str
    kind: str  #: level, mode, transition, alarm, message or note
    severity: str  #: detail, info, warning or error


class Result(Mapping):
    """The curves of a run, by the paths of their signals: ``result["load.x"]``.

    Arrays are of float64, one value for each time, in SI. They share the memory of the result and cannot be written;
    copy one to change it. Two rows at one time are the values before and after an event or a switch. A result can be
    pickled, so process pools can return one.
    """

    __slots__ = ("_core",)

    def __init__(self, core: "_core.Result"):
        self._core = core

    def __getitem__(self, name: str) -> np.ndarray:
        """A signal; "time" is the time. Raises KeyError."""
        return self._core.time if name == "time" else self._core.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.names)

    def __len__(self) -> int:
        return len(self._core)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._core.has(name)

    def __repr__(self) -> str:
        time = self.time
        span = f"{time[0]:g} s to {time[-1]:g} s" if len(time) else "no rows"
        return f"<davit.Result: {len(self)} signals, {len(time)} rows, {span}>"

    def _repr_html_(self) -> str:
        units, texts = self.units, self.texts
        rows = [(name, units[name] or "1", *((float(y.min()), float(y.max()), float(y[-1])) if len(y) else ("", "", "")),
                 texts[name]) for name, y in self.items()]
        return _html.table(repr(self).strip("<>"), ("signal", "unit", "lowest", "highest", "last", "meaning"), rows)

    def _ipython_key_completions_(self) -> List[str]:
        return [*self, "time"]

    @property
    def time(self) -> np.ndarray:
        """Seconds, never falling."""
        return self._core.time

    @property
    def units(self) -> Dict[str, str]:
        """By signal: the SI unit; empty without dimension."""
        return self._core.units

    @property
    def texts(self) -> Dict[str, str]:
        """By signal: what it is."""
        return self._core.texts

    @property
    def options(self) -> Dict[str, List[str]]:
        """The names of the values 0, 1, 2 ... of levels, aspects and modes."""
        return {name: names for name, names in self._core.options.items() if names}

    @property
    def events(self) -> List[Event]:
        """Switches of levels, changes of modes, transitions of charts, alarms and messages of this run."""
        return [Event(*event) for event in self._core.events]

    def select(self, *globs: str) -> List[str]:
        """The signals that match names or globs such as "cylinder.p_*". Raises KeyError for one that matches none."""
        names = list(self)
        chosen: List[str] = []
        for glob in globs or ("*",):
            if not any(sign in glob for sign in "*?"):
                self[glob]  # says what is near
            found = [name for name in names if fnmatch.fnmatchcase(name, glob)]
            if not found:
                raise KeyError(f"no signal matches {glob!r}")
            chosen += [name for name in found if name not in chosen]
        return chosen

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes a .csv, .mat or .h5 file, as ``davit run -o`` does. Raises InputError and OSError."""
        self._core.save(os.fspath(file))

    def to_pandas(self):
        """A pandas.DataFrame with a column for each signal and the time as index; it copies. ``attrs["units"]`` has the
        units. Needs pandas."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("to_pandas needs pandas; install python3-pandas") from missing
        frame = pandas.DataFrame(dict(self), index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = self.units
        return frame

    def plot(self, *globs: str, ax=None):
        """Draws signals by names and globs over the time: axes below each other, one for each unit. Needs matplotlib.

        With `ax` all go there. Returns the axes.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as missing:
            raise ImportError("plot needs matplotlib; install python3-matplotlib, or save() a file and draw it with "
                              "davit plot") from missing
        units = self.units
        groups: Dict[str, List[str]] = {}
        for name in self.select(*globs):
            groups.setdefault(units[name], []).append(name)
        if ax is None:
            _, axes = plt.subplots(len(groups), 1, sharex=True, squeeze=False)
            axes = list(axes[:, 0])
        else:
            axes = [ax] * len(groups)
        for one, (unit, names) in zip(axes, groups.items()):
            for name in names:
                one.plot(self.time, self[name], label=name)
            one.set_ylabel(unit or "1")
            one.legend()
        axes[-1].set_xlabel("time [s]")
        return axes if ax is None else ax


def read(file: Union[str, os.PathLike]) -> Result:
    """Reads a result: .csv (also of other programs), .mat in the layout of Dymola, .h5. Raises InputError."""
    return Result(_core.Result.read(os.fspath(file)))
