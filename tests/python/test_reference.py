"""What the documentation makes of the models and of the module: equations that are typeset, a page of the API."""

import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import davit

SITE = pathlib.Path(os.environ.get("DAVIT_SOURCE_DIR", pathlib.Path(__file__).parents[2])) / "docs/site"
sys.path.insert(0, str(SITE))
import equations  # noqa: E402
import python_api  # noqa: E402


def formula(text, names=(), primes="derivatives"):
    setter = equations.Typesetter("one step ago" if primes == "old" else "", names, lambda target: "")
    shown = setter.html(text)
    assert setter.unread == [], text
    return xml.etree.ElementTree.fromstring(shown)


def tags(element):
    return [one.tag for one in element.iter()]


def letters(element):
    """The text, with Greek letters by their names and without what is only typography."""
    names = {sign: name for name, sign in equations.GREEK.items() if name != "eps"}
    return "".join(names.get(sign, sign) for sign in "".join(element.itertext()) if sign not in "\u2061\u2062 \n")


@pytest.mark.parametrize("text, tag, count", [
    ("x = a/b", "mfrac", 1), ("x = a/b/c", "mfrac", 1), ("x = a/b*c/d", "mfrac", 2), ("x = sqrt(2/rho)", "msqrt", 1),
    ("x = y^2", "msup", 1), ("x = p_a + V0 + Zc", "msub", 3), ("m*x'' = F - c*x'", "mover", 2), ("p_k = p_(k-1)", "msub", 2),
])
def test_signs_have_their_form(text, tag, count):
    assert tags(formula(text)).count(tag) == count


def test_the_numerator_is_all_before_the_stroke():
    fraction = next(formula("q = K*dp/(a + b)^(1/4)").iter("mfrac"))
    assert letters(fraction[0]) == "KΔp" and letters(fraction[1]) == "(a+b)14"
    fraction = next(formula("y = -x/T").iter("mfrac"))
    assert letters(fraction[0]) == "x"


def test_primes_are_derivatives_unless_they_are_old_values():
    assert "mover" in tags(formula("p' = q"))
    assert "mover" not in tags(formula("p' = q", primes="old"))
    long = formula("void_a' = q", names=["void_a"])
    assert letters(next(long.iter("mfrac"))) == "ddt"


def test_words_are_no_formulas():
    for text in ("The force F is positive in compression.", "a switch to it starts at rest", "between 2 and 4 bar"):
        assert not [one for one in formula(text).iter("mi") if len(one.text) > 1], text
    assert letters(formula("m = mass + what is connected", names=["mass"])) == "m=mass+whatisconnected"


def test_cases_share_their_left_side():
    element = formula("y = 0      |u| <= band\ny = u      otherwise", names=["band"])
    assert len(list(element.iter("tr"))) == 2 and letters(element).count("y") == 1


def test_lines_that_were_full_become_one():
    text = "q is positive from a to b, and the flow that leaves at the other end is the one that the law gives\nfor this pressure"
    assert len(list(formula(text).iter("p"))) == 1
    assert len(list(formula("a = b + c\nd = e + f").iter("p"))) == 2


def test_what_does_not_parse_is_named():
    setter = equations.Typesetter("", [], lambda target: "")
    setter.html("y = (a + *b")
    assert setter.unread


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    subprocess.run([os.environ["DAVIT"], "reference", "-o", folder], check=True, capture_output=True)
    return {page.stem: page.read_text() for page in sorted((folder / "models").glob("*.md"))}


def test_all_equations_of_all_models_are_typeset(pages):
    unread = {}
    for model, page in pages.items():
        shown, left = equations.typeset(page, lambda target: "")
        if left:
            unread[model] = left
        for block in re.findall(r'<div class="equations">.*?</div>\n(?=\n|$)', shown, re.DOTALL):
            xml.etree.ElementTree.fromstring(block)  # is well-formed
    assert unread == {}


def test_the_bibliography_has_what_models_cite(pages):
    bibliography = (SITE.parent / "bibliography.md").read_text()
    keys = set(re.findall(r"^### (.+)$", bibliography, re.MULTILINE))
    cited = {" ".join(key.split()) for page in pages.values() for key in equations.CITATION.findall(page)}
    assert cited == keys


# ---- Python API --------------------------------------------------------------------------------------


def package():
    return python_api.Package(pathlib.Path(davit.__file__).parent)


def test_the_api_page_has_every_public_name():
    one = package()
    page = one.page()
    assert one.missing == []
    headings = set(re.findall(r"^#{3,4} (\S+)$", page, re.MULTILINE))
    names = {name for name in dir(davit) if not name.startswith("_")
             and getattr(getattr(davit, name), "__module__", "").startswith("davit")}
    assert names <= headings
    assert {"Simulation.run", "Simulation.step", "Simulation.save_state"} <= headings


def test_the_api_page_names_what_has_no_docstring(tmp_path):
    (tmp_path / "__init__.py").write_text('"""A package."""\nfrom .one import good, bad\n')
    (tmp_path / "one.py").write_text('"""A module."""\ndef good():\n    """Is."""\ndef bad(): pass\n')
    one = python_api.Package(tmp_path)
    assert "### bad" in one.page() and one.missing == ["bad"]
