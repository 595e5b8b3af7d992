"""Files with studies."""

import os
from typing import List, Union

from . import _core
from .level_search import Levels, _levels
from .sensitivity import ElementaryEffects, Sensitivity, SobolIndices, _found
from .simulation import Simulation
from .studies import Fit, Optimum, Table, _fit, _optimum

Study = Union[Table, Optimum, Fit, Sensitivity, SobolIndices, ElementaryEffects, Levels, dict]

_RESULTS = {"sweep": lambda found: Table(found["table"]), "optimize": _optimum, "fit": _fit, "sensitivity": _found,
            "levels": _levels, "faults": lambda found: Table(found["table"]), "linearize": dict, "frequency": dict}


def study(file: Union[str, os.PathLike], *, jobs: int = 0) -> List[Study]:
    """Runs the studies of a file in their order, as ``davit study`` does, and returns what each has found: a Table, an
    Optimum, a Fit, a Sensitivity, SobolIndices, ElementaryEffects or Levels; a linear model and a frequency response as a dict with
    arrays, see linearize() and frequency_response() for more. Tables and pictures that the file names are left to the program.

    Raises InputError, and what the studies raise.
    """
    found = []
    for one in _core.load_studies(os.fspath(file)):
        if jobs:
            one.store("jobs", str(jobs))
        found.append(_RESULTS[one.kind](one.run(Simulation(one.system))))
    return found
