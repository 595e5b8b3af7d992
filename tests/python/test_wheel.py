"""The wheel, and what an installation that cannot work says."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

import davit

pytestmark = pytest.mark.skipif("DAVIT_BUILD_DIR" not in os.environ, reason="ctest says where the build is")

ROOT = pathlib.Path(__file__).parents[2]
CODE = "import davit, sys; print(davit.__file__); print(davit.load(sys.argv[1]).run()['load.x'][-1])"


def run(*command, **options):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment.update(options.pop("environment", {}))
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment, **options)


def test_pip_installs_into_an_environment(tmp_path, systems):
    # Of the module that is built: nothing is compiled. numpy comes from the system.
    venv = tmp_path / "venv"
    done = run(sys.executable, "-m", "venv", "--system-site-packages", venv)
    if done.returncode != 0:
        pytest.skip("python3-venv is missing: " + done.stdout)
    done = run(venv / "bin/pip", "install", "--no-index", "--no-cache-dir", "--disable-pip-version-check",
               "--config-settings", f"build={os.environ['DAVIT_BUILD_DIR']}", ROOT, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run(venv / "bin/python", "-c", CODE, systems / "mass_spring.xml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    file, x = done.stdout.splitlines()
    assert pathlib.Path(file).is_relative_to(venv) and float(x) == davit.load(systems / "mass_spring.xml").run()["load.x"][-1]
    shown = run(venv / "bin/pip", "list", "--format", "json", "--disable-pip-version-check")
    assert {"name": "davit", "version": davit.__version__} in json.loads(shown.stdout)
    removed = run(venv / "bin/pip", "uninstall", "--yes", "davit")
    assert removed.returncode == 0 and not pathlib.Path(file).exists()


def test_a_wheel_holds_the_package_and_repeats(tmp_path):
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import wheel_backend; "
            "print(wheel_backend.build_wheel(sys.argv[2], {'build': sys.argv[3]}))")
    wheels = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        done = run(sys.executable, "-c", code, ROOT / "python", tmp_path / name, os.environ["DAVIT_BUILD_DIR"],
                   environment={"SOURCE_DATE_EPOCH": "1700000000"})
        assert done.returncode == 0, done.stderr
        wheels.append(tmp_path / name / done.stdout.strip())
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    own = pathlib.Path(davit.__file__).parent
    with zipfile.ZipFile(wheels[0]) as wheel:
        assert wheel.testzip() is None
        held = {pathlib.PurePath(name).name for name in wheel.namelist() if name.startswith("davit/")}
        assert held == {file.name for file in own.iterdir() if file.is_file()}
        info, = [name for name in wheel.namelist() if name.endswith("METADATA")]
        metadata = wheel.read(info).decode()
    assert f"Version: {davit.__version__}\n" in metadata and "Requires-Dist: numpy\n" in metadata
    assert f"Requires-Python: =={sys.version_info[0]}.{sys.version_info[1]}.*\n" in metadata


def test_a_wheel_of_nothing_is_refused(tmp_path):
    code = "import sys; sys.path.insert(0, sys.argv[1]); import wheel_backend; wheel_backend.build_wheel('.', {'build': '.'})"
    done = run(sys.executable, "-c", code, ROOT / "python", cwd=tmp_path)
    assert done.returncode == 1 and "has no module for Python" in done.stderr and "Traceback" not in done.stderr


@pytest.fixture
def copy(tmp_path):
    package = tmp_path / "site/davit"
    shutil.copytree(pathlib.Path(davit.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    return package


def why(copy, *options, **more):
    done = run(sys.executable, *options, "-c", "import davit", environment={"PYTHONPATH": str(copy.parent)}, **more)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def test_a_module_of_another_python_says_so(copy):
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert "has no compiled part; in the source folder of davit, run pip install ." in why(copy)
    (copy / "_core.cpython-39-x86_64-linux-gnu.so").touch()
    assert f"was built for Python 3.9, and this is Python {own}, {sys.executable}; " in why(copy)
    (copy / "_core.cpython-313-x86_64-linux-gnu.so").touch()
    assert "was built for Python 3.13, 3.9, and" in why(copy)


def test_what_is_missing_is_named(copy):
    source = next(pathlib.Path(davit.__file__).parent.glob("_core.*.so"))
    library = copy / source.name
    # A library that the module needs and the system does not have.
    library.write_bytes(source.read_bytes().replace(b"libnlopt.so.0", b"libnlopt.so.9"))
    assert "cannot be loaded (libnlopt.so.9: cannot open shared object file" in why(copy)
    # -S: without the packages of the system, so without numpy.
    assert "davit needs numpy (No module named 'numpy'); install Debian's python3-numpy" in why(copy, "-S")
