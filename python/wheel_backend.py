"""Builds a wheel of the Python module: the backend (PEP 517) that pyproject.toml names, so that `pip install .` works.

It needs no package of PyPI, but CMake, a compiler and the groups [run] and [python] of packages.txt. The wheel is for the
Python that runs pip, and for systems that have the shared libraries of the one it was built on.

`--config-settings build=FOLDER` packs the module that a CMake build has made already, in place of compiling it.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = re.search(r'kVersion\[\] = "([\d.]+)"', (ROOT / "framework/version.h").read_text())[1]
INFO = f"davit-{VERSION}.dist-info"
PYTHON = f"cp{sys.version_info[0]}{sys.version_info[1]}"
TAG = f"{PYTHON}-{PYTHON}-{re.sub('[-.]', '_', sysconfig.get_platform())}"

METADATA = f"""\
Metadata-Version: 2.1
Name: davit
Version: {VERSION}
Summary: Simulates machines described in XML, or built in Python
Requires-Python: =={sys.version_info[0]}.{sys.version_info[1]}.*
Requires-Dist: numpy
Provides-Extra: plot
Requires-Dist: matplotlib; extra == "plot"
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

"""
WHEEL = f"""\
Wheel-Version: 1.0
Generator: davit {VERSION}
Root-Is-Purelib: false
Tag: {TAG}
"""


def _fail(text):
    sys.exit(f"error: {text}")


def _run(*command):
    if subprocess.run([str(part) for part in command]).returncode != 0:
        _fail(f"{command[0]} {command[1]} failed; its output says why")


def _built(folder):
    """The folder of the module that a CMake build has made."""
    module = folder / "python/davit"
    if not (module / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}").is_file():
        _fail(f"{folder} has no module for Python {sys.version_info[0]}.{sys.version_info[1]}; leave out build=, or build the "
              "target davit_python there")
    return module


def _build():
    """Compiles the module for this Python, in a folder of its own."""
    folder = ROOT / f"build/wheel-{PYTHON}"
    if shutil.which("cmake") is None:
        _fail("cmake is missing; install the groups [run] and [python] of packages.txt: ./davit bootstrap run python")
    _run("cmake", "-S", ROOT, "-B", folder, *(["-G", "Ninja"] if shutil.which("ninja") else []),
         "-DCMAKE_BUILD_TYPE=Release", "-DDAVIT_TESTS=OFF", "-DDAVIT_BENCHMARKS=OFF", "-DDAVIT_INSTALL=OFF",
         f"-DDAVIT_PYTHON_PROGRAM={sys.executable}")
    left_out = re.search("^DAVIT_PYTHON_LEFT_OUT:INTERNAL=(.+)$", (folder / "CMakeCache.txt").read_text(), re.MULTILINE)
    if left_out:
        _fail(f"the Python module cannot be built: {left_out[1]}")
    _run("cmake", "--build", folder, "--target", "davit_python", "--parallel", os.cpu_count() or 1)
    return _built(folder)


def _info_files():
    text = (ROOT / "docs/python.md").read_text()
    return {f"{INFO}/METADATA": (METADATA + text).encode(), f"{INFO}/WHEEL": WHEEL.encode(),
            f"{INFO}/LICENSE": (ROOT / "LICENSE").read_bytes()}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    for name, content in _info_files().items():
        file = pathlib.Path(metadata_directory, name)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    return INFO


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    given = (config_settings or {}).get("build")
    module = _built(pathlib.Path(given).resolve()) if given else _build()
    files = {f"davit/{file.name}": file.read_bytes() for file in sorted(module.iterdir())
             if file.is_file() and (file.suffix != ".so" or file.name.endswith(sysconfig.get_config_var("EXT_SUFFIX")))}
    files.update(_info_files())
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{INFO}/RECORD"] = f"{record}{INFO}/RECORD,,\n".encode()
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), 315532800))[:6]  # zip begins in 1980
    name = f"davit-{VERSION}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    return name


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory, config_settings=None):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode != 0:
        _fail("a source archive is made of a git repository")
    name = f"davit-{VERSION}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory, name), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in listed.stdout.decode().split("\0")[:-1]:
            archive.add(ROOT / file, f"davit-{VERSION}/{file}", recursive=False)
        info = pathlib.Path(sdist_directory, "PKG-INFO")
        info.write_text(METADATA)
        archive.add(info, f"davit-{VERSION}/PKG-INFO")
        info.unlink()
    return name
