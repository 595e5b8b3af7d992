"""What happens when components fail."""

from typing import Iterable, Mapping, Optional, Union

from .studies import Source, Table, _study, with_options_of


@with_options_of("faults")
def faults(source: Source, fault: Union[str, Iterable[str]] = (), hazard: Optional[Mapping[str, str]] = None, *,
           at: Optional[str] = None, **options) -> Table:
    """Lets the faults happen that models declare, as ``davit faults`` does: a row for each case, with the columns "fault",
    "detected_by" (empty if nothing has), "detection_time" [s], the hazards and "status".

    `fault`: names or globs, "boom_*", or with values, "cylinder.internal_leak=1e-12,1e-11"; without any: all. `hazard`: by name a
    condition, "load.x lt 1 m", a value or a measure. `at`: when the faults happen. Other options are those of load().

    Raises InputError; RuntimeError if the run without a fault fails.
    """
    study, system = _study("faults", source, options, fault=list([fault] if isinstance(fault, str) else fault),
                           hazard=hazard or {}, at=at)
    return Table(study.run(system)["table"])
