"""Fails where a page, or a text that the program shows, has wording that a plainer one replaces.

    check_prose.py FOLDER      checks the repository in this folder
    check_prose.py --rules     lists the rules

Of pages the text is checked, without code; of sources the string literals, and the text between the tags of the web page.
"""

import re
import sys
from pathlib import Path

PAGES = ["README.md", "CONTRIBUTING.md", "docs/*.md"]
FOLDERS = ("analysis app components drawing expressions fmi framework hopsan io python results server session simulator "
           "statecharts studio").split()
SOURCES = [f"{folder}/**/*.{kind}" for folder in FOLDERS for kind in ("h", "cc")]
SOURCES += ["python/davit/*.py", "web/src/**/*.ts", "web/src/**/*.tsx"]

# Wording, as a regular expression in which a blank is any white space and " the begin of a text, and what replaces it.
RULES = {
    r"where (?:it is|they are|that is|there|an?|no|none|one|not|nothing) \w+": "write 'if' or 'when', unless it is a place",
    r"(?:by|of|for|with|from|on|than|to) what (?!is the |to |extent )\w+": "name the thing: 'the routed value', 'the inputs'",
    r"(?<!there )(?:is|are|was|were|be) no (?!longer|more|less|errors)\w+": "write 'is not a', 'must not be'",
    r"(?:tells|(?:is|are) (?:told|said)|says? so)(?! you)": "write 'reports', 'logs', 'shows'",
    r"(?:is|are|was|were|be) (?:left out|passed over)": "write 'is ignored', 'is omitted'",
    r"(?:stands|stood|stands?ing|may stand|they stand)(?! for|-| in for)": "write 'is', 'is placed', 'is at rest'",
    r"(?:goes|go|going|went) on|for ever": "write 'continues', 'resumes', 'keeps'",
    r"of (?:its|their|his|her|one's|your|our) own": "write 'own', 'separate', 'stand-alone' or 'custom' before the noun",
    r"(?:models?|systems?|clients?|components?) of (?:Hopsan|CDP Studio)": "write 'Hopsan model', 'CDP Studio client'",
    r"bears?|gives? way|gave way": "write 'withstands', 'yields', 'limits'",
    r"nobody|somebody|whoever|he|him": "name the thing or the role",
    r"beside": "write 'next to', 'compared with', 'in addition to'",
    r"in vain|at hand|to and fro|gets? there": "write 'wasted', 'available', 'alternates', 'reaches it'",
    r"at once": "write 'immediately', 'simultaneously', 'together'",
    r"faults?": "write 'error' for bad input; a fault is a failed component",
    r"step points?": "write 'communication point'",
    r"(?<!data )(?<!style )sheets?": "write 'canvas'",
    r'"(?-i:Of|As what|That of|Those of) \w+': "repeat the noun before 'of'",
    r"where (?:it|they|that|\w) (?:would|should|could) \w+": "write 'if' or 'instead of'",
    r"what (?:is|was|are) (?:connected|routed|lacking|drawn|given)": "name the thing: 'the connected component', 'the routed value'",
    r"for each (?:pressure|speed|ampere|second|met(?:er|re)|degree)": "write 'per'",
    r"(?:dies?|died|dying) away": "write 'decays'",
    r"1 (?:components|inputs|outputs|ports|states|islands|cases|steps|signals|lines|rows)": "write the singular after 1",
}
# By the begin of a path, words that are right there.
_FAULTS = ["fault", "faults", "Fault", "Faults"]  # of components
ALLOWED = {
    "analysis/faults": _FAULTS,
    "analysis/studies/faults_study": _FAULTS,
    "analysis/studies/study_names": _FAULTS,
    "app/program.cc": ["fault", "faults"],
    "components/": ["faults"],  # of sensors
    "docs/analysis": ["fault"],
    "docs/testing-machines": _FAULTS,
    "python/davit/fault_campaign": _FAULTS,
    "session/model_description": ["Faults"],
    "docs/fmi": ["step point", "step points"],  # multiples of the TimeStep, as against communication points of a master
    "docs/glossary": ["step point"],
}


def masked(text):
    return "\0" + "\n" * text.count("\n") if text.strip() else text


def prose_of_page(text):
    code = r"^ *(```|~~~).*?^ *\1[^\n]*$|<!--.*?-->|`[^`]*`|\]\([^)]*\)"
    return re.sub(code, lambda found: masked(found[0]), text, flags=re.S | re.M)


STRING = r'"(?P<text>(?:[^"\\\n]|\\.)*)"'
C_TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|' + r"'(?:\\.|[^\\'\n])'|"
                     r'R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|' + STRING, re.S | re.M)
PYTHON_TEXTS = re.compile(r'#[^\n]*|"""(?P<raw>.*?)"""|' + STRING, re.S)
WEB_TEXTS = re.compile(r"(?<!:)//[^\n]*|/\*.*?\*/|(?<=[(=,!:])\s*/(?:\\.|\[[^\]]*\]|[^/\n\\\[])+/|\$\{[^}]*\}|class=(?:\"[^\"]*\"|\{`[^`]*`\})|" + STRING +
                       r"|'(?P<single>(?:[^'\\\n]|\\.)*)'|`(?P<raw>[^`]*)`", re.S)
BETWEEN_TAGS = re.compile(r"(?<=[\w\"'/}])>(?P<raw>[^<>{}=;]*)(?=[<{])", re.S)


def prose_of_source(text, texts):
    """The texts alone, in their places: what is between them is masked, a text that continues another begins with a blank."""
    result, end, is_shown = [], 0, False
    for found in texts.finditer(text):
        kept = next((value for name, value in found.groupdict().items() if value and name != "mark"), "")
        gap = masked(text[end:found.start()])
        continues = is_shown and kept and not gap.strip()
        is_shown = continues or re.search(r"\s|^[A-Z]", kept) is not None
        if is_shown:
            result += [gap, "" if continues else '"', re.sub(r"\$\{[^}]*\}|\\n", "\0", kept)]
        else:
            result += [gap, masked(found[0])]
        end = found.end()
    return "".join(result)


def prose(path, text):
    if path.suffix == ".md":
        return [prose_of_page(text)]
    if path.suffix in (".h", ".cc"):
        return [prose_of_source(text, C_TEXTS)]
    if path.suffix == ".py":
        return [prose_of_source(text, PYTHON_TEXTS)]
    return [prose_of_source(text, kind) for kind in (WEB_TEXTS, BETWEEN_TAGS) if path.suffix == ".tsx" or kind is WEB_TEXTS]


def check(root):
    rules = [(re.compile(rf"(?<![\w.-])(?:{wording})(?![\w(-])".replace(" ", r"\s+").replace(r"\s+)", " )"), re.I), remedy)
             for wording, remedy in RULES.items()]
    for path in sorted({path for files in PAGES + SOURCES for path in root.glob(files)}):
        name = str(path.relative_to(root))
        allowed = {words for place in ALLOWED if name.startswith(place) for words in ALLOWED[place]}
        for text in prose(path, path.read_text()):
            for wording, remedy in rules:
                for found in wording.finditer(text):
                    words = " ".join(found[0].strip('"').split())
                    if words not in allowed:
                        line = text.count("\n", 0, found.start()) + 1
                        yield f"{name}:{line}: error: '{words}'; {remedy}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--rules"]:
        print("\n".join(RULES))
    else:
        found = list(check(Path(sys.argv[1])))
        for error in found:
            print(error, file=sys.stderr)
        sys.exit(1 if found else 0)
