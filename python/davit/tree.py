"""The tree of components of a loaded system."""

import math
import os
from collections.abc import Mapping
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _core
from .plugins import paths_of


def names_of(names: Iterable[str]) -> str:
    """How many there are, and the first of them: "12: pump, valve, load, ..."."""
    names = list(names)
    return f"{len(names)}: {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}" if names else "none"


class Item:
    """A parameter, input, output or state of a component, which describes itself. Numbers are in SI."""

    __slots__ = ("_simulation", "_about")

    def __init__(self, simulation, about: Dict[str, Any]):
        self._simulation = simulation
        self._about = about

    name: str = property(lambda self: self._about["name"], doc="Inside its component: \"bore\".")
    path: str = property(lambda self: self._about["path"], doc="In the system: \"cylinder.bore\".")
    kind: str = property(lambda self: self._about["kind"], doc="parameter, input, output, state, aspect ...")
    unit: str = property(lambda self: self._about["unit"], doc="SI; empty without dimension.")
    text: str = property(lambda self: self._about["text"], doc="What it is.")
    range: Tuple[float, float] = property(
        lambda self: (self._about.get("min", -math.inf), self._about.get("max", math.inf)), doc="Lowest and highest value.")
    range_text: str = property(lambda self: self._about.get("range_text", ""), doc="The range as a user reads it: \"> 0 m\".")
    default: Optional[float] = property(lambda self: self._about.get("default"), doc="None where it has none.")
    default_text: str = property(lambda self: self._about.get("default_text", ""), doc="The default with its unit.")
    options: List[str] = property(lambda self: self._about.get("options", []), doc="The names of the values of a choice.")
    is_structural: bool = property(lambda self: self._about["is_structural"],
                                   doc="Whether it is fixed once the system is loaded.")
    is_writable: bool = property(lambda self: self._about["is_writable"], doc="Whether a run may write it.")

    @property
    def value(self):
        """The present value in SI; of a choice its name. Assign a number in SI or a text with unit."""
        return self._simulation[self.path]

    @value.setter
    def value(self, value) -> None:
        self._simulation[self.path] = value

    def __repr__(self) -> str:
        return f"<davit.Item {self.path} [{self.unit or '1'}]: {self.text}>"


class Port(NamedTuple):
    """A place where power flows."""

    name: str
    domain: str
    role: str  #: "C" or "Q"
    text: str
    is_mandatory: bool  #: whether something must be connected
    is_many: bool  #: whether any number of connections is allowed
    connected: List[str]  #: the ports at the other ends

    @property
    def is_array(self) -> bool:
        """The same as is_many."""
        return self.is_many


class LoadedComponent:
    """A component of a loaded system."""

    __slots__ = ("_simulation", "_known", "_path")

    def __init__(self, simulation, path: str):
        self._simulation = simulation
        self._known: Optional[Dict[str, Any]] = None
        self._path = path

    path: str = property(lambda self: self._path, doc="In the system: \"crane.boom\".")

    @property
    def _about(self) -> Dict[str, Any]:
        if self._known is None:
            self._known = _core.describe_component(self._simulation, self.path)
        return self._known

    def _items(self, *kinds: str) -> Dict[str, Item]:
        return {about["name"]: Item(self._simulation, about) for about in self._about["items"] if about["kind"] in kinds}

    model: str = property(lambda self: self._about["model"], doc="Its type: \"hydraulic.Cylinder\".")
    text: str = property(lambda self: self._about["text"], doc="What the model is.")
    levels: List[str] = property(lambda self: self._about["levels"], doc="Empty for a model with one behaviour.")
    file: str = property(lambda self: self._about["file"], doc="The file in which it is written.")
    line: int = property(lambda self: self._about["line"], doc="The line in which it is written; 0 if unknown.")

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition(".")[2]

    @property
    def parameters(self) -> Dict[str, Item]:
        """By name; options such as formulations are among them."""
        return self._items("parameter", "property")

    @property
    def inputs(self) -> Dict[str, Item]:
        """By name."""
        return self._items("input", "input_element")

    @property
    def outputs(self) -> Dict[str, Item]:
        """By name."""
        return self._items("output")

    @property
    def states(self) -> Dict[str, Item]:
        """By name."""
        return self._items("state")

    @property
    def aspects(self) -> Dict[str, Item]:
        """The facets of its behaviour that a level chooses."""
        return self._items("aspect")

    @property
    def items(self) -> Dict[str, Item]:
        """All of them, also the variables of its ports, by name."""
        return {about["name"]: Item(self._simulation, about) for about in self._about["items"]}

    @property
    def ports(self) -> Dict[str, Port]:
        """By name."""
        return {port["name"]: Port(*(port[name] for name in Port._fields)) for port in self._about["ports"]}

    @property
    def children(self) -> List["LoadedComponent"]:
        """The components inside of it, in the order of the file."""
        return [LoadedComponent(self._simulation, path) for path in self._about["children"]]

    @property
    def level(self) -> Optional[str]:
        """The name of its level; None for a model without. Assign a name to change it at the next communication point."""
        return self._simulation[self.path + ".level"] if self.levels else None

    @level.setter
    def level(self, level: str) -> None:
        self._simulation.level(self.path, level)

    @property
    def active_states(self) -> Optional[List[str]]:
        """The names of all active states of its statechart; None without chart."""
        return _core.active_states(self._simulation, self.path)

    def __getitem__(self, name: str):
        """The value of one of its items: component["x"]."""
        return self._simulation[f"{self.path}.{name}"]

    def __setitem__(self, name: str, value) -> None:
        self._simulation[f"{self.path}.{name}"] = value

    def _ipython_key_completions_(self) -> List[str]:
        return [about["name"] for about in self._about["items"]]

    def __repr__(self) -> str:
        return f"<davit.LoadedComponent {self.path}: {self.model}>"


class Components(Mapping):
    """The components of a system by their paths, in the order of the file."""

    __slots__ = ("_simulation", "_paths")

    def __init__(self, simulation):
        self._simulation = simulation
        self._paths = dict.fromkeys(_core.component_paths(simulation))

    def __getitem__(self, path: str) -> LoadedComponent:
        if path not in self._paths:
            _core.describe_component(self._simulation, path)  # a KeyError that says what is near
        return LoadedComponent(self._simulation, path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __repr__(self) -> str:
        return f"<davit.Components: {names_of(self._paths)}>"

    def _ipython_key_completions_(self) -> List[str]:
        return list(self._paths)


class Model(NamedTuple):
    """What ``davit describe`` says of a model."""

    name: str
    text: str
    levels: List[str]
    equations: str
    example: str  #: an element that can be pasted into a system file
    tables: Dict[str, List[Dict[str, str]]]  #: its ports, parameters, states ...: rows by the heads of their columns
    about: Dict[str, Any]  #: its levels, ports, aspects, modes, messages, alarms ..., as the server names them


def models(*, plugins: Iterable[Union[str, os.PathLike]] = ()) -> Dict[str, str]:
    """All models by name, with their texts."""
    return dict(_core.list_models(paths_of(plugins)))


def describe(model: str, *, plugins: Iterable[Union[str, os.PathLike]] = ()) -> Model:
    """Everything a model declares. Raises InputError for an unknown name."""
    return Model(**_core.describe_model(model, paths_of(plugins)))
