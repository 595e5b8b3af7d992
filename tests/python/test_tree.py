"""The tree of components, and models."""

import math
import os
import pathlib
import re
import subprocess

import pytest

import davit


@pytest.fixture
def lift(systems):
    return davit.load(systems / "lifting_cylinder.xml", level={"*": "Standard"})


def test_components_describe_themselves(lift):
    assert "cylinder" in lift.components and "SimulatorManager" in lift.components
    c = lift.components["cylinder"]
    assert c.model == "hydraulic.Cylinder" and c.name == "cylinder" and c.file.endswith("lifting_cylinder.xml")
    assert c.level == "Standard" and c.levels == ["Ideal", "Standard", "Advanced"]
    bore = c.parameters["bore"]
    assert (bore.unit, bore.range, bore.value) == ("m", (0.0, math.inf), 0.283)
    assert bore.range_text == "> 0 m" and bore.text == "Diameter of the piston"
    load = lift.components["load"]
    assert load.states["v"].unit == "m/s" and load.states["v"].value == load["v"] == 0
    assert c.aspects["friction"].value in c.aspects["friction"].options
    with pytest.raises(KeyError, match="did you mean 'cylinder'"):
        lift.components["cylindr"]


def test_python_has_what_the_other_interfaces_have(lift):
    program = pathlib.Path(os.environ["DAVIT_BUILD_DIR"], "bin", "davit_types")
    types = subprocess.run([program], check=True, capture_output=True, text=True).stdout

    def required(name):
        found = set(re.findall(r"^  (\w+): ", types.split(f"interface {name} {{")[1].split("\n}")[0], re.MULTILINE))
        assert len(found) > 2
        return found

    for component in lift.components.values():
        assert required("DescribedComponent") <= set(component._about)
        for item in component.items.values():
            assert required("DescribedItem") <= set(item._about)
        for port in component._about["ports"]:
            assert required("DescribedPort") <= set(port)
    assert required("DescribedModel") <= set(davit.describe("hydraulic.Cylinder").about)
    assert required("DescribedRun") <= set(lift.state()) and lift.state()["status"] == "waiting"


def test_items_are_written(lift):
    mass = lift.components["load"].parameters["mass"]
    mass.value = "8 t"
    assert mass.value == lift["load.mass"] == 8000
    lift.components["load"]["mass"] = 7000
    assert mass.value == 7000
    lift.initialize()
    lift.components["cylinder"].level = "Ideal"
    lift.step()
    assert lift.components["cylinder"].level == "Ideal"


def test_ports_know_their_other_ends(lift):
    ports = lift.components["cylinder"].ports
    assert ports["a"].domain == "hydraulic" and ports["a"].connected == ["line_c.port"]
    assert ports["rod"].connected == ["load.a"]
    assert len(lift.components["tank"].ports["port"].connected) > 2


def test_charts_have_active_states(lift):
    lift.initialize()
    assert "Standard" in lift.components["cylinder"].active_states
    assert lift.components["load"].active_states is None


def test_models():
    models = davit.models()
    assert len(models) > 80 and models["mechanical.Mass"]
    cylinder = davit.describe("hydraulic.Cylinder")
    assert cylinder.levels == ["Ideal", "Standard", "Advanced"] and cylinder.text
    assert cylinder.about["level"] == "Ideal" and {port["name"] for port in cylinder.about["ports"]} >= {"a", "b", "rod"}
    assert any("bore" in row.values() for row in cylinder.tables["Parameters"])
    with pytest.raises(davit.InputError, match="did you mean 'hydraulic.Cylinder'"):
        davit.describe("hydraulic.Cylindr")
