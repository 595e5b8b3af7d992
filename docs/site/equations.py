"""Typesets the equations of a model: the text that `davit describe` prints becomes HTML with MathML.

    equations.py FOLDER       lists what does not parse in the pages *.md of a folder

A text is prose with formulas in it: `q = K*dp/(dp^2 + d^2)^(1/4)`. A formula has operators, calls of functions, and names:
single letters, names with `_` or digits, Greek letters, names that the model declares or that stand before `=`. `'` is a
derivative, or the value one step ago in texts that say so. What looks like a formula and is none is shown as code.
"""

import html
import itertools
import re
import sys
from pathlib import Path

GREEK = dict(zip("alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi psi omega".split(),
                 "αβγδεζηθκλμνξπρστφψω"), Phi="Φ", eps="ε")
FUNCTIONS = set("acos clip cos diag exp ln lg max mean min orifice sign sin sqrt sum tan tanh der".split())
UNITS = set("% A GPa Hz J K MPa N Pa V W bar cSt cm3 deg degC h kg kN l m m2 m3 min mm mm2 ms rad rev rpm s s2 um".split())
WORDS = set("a A I In It If Of So At No By On As Is To An Be Or Li Yu K".split())  # prose, unless in a formula
LETTERS = set("vs wp mp xf cv db pv".split())
NAMES = set("TimeStep acc area ez limit oil specific_heat tip vel wanted wind".split())  # of no model
RELATIONS = {"<=": "≤", ">=": "≥", "<<": "≪", ">>": "≫", "=": "=", "<": "<", ">": ">", "~": "∼", "..": "…"}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*(?:_(?=\())?")
NUMBER = re.compile(r"(?:\d+\.\d+|\d+)(?:e([+-]?\d+))?(?![\w.]*[A-Za-z_])(?!\.\d)")
MODEL = re.compile(r"[a-z]+\.[A-Z]\w*")
CITATION = re.compile(r"\[([A-Z][^\[\]\d]*\s\d{4}[a-z]?)\]")
FORMULA_LEFT = re.compile(r"[=^*]|[a-zA-Z]\(|<=|>=")
CODE = re.compile(r"`[^`]+`|<[A-Z]\w*[^>]*/>|\w+=\"[^\"]*\"")
LABEL = re.compile(r"([A-Za-z][\w ,/=()-]*):(?=  |$)|(\w+ [A-Z]\w+(?: \([\w ,]+\))?):(?= )")
BULLET = re.compile(r"- (?=\D)")  # of a list, at the begin of a line; continued by indented lines
CASE = re.compile(r"( *)(\w+'? =) (.*?\S)  +(\S.*)")


def escape(text):
    return html.escape(text, quote=False)


def tag(name, *parts, **attributes):
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(parts)}</{name}>"


def operator(sign, **attributes):
    return tag("mo", escape(sign), **attributes)


class Wrong(Exception):
    """There is no formula here."""


class Formula:
    """Reads one formula that begins at a place of a text; `math` is MathML, `end` the place behind it."""

    def __init__(self, text, begin, names, primes_are_old, has_stars):
        self.text, self.at, self.names, self.primes_are_old = text, begin, names, primes_are_old
        self.has_stars = has_stars  # products have a sign, except before a prime and behind a power
        self.signs = 0      # operators and calls: a name alone is no formula
        self.has_relation = False
        self.depth = 0
        self.math = self.chain()
        self.end = self.at

    # ---- reading ---------------------------------------------------------------------------------

    def skip(self):
        """The place behind blanks, of which one separates operands, two separate columns."""
        at = self.at
        while self.text[at:at + 1] == " " and (self.depth or at == self.at):
            at += 1
        return at

    def attempt(self, read):
        """What `read` gives, or None without moving."""
        state = self.at, self.signs, self.has_relation, self.depth
        try:
            return read()
        except Wrong:
            self.at, self.signs, self.has_relation, self.depth = state
            return None

    def expect(self, sign):
        if not self.text.startswith(sign, self.at):
            raise Wrong
        self.at += len(sign)

    def chain(self):
        parts = [self.sum()]
        while True:
            at = self.skip()
            sign = next((one for one in RELATIONS if self.text.startswith(one, at)), None)
            if sign is None:
                return tag("mrow", *parts)

            def more(at=at, sign=sign):
                self.at = at + len(sign)
                self.at = self.skip()
                self.signs += 1
                self.has_relation = self.has_relation or sign not in ("..",)
                return self.sum()

            right = self.attempt(more)
            if right is None:
                return tag("mrow", *parts)
            parts += [operator(RELATIONS[sign]), right]

    def sum(self):
        parts = []
        for sign, shown in (("+-", "±"), ("-", "−"), ("+", "+")):
            if self.text.startswith(sign, self.at):
                self.at += len(sign)
                self.at = self.skip() if self.depth == 0 and not parts else self.at
                parts.append(operator(shown, form="prefix"))
                break
        parts.append(self.product())
        while True:
            at = self.skip()
            sign = self.text[at:at + 1]
            spaces = at > self.at, self.text[at + 1:at + 2] == " "
            if sign not in ("+", "-") or not sign or spaces == (True, False):
                return tag("mrow", *parts) if len(parts) > 1 else parts[0]
            right = self.operand(at, self.product)
            if right is None:
                return tag("mrow", *parts) if len(parts) > 1 else parts[0]
            parts += [operator("−" if sign == "-" else "+"), right]

    def operand(self, at, read):
        """What `read` finds behind the sign at `at`; None if there is no operand, and then nothing is read."""

        def behind():
            self.at = at + 1
            self.at = self.skip()
            self.signs += 1
            return read()

        return self.attempt(behind)

    def product(self):
        """Factors since the last fraction become the numerator of the next one."""
        done, factors = [], [self.power()]
        while True:
            at = self.skip()
            sign = self.text[at:at + 1]
            if sign in ("*", "/") and sign:
                right = self.operand(at, self.power)
                if right is None:
                    break
                if sign == "*":
                    factors.append(right)
                elif not factors:  # a/b/c
                    top, below = done.pop()[1]
                    done.append(self.fraction(top, [*below, right]))
                else:
                    done.append(self.fraction(factors, [right]))
                    factors = []
            elif at == self.at + 1 and self.is_factor(at, factors[-1] if factors else done[-1]):
                right = self.attempt(lambda at=at: self.beside(at))
                if right is None:
                    break
                factors.append(right)
            else:
                break
        parts = [*done, *factors]
        return self.times(parts)

    def beside(self, at):
        """A factor without a sign: `gain u`, `gain (u - band)`."""
        self.at = at
        before = self.signs
        factor = self.power()
        if factor[0] == "group" and self.signs == before:
            raise Wrong
        return factor

    def is_factor(self, at, before):
        """Whether what begins there is a factor, and no word of the prose."""
        if self.text[at:at + 1] == "(":
            return not self.has_stars and self.text[at - 2] not in ".,;:"
        match = NAME.match(self.text, at)
        if before == ("number", "<mn>0</mn>", ""):
            return False
        if match and self.has_stars and before[0] != "power" and not self.text.startswith("'", match.end()):
            return False
        if not match or match[0] in WORDS and not self.text.startswith(("'", "_"), match.end()):
            return False
        if match[0] in FUNCTIONS:
            return self.text[match.end():match.end() + 1] == "("
        return self.is_letter(match[0]) and not re.match(r" ?=|\.\w", self.text[match.end():match.end() + 2])

    def fraction(self, top, below):
        if len(top) == len(below) == 1 and top[0][0] == below[0][0] == "name" and all(
                re.match("d[A-Za-z]", one[2]) for one in (top[0], below[0])):
            top, below = ([("name", tag("mrow", tag("mi", "d", mathvariant="normal"), self.name(one[0][2][1:])), "")]
                          for one in (top, below))
        bare = [tag("mfrac", self.times(top, True), self.times(below, True))]
        return ("fraction", (top, below), bare[0])

    @staticmethod
    def times(factors, without_brackets=False):
        shown = []
        for i, factor in enumerate(factors):
            kind, math = factor[0], factor[2] if factor[0] == "fraction" else factor[1]
            if kind == "group" and without_brackets and len(factors) == 1:
                math = factor[2]
            if i:
                before = factors[i - 1]
                is_close = kind not in ("number", "group", "word", "closed") and before[0] not in ("word", "call")
                if kind == "call" or math.startswith("<msqrt"):
                    shown.append(tag("mspace", width="0.2em"))
                shown.append(operator("⁢") if is_close else operator("⋅", lspace="0.12em", rspace="0.12em"))
            shown.append(math)
        return tag("mrow", *shown) if len(shown) > 1 else shown[0]

    def power(self):
        base = self.postfix()
        if not self.text.startswith("^", self.at):
            return base
        self.at += 1
        self.signs += 1
        if self.text.startswith("(", self.at):
            exponent = self.bracket()[2]
        elif self.text.startswith("-", self.at):
            self.at += 1
            exponent = tag("mrow", operator("−", form="prefix"), self.postfix()[1])
        else:
            exponent = self.postfix()[1]
        return ("closed" if base[0] == "group" else "power", tag("msup", base[1], exponent), base[0])

    def postfix(self):
        atom = self.atom()
        primes = re.match("'{1,2}(?![A-Za-z])", self.text[self.at:])
        if not primes:
            return atom
        self.at += primes.end()
        self.signs += 1
        count = primes.end()
        kind, math, source = atom
        if self.primes_are_old or kind == "call":
            return (kind, tag("msup", math, operator("′" * count)), source)
        if kind == "name":
            return (kind, self.name(source, "˙" if count == 1 else "¨"), source)
        d = tag("mi", "d", mathvariant="normal")
        top = d if count == 1 else tag("msup", d, tag("mn", "2"))
        below = tag("mrow", d, tag("mi", "t") if count == 1 else tag("msup", tag("mi", "t"), tag("mn", "2")))
        return ("word", tag("mrow", tag("mfrac", top, below), math), source)

    def bracket(self):
        """( ... ), also with commas: the kind, with and without the brackets."""
        self.expect("(")
        self.depth += 1
        parts = [self.inner()]
        while self.text.startswith(",", self.skip()):
            self.at = self.skip() + 1
            parts += [operator(","), self.inner()]
        self.at = self.skip()
        self.expect(")")
        self.depth -= 1
        inside = tag("mrow", *parts)
        high = {} if re.search("<mfrac|<mtable|<msqrt", inside) else {"stretchy": "false"}
        return ("group", tag("mrow", operator("(", **high), inside, operator(")", **high)), inside)

    def inner(self):
        self.at = self.skip()
        if self.text.startswith("...", self.at):
            self.at = self.at + 3
            self.at = self.skip()
            return operator("…") if self.text[self.at:self.at + 1] in ",)" else tag("mrow", operator("…"), self.chain())
        return self.chain()

    def atom(self):
        text, at = self.text, self.at
        if text.startswith("(", at):
            group = self.bracket()
            if text.startswith("_", self.at):
                self.at += 1
                match = NAME.match(text, self.at)
                if not match:
                    raise Wrong
                self.at = match.end()
                return ("name", tag("msub", group[1], self.name(match[0])), "")
            return group
        if text.startswith("|", at):
            self.at += 1
            inside = self.sum()
            self.expect("|")
            self.signs += 1
            return ("name", tag("mrow", operator("|", form="prefix", stretchy="false"), inside,
                                operator("|", form="postfix", stretchy="false")), "")
        if text.startswith("[", at):
            return self.matrix()
        number = NUMBER.match(text, at)
        if number and not text.startswith("/", at - 1) or number and self.signs:
            self.at = number.end()
            return self.number(number)
        match = NAME.match(text, at)
        if not match or re.match(r"\.\w", text[match.end():]):
            raise Wrong
        return self.called(match)

    def called(self, match):
        name = match[0]
        self.at = match.end()
        has_argument = self.text.startswith("(", self.at)
        if name.endswith("_"):  # p_(k-1)
            sub = self.bracket()[2]
            return ("name", tag("msub", self.name(name[:-1]), sub), "")
        if name == "sqrt" and has_argument:
            self.signs += 1
            return ("name", tag("msqrt", self.bracket()[2]), "")
        if name == "sum" and (has_argument or self.text.startswith(" ", self.at)):
            self.signs += 1
            sigma = operator("∑", movablelimits="false")
            if has_argument:
                group = self.bracket()
                is_simple = not re.search("[-+−]", group[2])
                return ("call", tag("mrow", sigma, group[2] if is_simple else group[1]), "")
            self.at += 1
            return ("call", tag("mrow", sigma, self.product()), "")
        if name in FUNCTIONS and not has_argument:
            if not re.match(r"(\^\d+)? [A-Za-z]\w*", self.text[self.at:]) or name in ("sign", "max", "min", "mean", "clip"):
                raise Wrong
            self.signs += 1
            function = tag("mi", name)
            power = re.match(r"\^(\d+)", self.text[self.at:])
            if power:
                self.at += power.end()
                function = tag("msup", function, tag("mn", power[1]))
            self.at += 1
            return ("call", tag("mrow", function, operator("⁡"), tag("mspace", width="0.15em"), self.postfix()[1]), "")
        if has_argument and (name in FUNCTIONS or self.is_letter(name)):
            self.signs += 1
            function = tag("mi", name) if name in FUNCTIONS else self.name(name)
            return ("call", tag("mrow", function, operator("⁡"), self.bracket()[1]), "")
        index = re.match(r"\[(i|n)([+-]1)?\]", self.text[self.at:])
        if index:
            self.at += index.end()
            return ("name", tag("mrow", self.name(name), operator("["), tag("mi", index[1]), tag("mn", index[2] or ""),
                                operator("]")), "")
        is_option = re.search(r"\w = $", self.text[:match.start()]) and re.match("[A-Z][a-z]", name)
        is_factor = self.text[match.start() - 1:match.start()] == "*" or self.text[self.at:self.at + 1] == "*"
        if not self.is_letter(name) and name not in self.names and not is_option and not is_factor:
            raise Wrong
        math = self.name(name)
        return ("word" if 'class="name"' in math else "name", math, name)

    def number(self, number):
        if number[1]:
            digits = number[0].partition("e")[0]
            ten = tag("msup", tag("mn", "10"), tag("mn", number[1].replace("-", "−")))
            math = ten if digits == "1" else tag("mrow", tag("mn", digits), operator("⋅"), ten)
        else:
            math = tag("mn", number[0])
        unit = re.match(r" ([A-Za-z%0-9]+(?:[./][A-Za-z]+\d?)*)(?![\w'^*(=]| =)", self.text[self.at:])
        if unit and all(part in UNITS for part in re.split("[./]", unit[1]) if part):
            self.at += unit.end()
            return ("number", tag("mrow", math, tag("mspace", width="0.2em"), tag("mi", unit[1], mathvariant="normal")), "")
        return ("number", math, "")

    def matrix(self):
        match = re.match(r"\[([^\]]*;[^\]]*)\]", self.text[self.at:])
        if not match:
            raise Wrong
        self.at += match.end()
        rows = [tag("mtr", *[tag("mtd", self.name(one)) for one in row.split()]) for row in match[1].split(";")]
        return ("name", tag("mrow", operator("["), tag("mtable", *rows), operator("]")), "")

    # ---- names -----------------------------------------------------------------------------------

    def is_letter(self, name):
        """Whether it is a symbol: no word of a language looks like it."""
        base = name.strip("_").split("_")[0]
        if name in self.names or name in LETTERS or base in GREEK or len(base) == 1:
            return True
        if re.fullmatch(r"d(p|T|c|l|q|K|x|ddp|oil|Phi|p0|dp)", base) or re.fullmatch(r"[A-Z][a-z]", name):
            return name not in WORDS
        return "_" in name or bool(re.fullmatch(r"[A-Za-z]{1,2}\d+", name))

    def name(self, name, dot=""):
        base, _, below = name.partition("_")
        if base in GREEK or len(base) <= 2 or base in ("oil", "dPhi") or re.fullmatch(r"[A-Za-z]{1,2}\d+|dp\d", base):
            is_known_word = name in self.names and len(base) > 2 and base not in GREEK and not re.fullmatch(
                r"d[pTc]\d?|[A-Za-z]{1,2}\d+", base)
            if not is_known_word:
                return self.symbol(base, below, dot)
        shown = tag("mi", name, mathvariant="normal", **{"class": "name"})
        if not dot:
            return shown
        d = tag("mi", "d", mathvariant="normal")
        power = (lambda one: one) if dot == "˙" else (lambda one: tag("msup", one, tag("mn", "2")))
        return tag("mrow", tag("mfrac", power(d), tag("mrow", d, power(tag("mi", "t")))), shown)

    @staticmethod
    def symbol(base, below, dot):
        if base == "dPhi":
            return tag("mrow", tag("mi", "d", mathvariant="normal"), tag("mi", "Φ"))
        difference = re.fullmatch(r"d(p|T|c)(\d?)", base)
        if difference:
            base = difference[1] + difference[2]
        parts = [below] if below else []
        digits = re.fullmatch(r"([A-Za-z]+?)(\d+)", base)
        if digits:
            base, parts = digits[1], [digits[2], *parts]
        elif re.fullmatch("[A-Za-z][a-z]", base) and base not in GREEK and base not in ("Re", "in", "to"):
            base, parts = base[0], [base[1], *parts]
        shown = tag("mi", GREEK.get(base, base))
        if difference:
            shown = tag("mrow", tag("mi", "Δ", mathvariant="normal"), shown)
        if dot:
            shown = tag("mover", shown, operator(dot), accent="true")
        subs = [one for part in parts for one in part.split("_")]
        if not subs:
            return shown
        marks = [tag("mn", one) if one.isdigit() else tag("mi", GREEK.get(one, one)) for one in subs]
        spread = [marks[0], *[part for mark in marks[1:] for part in (operator(","), mark)]]
        return tag("msub", shown, tag("mrow", *spread) if len(spread) > 1 else spread[0])


class Typesetter:
    """The equations of one model. `names` are those it declares, `link` gives the address of a model, a page or a source."""

    def __init__(self, text, names, link):
        defined = re.findall(r"(?<![\w.])([A-Za-z][\w]*)'* = ", text)
        self.declared = set(names)
        self.names = NAMES | self.declared | {name for name in defined if not name.isdigit()}
        self.primes_are_old = "step ago" in text
        self.has_stars = bool(re.search(r"\w\*\w", text))
        self.link = link
        self.unread = []

    def html(self, text):
        lines = self.joined(text.rstrip("\n").split("\n"))
        shown = []
        at = 0
        while at < len(lines):
            cases = self.cases_at(lines, at)
            if len(cases) > 1:
                shown.append(self.cases(cases))
                at += len(cases)
                continue
            items = list(itertools.takewhile(BULLET.match, lines[at:]))
            if items:
                shown.append("<ul>" + "".join(f"<li>{self.line(item[2:])}</li>" for item in items) + "</ul>")
                at += len(items)
                continue
            line = lines[at]
            at += 1
            indent = len(line) - len(line.lstrip())
            shown.append(f'<p style="margin-left:{indent * 0.7:g}em">{self.line(line.strip())}</p>' if line.strip() else "")
        return '<div class="equations">\n' + "\n".join(one for one in shown if one) + "\n</div>"

    @staticmethod
    def cases_at(lines, at):
        """The lines from there on that give one quantity under different conditions."""
        first = CASE.fullmatch(lines[at])
        found = []
        while first and at < len(lines):
            match = CASE.fullmatch(lines[at])
            if not match or match[1] != first[1] or match[2] != first[2] or re.search(r",$|\w =", match[3] + match[4][:9]):
                break
            found.append(match)
            at += 1
        return found

    def cases(self, cases):
        rows = "".join(f"<tr><td>{self.inline(one[3])}</td><td>{self.inline(one[4])}</td></tr>" for one in cases)
        left = self.formula(cases[0][2] + " 0")
        left = left.replace("<mn>0</mn>", "", 1) if left else escape(cases[0][2])
        return f'<div class="cases">{left}<table><tbody>{rows}</tbody></table></div>'

    def joined(self, lines):
        """Lines that were broken because they were full become one again."""
        found = []
        for line in lines:
            before = found[-1] if found else ""
            if found and self.continues(before, line, self.last):
                found[-1] = before.rstrip() + " " + line.strip()
            else:
                found.append(line)
            self.last = line
        return found

    def continues(self, before, line, last):
        text = line.strip()
        if BULLET.match(line) or BULLET.match(before):
            return not BULLET.match(line) and line.startswith("  ")
        if not text or not before.strip() or text.startswith(("<", "Example:")) or before.strip().startswith(("<", "Example:")):
            return False
        if before.count("(") > before.count(")") or re.match(r"[-+*/=] ", text) or re.search(r" [-+*/=,]$|,$| e =$", before) and (
                len(last) > 90 or not before.rstrip().endswith(",")):
            return True
        indents = [len(one) - len(one.lstrip()) for one in (before, line)]
        if len(last) + 1 + len(text.split()[0]) < 88 or indents[1] < indents[0]:
            return False
        if indents[1] > indents[0] and before.rstrip().endswith((":", ";", ".")) or self.label(text):
            return False
        first = text.split()[0]
        if re.search(r"\S {3,}\S", text) or first == last.split()[0] and ("  " in text or first in self.declared):  # a list
            return False
        formula = self.read(text, 0)
        is_equation = formula is not None and formula.has_relation
        end = re.search(r"(?:^| )([A-Za-z][a-z]+)$", before)  # in the middle of a sentence
        return not is_equation or end is not None and end[1] not in self.names

    def line(self, text):
        if text.startswith("Example:") or text.startswith("<") and not text.startswith("<Start "):
            return self.code(text)
        label = self.label(text)
        if label:
            return f"<b>{self.inline(label)}</b>{self.inline(text[len(label):])}"
        return self.inline(text)

    def label(self, text):
        """What the line is about: an option, or a few words."""
        label = LABEL.match(text)
        if not label or self.read(text, 0):
            return ""
        words = (label[1] or label[2]).split()
        is_label = len(words) < 6 and (words[0] in self.declared or label[1] and words[0][0].isupper())
        return label[1] or label[2] if is_label else ""

    def read(self, text, at):
        """The formula that begins there; None if none does."""
        try:
            formula = Formula(text, at, self.names, self.primes_are_old, self.has_stars)
        except (Wrong, IndexError):
            return None
        is_ratio = re.fullmatch(r"\d+[-/]\d+", text[at:formula.end])  # a 4/2 way valve, table 3-2
        units = text[at:formula.end].split("/")
        is_unit = len(units) > 1 and all(one in UNITS or one == "1" for one in units) and max(map(len, units)) > 1
        return formula if formula.signs and not is_ratio and not is_unit else None

    def formula(self, text):
        formula = self.read(text, 0)
        return self.math(formula) if formula else ""

    @staticmethod
    def math(formula):
        shown = ' displaystyle="true"' if formula.has_relation else ""
        return f"<math{shown}>{formula.math}</math>"

    def inline(self, text):
        """Prose with its formulas."""
        shown, prose, at = [], "", 0
        while at < len(text):
            code = CODE.match(text, at)
            if code:
                shown += [self.prose(prose), self.code(code[0])]
                prose, at = "", code.end()
                continue
            is_start = at == 0 or not re.match(r"[\w.'/*^)\]|]", text[at - 1])
            formula = self.read(text, at) if is_start and re.match(r"[\w(|+-]", text[at]) else None
            if formula:
                shown += [self.prose(prose), self.math(formula)]
                prose, at = "", formula.end
            else:
                prose += text[at]
                at += 1
        return "".join([*shown, self.prose(prose)])

    def code(self, text):
        return f"<code>{escape(text.strip('`'))}</code>"

    def prose(self, text):
        """Escaped, with links; names of the model and symbols are set as such."""
        left = re.sub(MODEL, "", text)
        for part in re.findall(r"\S*(?:%s)\S*" % FORMULA_LEFT.pattern, left):
            self.unread.append(text.strip())
        shown = escape(text)
        shown = CITATION.sub(lambda one: self.anchor(one[0], one[0]), shown)
        shown = MODEL.sub(lambda one: self.anchor(one[0], one[0]), shown)
        shown = re.sub(r"docs/([\w-]+)\.md", lambda one: self.anchor(one[0], one[0]), shown)
        shown = re.sub(r"(?<![\w.>/#\"'=])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)(?![\w.]*[\w\"(]|-)", self.word, shown)
        return re.sub(r"   *", '<span class="gap"></span>', shown)

    def word(self, match):
        name = match[1]
        if re.fullmatch(r"[A-Za-z]{1,2}_\w{1,9}|[a-zA-Z]{1,2}\d|Zc|[b-zB-HJ-Z]", name) or name.split("_")[0] in GREEK or name in LETTERS:
            return f"<math>{Formula.name(_NAMES, name)}</math>"
        return f"<code>{name}</code>" if "_" in name else name

    def anchor(self, text, target):
        address = self.link(target)
        return f'<a href="{address}">{text}</a>' if address else text


class _Names(Formula):
    def __init__(self):
        self.names = set()


_NAMES = _Names()
FENCE = re.compile(r"^```equations\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def typeset(page, link):
    """A page of Markdown with its equations as HTML, and what could not be read of them."""
    names = re.findall(r"^\| `([A-Za-z]\w*)(?:\[[^`]*\])?` \|", page, re.MULTILINE)
    texts = FENCE.findall(page)
    setter = Typesetter("\n".join(texts), names, link)
    shown = FENCE.sub(lambda block: setter.html(block[1]), page)
    return shown, setter.unread


if __name__ == "__main__":
    count = 0
    for file in sorted(Path(sys.argv[1]).glob("*.md")):
        for text in typeset(file.read_text(), lambda target: "")[1]:
            print(f"{file.stem}: {text}")
            count += 1
    sys.exit(1 if count else 0)
