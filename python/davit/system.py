"""Systems that are built in Python."""

from typing import Any, List, Mapping, Optional, Tuple, Type, Union

from . import _core
from .components import Component, class_name
from .results import Result
from .simulation import Seconds, Simulation, Value, _text_of
from .tree import names_of


def _pairs(attributes: Mapping[str, Any]) -> List[Tuple[str, str]]:
    return [(name, _text_of(value)) for name, value in attributes.items()]


class System:
    """A system that is built in Python, in place of a system file, with the same names, units and checks.

        s = davit.System("lift", time_step="1 ms", stop="2 s")
        s.add("mechanical.Mass", "load", mass="5 t", start={"x": "0.1 m"})
        s.add("mechanical.Spring", "spring", stiffness="4e5 N/m")
        s.connect("spring.a", "load.a")
        r = s.load().run()

    Each call adds the element of that name of a system file (docs/system-file.md). What is wrong is found by load().
    """

    def __init__(self, name: str = "system", *, time_step: Optional[Seconds] = None, stop: Optional[Seconds] = None,
                 **manager: Value):
        """`manager`: further attributes of ``<SimulatorManager>``, such as fs or StartTime."""
        self._name, self._components = name, []
        self._builder = _core.Builder(name)
        given = {"TimeStep": time_step, "StopTime": stop, **manager}
        self._builder.manager(_pairs({key: value for key, value in given.items() if value is not None}))

    def add(self, model: Union[str, Type[Component]], name: str, /, *, start: Optional[Mapping[str, Value]] = None,
            **attributes: Value) -> "System":
        """A component of a model, or of a class that is a davit.Component. `start`: its start values. Attributes are
        texts with units, or numbers in SI; so is `level`. Returns the system."""
        if isinstance(model, type):
            attributes = {"class": class_name(model), **attributes}
            model = "python.Component"
        self._builder.add(model, name, _pairs(attributes))
        self._components.append(name)
        if start:
            self._builder.inside(name, "Start", _pairs(start))
        return self

    def inside(self, name: str, element: str, /, **attributes: Value) -> "System":
        """An element inside of a component that was added: the ``State`` of a user.Equation, an ``Integration``. A name
        that is a word of Python is given as ``**{"from": ...}``."""
        self._builder.inside(name, element, _pairs(attributes))
        return self

    def connect(self, a: str, b: str) -> "System":
        """Joins two ports, "cylinder.rod" and "load.a"."""
        self._builder.connect(a, b)
        return self

    def route(self, source: str, target: str, /, **attributes: Value) -> "System":
        """Leads a signal to an input or a parameter."""
        self._builder.route(source, target, _pairs(attributes))
        return self

    def at(self, time: Seconds, values: Optional[Mapping[str, Value]] = None, /, **attributes: Value) -> "System":
        """Values by path that are set at a time; or the attributes of ``<At>``: message and to, event and to."""
        for path, value in (values or {}).items():
            self._builder.at(_pairs({"time": time, "set": path, "value": value}))
        if attributes:
            self._builder.at(_pairs({"time": time, **attributes}))
        return self

    def record(self, *signals: str, **attributes: Value) -> "System":
        """What results have: paths and globs, with `interval` or `times`."""
        self._builder.record(" ".join(signals), _pairs(attributes))
        return self

    def integration(self, **attributes: Value) -> "System":
        """How equations are solved: solver, method, rtol, atol."""
        self._builder.integration(_pairs(attributes))
        return self

    def to_xml(self) -> str:
        """The text of the system file."""
        return self._builder.to_xml()

    def __repr__(self) -> str:
        return f"<davit.System {self._name}: {names_of(self._components)}>"

    def load(self, **options) -> Simulation:
        """Checks the system and makes it ready to run; options of davit.load(). Raises InputError."""
        return Simulation(self, **options)

    def run(self, until: Optional[Seconds] = None, **options) -> Result:
        """load() and run()."""
        return self.load().run(until, **options)


class SystemText:
    """The text of a system file that is in memory; load() takes it in place of a file. `name` replaces the file in
    diagnostics, and files that the text names are relative to it."""

    def __init__(self, text: str, name: str = ""):
        self.text, self.name = text, name

    def __repr__(self) -> str:
        return f"<davit.SystemText {self.name or 'without a name'}: {len(self.text)} characters>"

    def to_xml(self) -> str:
        """The text."""
        return self.text
