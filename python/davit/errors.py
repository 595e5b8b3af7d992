"""What can go wrong."""

import re
from typing import List, NamedTuple, Optional


class Fault(NamedTuple):
    """One error in an input: its place, the component, the problem and the remedy."""

    file: Optional[str]  #: None where it is in no file
    line: int  #: 0 where it is unknown
    path: str  #: of the component, as "/crane/boom"; empty where none is concerned
    what: str  #: what is wrong
    remedy: str  #: what would be right; may be empty

    @property
    def text(self) -> str:
        """Both, as the program prints them: what is wrong; what would be right."""
        return "; ".join(filter(None, (self.what, self.remedy)))


_LINE = re.compile(r"(?:(?P<file>[^:]+)(?::(?P<line>\d+))?: error: )?(?:(?P<path>/[^\s:]*): )?(?P<what>.*?)(?:; (?P<remedy>.*))?")


def _faults_of(text: str) -> List[Fault]:
    return [Fault(part["file"], int(part["line"] or 0), part["path"] or "", part["what"], part["remedy"] or "")
            for part in map(_LINE.fullmatch, text.splitlines()) if part]


class InputError(ValueError):
    """A wrong system, name, number or text. Its text is that of the program davit, a line for each error."""

    def __init__(self, text: str, faults: Optional[list] = None):
        super().__init__(text)
        #: All faults, a Fault each.
        self.faults: List[Fault] = _faults_of(text) if faults is None else [Fault(*fault) for fault in faults]

    def __reduce__(self):
        return (InputError, (self.args[0], self.faults))


class InputWarning(UserWarning):
    """Something in a system that is probably not what was meant."""


class SimulationError(RuntimeError):
    """A run that cannot continue. Results up to `time` are complete: Simulation.result has them."""

    def __init__(self, text: str, time: Optional[float] = None):
        super().__init__(text)
        part = re.match(r"(/[^\s:]*): ", text)
        #: Of the component, as "/crane/boom"; empty where none is concerned.
        self.path: str = part[1] if part else ""
        #: Simulated time [s].
        self.time: Optional[float] = time

    def __reduce__(self):
        return (SimulationError, (self.args[0], self.time))


class StateError(RuntimeError):
    """A call in the wrong order, or from a second thread while another one is inside. Nothing has changed."""


class ForkError(StateError):
    """A simulation that was made before a fork was used in the child."""

    def __init__(self, text: str = "this was made before the process forked, and does not survive it: its threads and "
                 "files belong to the parent; load the system in the child, and hand over save_state()"):
        super().__init__(text)
