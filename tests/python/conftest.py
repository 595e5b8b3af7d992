"""What the tests of the Python module share. ctest sets DAVIT, the program, and DAVIT_SOURCE_DIR."""

import os
import pathlib

import pytest

ROOT = pathlib.Path(os.environ.get("DAVIT_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


@pytest.fixture(scope="session")
def systems():
    return ROOT / "systems"


@pytest.fixture(scope="session")
def program():
    return os.environ.get("DAVIT", str(ROOT / "build/release/bin/davit"))

