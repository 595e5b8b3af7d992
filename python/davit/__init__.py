"""davit: simulates machines described in XML, or built in Python.

    import davit
    s = davit.load("systems/lifting_cylinder.xml", set={"load.mass": "8 t"})
    r = s.run(until="20 s")
    r["load.x"]  # a numpy array, in m
"""

import importlib
from typing import TYPE_CHECKING

from . import _requirements, errors

_requirements.check()

from ._core import Handles
from ._core import version as __version__
from .components import Component, Input, Output, Parameter, State
from .errors import Fault, ForkError, InputError, InputWarning, SimulationError, StateError
from .fault_campaign import faults
from .level_search import Levels, levels
from .linear import Bode, LinearModel, Margins, Mode, Nyquist, StepResponse, linearize
from .results import Event, Result, read
from .sensitivity import ElementaryEffects, Sensitivity, SobolIndices, sensitivity, sobol
from .signals import FrequencyResponse, Spectrum, frequency_response, spectrum
from .simulation import Simulation, load, si
from .studies import Fit, Optimum, Table, fit, optimize, sweep
from .study_file import study
from .system import System, SystemText
from .tree import Components, Item, LoadedComponent, Model, Port, describe, models

if TYPE_CHECKING:
    from .environments import Box, Environment, VectorEnvironment


def __getattr__(name: str):
    # Not before they are used: gymnasium takes long to import.
    if name not in ("environments", "Box", "Environment", "VectorEnvironment"):
        raise AttributeError(f"module 'davit' has no attribute {name!r}")
    module = importlib.import_module(".environments", __name__)
    return module if name == "environments" else getattr(module, name)


def __dir__():
    return sorted({*globals(), "Box", "Environment", "VectorEnvironment"})
