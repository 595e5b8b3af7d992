"""Says what is missing where davit cannot be imported."""

import importlib
import pathlib
import re
import sys

_HERE = pathlib.Path(__file__).parent


def check() -> None:
    """Imports numpy and the compiled part of davit. Raises ImportError with a remedy."""
    try:
        import numpy  # noqa: F401
    except ImportError as fault:
        raise ImportError(f"davit needs numpy ({fault}); install Debian's python3-numpy, or in an environment: pip install "
                          "numpy", name="numpy") from None
    try:
        importlib.import_module("._core", __package__)
    except ModuleNotFoundError:
        own = f"{sys.version_info[0]}.{sys.version_info[1]}"
        tags = {re.search(r"cpython-(\d)(\d+)", file.name) for file in _HERE.glob("_core.*.so")} - {None}
        others = ", ".join(sorted(f"{tag[1]}.{tag[2]}" for tag in tags))
        if others:
            fault = f"davit in {_HERE} was built for Python {others}, and this is Python {own}, {sys.executable}"
        else:
            fault = f"davit in {_HERE} has no compiled part"
        raise ImportError(f"{fault}; in the source folder of davit, run pip install . with this Python, or ./davit python "
                          "for Debian's", name="davit._core") from None
    except ImportError as fault:
        raise ImportError(f"davit in {_HERE} cannot be loaded ({fault}); install the groups [run] and [python] of davit's "
                          "packages.txt, or build davit again on this machine", name="davit._core") from None
