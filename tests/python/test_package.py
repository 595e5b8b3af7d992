"""The package: what it says of itself, and how it is installed."""

import ast
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import davit


def public(of):
    """Of the package also what is imported when it is used."""
    names = dir(of) if inspect.ismodule(of) else vars(of)
    return {name: getattr(of, name) for name in names
            if not name.startswith("_") and name != "TYPE_CHECKING" and not inspect.ismodule(getattr(of, name))}


def test_all_that_is_public_has_a_docstring():
    missing = []
    for name, one in public(davit).items():
        if not inspect.getdoc(one):
            missing.append(name)
        if not inspect.isclass(one) or not one.__module__.startswith("davit"):
            continue
        for base in one.__mro__:
            if not base.__module__.startswith("davit"):
                continue
            for member, code in vars(base).items():
                is_code = inspect.isroutine(code) or isinstance(code, (property, staticmethod))
                if is_code and not member.startswith("_") and not inspect.getdoc(code):
                    missing.append(f"{name}.{member}")
    assert missing == []


def test_all_functions_have_types():
    missing = []
    for name, one in public(davit).items():
        functions = [one] if inspect.isfunction(one) else [
            code for code in public(one).values() if inspect.isfunction(code)] if inspect.isclass(one) else []
        for function in functions:
            if not function.__module__.startswith("davit") or "plot" in function.__name__ or "pandas" in function.__name__:
                continue
            signature = inspect.signature(function)
            bare = [parameter.name for parameter in signature.parameters.values()
                    if parameter.annotation is parameter.empty and parameter.name != "self"
                    and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
                    and parameter.name not in ("plugins", "frequency", "offset", "gains")]
            missing += [f"{name}.{function.__name__}({one})" for one in bare]
    assert missing == []


def test_stubs_are_those_of_the_module():
    file = pathlib.Path(davit.__file__).with_name("_core.pyi")
    tree = ast.parse(file.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    methods = {node.name: node for node in classes["System"].body if isinstance(node, ast.FunctionDef)}
    assert {"step", "read", "write", "handles", "save_state", "time"} <= set(methods)
    assert "TimeStep" in ast.get_docstring(methods["step"])
    assert file.with_name("py.typed").exists()


def plugin(name):
    file = pathlib.Path(os.environ.get("DAVIT_BUILD_DIR", "none")) / f"bin/plugins/{name}.so"
    if not file.exists():
        pytest.skip("the plug-ins of the tests are not built")
    return file


def test_plugins_bring_models(tmp_path):
    library = plugin("oscillators")
    new = set(davit.models(plugins=[library])) - set(davit.models())
    assert new
    system = davit.System("p", stop=1).add(min(new), "o")
    assert davit.load(system, plugins=[library]).run(signals="o.*", interval="0.1 s").time[-1] == 1
    with pytest.raises(davit.InputError, match="no model|unknown"):
        davit.load(system)
    file = tmp_path / "p.xml"
    file.write_text(system.to_xml().replace("<SimulatorManager", f'<Plugin src="{library}"/><SimulatorManager', 1))
    assert davit.load(file).run(signals="o.*").time[-1] == 1
    with pytest.raises(davit.InputError, match="rebuild it with this davit"):
        davit.load(system, plugins=[plugin("missing_symbol")])


@pytest.mark.skipif("DAVIT_BUILD_DIR" not in os.environ, reason="ctest says where the build is")
def test_the_install_tree_has_the_module(tmp_path, systems):
    subprocess.run([os.environ["DAVIT_CMAKE"], "--install", os.environ["DAVIT_BUILD_DIR"], "--prefix", tmp_path], check=True,
                   capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "lib/python3/dist-packages")}
    code = "import davit, sys; print(davit.__file__); print(davit.load(sys.argv[1]).run().time[-1])"
    done = subprocess.run([sys.executable, "-c", code, systems / "mass_spring.xml"], env=environment, capture_output=True,
                          text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(tmp_path / "lib/python3/dist-packages/davit/__init__.py"), "10.0"]
