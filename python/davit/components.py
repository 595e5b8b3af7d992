"""Components written in Python."""

import importlib
import math
import pickle
import sys
import traceback
import weakref
from typing import Any, Dict, List, Sequence, Union


class _Declared:
    kind = ""

    def __init__(self, unit: str = "", text: str = "", value: float = 0.0, low: float = -math.inf, high: float = math.inf,
                 nominal: float = 1.0):
        self.unit, self.text, self.value, self.low, self.high, self.nominal = unit, text, value, low, high, nominal


class Parameter(_Declared):
    """A number that the user of the component chooses: ``gain = Parameter("1/s", "Gain", default=2)``."""

    kind = "parameter"

    def __init__(self, unit: str = "", text: str = "", default: float = 0.0, *, low: float = -math.inf,
                 high: float = math.inf):
        super().__init__(unit, text, default, low, high)


class Input(_Declared):
    """A signal that the component reads; `default` while no route writes it."""

    kind = "input"

    def __init__(self, unit: str = "", text: str = "", default: float = 0.0):
        super().__init__(unit, text, default)


class Output(_Declared):
    """A signal that the component writes: ``self.force = 3.0``."""

    kind = "output"

    def __init__(self, unit: str = "", text: str = ""):
        super().__init__(unit, text)


class State(_Declared):
    """A continuous state; `nominal` is a typical size, which absolute tolerances are multiples of."""

    kind = "state"

    def __init__(self, unit: str = "", text: str = "", start: float = 0.0, *, nominal: float = 1.0):
        super().__init__(unit, text, start, nominal=nominal)


_classes: "weakref.WeakValueDictionary[str, type]" = weakref.WeakValueDictionary()


class Component:
    """Base of components that are written in Python.

        class Lag(davit.Component):
            u = davit.Input("m")
            T = davit.Parameter("s", "Time constant", default=0.5, low=1e-6)
            x = davit.State("m")
            y = davit.Output("m")

            def derivatives(self, t):
                self.y = self.x
                return (self.u - self.x) / self.T

    Declared names are numbers in SI. ``derivatives(self, t)`` is called by each evaluation of the solver, with t in
    seconds: it writes the outputs, remembers nothing, and returns a derivative for each state: a number, a sequence in the
    order of their declaration, or a dictionary. ``step(self)`` is called at the beginning of each TimeStep, at
    ``self.time``: it may remember what it wants in attributes, which are part of snapshots (as a pickle: load only those
    that you trust). Others see its outputs one TimeStep later. ``__init__(self)`` is called at the beginning of each run.

    What it raises ends the run with SimulationError, which names the Python line.
    """

    time: float  #: of the communication point [s], in step()

    def __init_subclass__(cls, **arguments):
        super().__init_subclass__(**arguments)
        _classes[class_name(cls)] = cls


def class_name(cls: type) -> str:
    """How a system file names a class: "module:Class"."""
    return f"{cls.__module__}:{cls.__qualname__}"


def _find(name: str) -> type:
    if name in _classes:
        return _classes[name]
    module, colon, path = name.partition(":")
    if not colon:
        raise ValueError(f"{name!r} is not a class; write MODULE:CLASS")
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, Component)):
        raise TypeError(f"{name} is not a subclass of davit.Component")
    return found


def _items(cls: type) -> Dict[str, _Declared]:
    items: Dict[str, _Declared] = {}
    for base in reversed(cls.__mro__):
        for name, one in vars(base).items():
            if isinstance(one, _Declared):
                items[name] = one
            else:
                items.pop(name, None)
    return items


def _about(cls: type) -> Dict[str, Any]:
    items = _items(cls)
    for name in ("name", "level", "level_modified", "chart", "solver", "TimeStep", "class", "time", "step", "derivatives"):
        if name in items:
            raise TypeError(f"{cls.__qualname__}: no item can have the name {name!r}, which all components have")
    has_derivatives, has_step = hasattr(cls, "derivatives"), hasattr(cls, "step")
    if not has_derivatives and not has_step:
        raise TypeError(f"{cls.__qualname__} has neither derivatives(self, t) nor step(self)")
    if any(one.kind == "state" for one in items.values()) and not has_derivatives:
        raise TypeError(f"{cls.__qualname__} has states, but no derivatives(self, t)")
    return {"has_derivatives": has_derivatives, "has_step": has_step,
            "items": [{"kind": one.kind, "name": name, "unit": one.unit, "text": one.text, "value": float(one.value),
                       "low": float(one.low), "high": float(one.high), "nominal": float(one.nominal)}
                      for name, one in items.items()]}


def _slopes(instance: Component, slopes: Union[float, Sequence[float], Dict[str, float]]) -> List[float]:
    names = [name for name, one in _items(type(instance)).items() if one.kind == "state"]
    if isinstance(slopes, dict):
        if set(slopes) != set(names):
            raise ValueError(f"derivatives returns those of {', '.join(slopes)}; the states are {', '.join(names)}")
        return [float(slopes[name]) for name in names]
    try:
        values = [float(one) for one in slopes]
    except TypeError:
        values = [] if slopes is None else [float(slopes)]
    if len(values) != len(names):
        raise ValueError(f"derivatives returns {len(values)} value{'s' if len(values) != 1 else ''}; return one for each state: {', '.join(names) or 'none'}")
    return values


def _memory(instance: Component) -> bytes:
    """What it remembers besides parameters, inputs and states."""
    kept = {name for name, one in _items(type(instance)).items() if one.kind != "output"} | {"time"}
    return pickle.dumps({name: value for name, value in vars(instance).items() if name not in kept}, protocol=4)


def _remember(instance: Component, memory: bytes) -> None:
    vars(instance).update(pickle.loads(memory))


def _where(raised: BaseException, trace) -> str:
    """`control.py:12: in step: ZeroDivisionError: division by zero`."""
    what = "".join(traceback.format_exception_only(type(raised), raised)).strip().splitlines()[-1]
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename != __file__]
    if not frames:
        return what
    return f"{frames[-1].filename}:{frames[-1].lineno}: in {frames[-1].name}: {what}"
