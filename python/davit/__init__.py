"""davit: simulates machines described in XML, or built in Python.

    import davit
    s = davit.load("systems/lifting_cylinder.xml", set={"load.mass": "8 t"})
    r = s.run(until="20 s")
    r["load.x"]  # a numpy array, in m
"""

from . import errors
from ._core import Handles
from ._core import version as __version__
from .components import Component, Input, Output, Parameter, State
from .environments import Box, Environment, VectorEnvironment
from .errors import Fault, ForkError, InputError, InputWarning, SimulationError, StateError
from .results import Event, Result, read
from .simulation import Simulation, load, si
from .studies import Fit, LinearModel, Optimum, Table, fit, linearize, optimize, sweep
from .system import System, SystemText
from .tree import Components, Item, LoadedComponent, Model, Port, describe, models
