"""Says what is missing where davit cannot be imported."""

import importlib.machinery
import pathlib
import re
import sys

_HERE = pathlib.Path(__file__).parent


def _first_line(fault: ImportError) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]


def check() -> None:
    """Imports numpy and the compiled part of davit. Raises ImportError with a remedy."""
    if not any((_HERE / f"_core{suffix}").exists() for suffix in importlib.machinery.EXTENSION_SUFFIXES):
        tags = {re.search(r"cpython-(\d)(\d+)", file.name) for file in _HERE.glob("_core.*.so")} - {None}
        others = ", ".join(sorted(f"{tag[1]}.{tag[2]}" for tag in tags))
        own = f"{sys.version_info[0]}.{sys.version_info[1]}"
        problem = f"was built for Python {others}, and this is Python {own}, {sys.executable}" if others else "has no compiled part"
        raise ImportError(f"davit in {_HERE} {problem}; in the source folder of davit, run pip install . with this Python, or "
                          "./davit python for Debian's", name="davit._core")
    try:
        import numpy  # noqa: F401
    except ImportError as missing:
        raise ImportError(f"davit needs numpy ({_first_line(missing)}); install Debian's python3-numpy, or in an environment: "
                          "pip install numpy", name="numpy") from None
    try:
        importlib.import_module("._core", __package__)
    except ImportError as missing:
        raise ImportError(f"davit in {_HERE} cannot be loaded ({_first_line(missing)}); install the groups [run] and [python] "
                          "of davit's packages.txt, or build davit again on this machine", name="davit._core") from None
