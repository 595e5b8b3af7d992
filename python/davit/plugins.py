"""Libraries with further models."""

import ctypes
import os
import pathlib
import re
from typing import Iterable, List, Optional, Set, Union

from . import _core


def offer_symbols() -> None:
    """Plug-ins take davit's symbols from the program that loads them."""
    ctypes.CDLL(_core.__file__, mode=ctypes.RTLD_GLOBAL)


def paths_of(plugins: Iterable[Union[str, os.PathLike]]) -> List[str]:
    """The files as texts, ready to be loaded."""
    paths = [os.fspath(plugin) for plugin in plugins]
    if paths:
        offer_symbols()
    return paths


def names_plugins(file: str, seen: Optional[Set[pathlib.Path]] = None) -> bool:
    """Whether a system file, or one that it includes, may have a <Plugin>."""
    path = pathlib.Path(file)
    seen = set() if seen is None else seen
    if path in seen:
        return False
    seen.add(path)
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return False  # the loader says why
    included = re.findall(r"<Subsystem\b[^>]*\bsrc\s*=\s*[\"']([^\"']+)", text)
    return "<Plugin" in text or any(names_plugins(str(path.parent / one), seen) for one in included)
