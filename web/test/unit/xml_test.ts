import assert from 'node:assert/strict';
import {test} from 'node:test';
import {applyEdits, editBetween, inverseEdits, type TextEdit} from '../../src/document/text_edit.ts';
import {setAttribute, removeAttribute} from '../../src/document/xml/edits.ts';
import {parseXml} from '../../src/document/xml/parse.ts';
import {attributeValue} from '../../src/document/xml/query.ts';
import {filesIn, random, wellFormed, written} from './files.ts';

test('the tree of every system and chart holds every byte of its file', () => {
  const files = [...filesIn('systems', '.xml'), ...filesIn('systems', '.scxml'), ...filesIn('statecharts/charts', '.scxml')];
  assert.ok(files.length >= 40);
  for (const [path, text] of files) assert.equal(written(wellFormed(text)), text, path);
});

test('line ends, quotes, entities, CDATA, comments and a byte order mark stay as they are', () => {
  const text =
    '\ufeff<?xml version=\'1.0\'?>\r\n<!-- a -- b -->\r\n<a  x = \'1 &lt; "2"\'\r\n\ty="&#176;&amp;" >\r\n  <![CDATA[<b>&x;]]><c /></a >\r\n';
  const document = wellFormed(text);
  assert.equal(written(document), text);
  assert.equal(attributeValue(document.root, 'x'), '1 < "2"');
  assert.equal(attributeValue(document.root, 'y'), '°&');
});

const kBroken: readonly [string, number, string, RegExp][] = [
  ['<a>\n<b>\n</a>', 3, 'a', /<b> of line 2 is closed by <\/a>/],
  ['<a>\n', 1, 'unclosed', /<a> is not closed/],
  ['<a/>\n<b/>', 2, 'two roots', /second root/],
  ['\n\n', 1, 'nothing', /no element/],
  ['<!DOCTYPE a>\n<a/>', 1, 'document type', /document types and entities are not allowed/],
  ['<a>\n<!ENTITY b "c"></a>', 2, 'entity', /document types and entities are not allowed/],
  ['<a x="1" x="2"/>', 1, 'twice', /second attribute 'x'/],
  ['<a\n x/>', 2, 'no value', /'x' has no value/],
  ['<a x=1/>', 1, 'no quotes', /not in quotes/],
  ['<a x="1"y="2"/>', 1, 'no space', /space is missing/],
  ['<a x="1/>', 1, 'open quote', /quote too many or too few/],
  ['<a>\n&nbsp;</a>', 2, 'entity', /unknown entity '&nbsp;'/],
  ['<a x="R&D"/>', 1, 'ampersand', /lone '&'/],
  ['<a><!-- </a>', 1, 'comment', /comment that begins here is not closed/],
  ['<a/>\nx', 2, 'text', /text outside/],
  ['</a>', 1, 'end', /closes nothing/],
  ['<1/>', 1, 'name', /not a name of XML/],
  ['<a', 1, 'cut', /has no '>'/],
  ['<'.repeat(3), 1, 'nothing', /name is missing/],
];
for (const [text, line, what, fault] of kBroken) {
  test(`broken XML tells its place: ${what} in ${JSON.stringify(text)}`, () => {
    const result = parseXml(text);
    assert.ok(result.fault);
    assert.match(result.fault.text, fault);
    assert.equal(result.fault.line, line);
  });
}

test('every text that is cut off or has a character changed is parsed or refused, never more', () => {
  const text = filesIn('systems', '.xml').get('mass_spring_equations.xml')!;
  const {integer, pick} = random(7);
  for (let i = 0; i < 3000; ++i) {
    const at = integer(text.length);
    const changed =
      i % 2
        ? text.slice(0, at)
        : text.slice(0, at) + pick(['<', '>', '"', '&', '/', '\0', ']]>', '-->', '\ud800']) + text.slice(at + integer(3));
    const {document, fault} = parseXml(changed);
    if (document) assert.equal(written(document), changed);
    else assert.ok(fault.line >= 1 && fault.column >= 1 && fault.offset <= changed.length);
  }
});

test('edits and their inverse give the text back', () => {
  const {integer} = random(1);
  for (let i = 0; i < 2000; ++i) {
    const text = Array.from({length: integer(40)}, () => 'abc'[integer(3)]).join('');
    const edits: TextEdit[] = [];
    for (let at = 0; at <= text.length && edits.length < 5; ) {
      const start = at + integer(4);
      const end = start + integer(4);
      if (end > text.length) break;
      edits.push({start, end, text: 'xyz'.slice(0, integer(4))});
      at = end;
    }
    const after = applyEdits(
      text,
      [...edits].reverse().sort((a, b) => a.end - b.end),
    );
    assert.equal(
      applyEdits(
        after,
        inverseEdits(
          text,
          [...edits].sort((a, b) => a.end - b.end),
        ),
      ),
      text,
    );
    const one = editBetween(text, after);
    assert.equal(one ? applyEdits(text, [one]) : text, after);
  }
  assert.throws(
    () =>
      applyEdits('abc', [
        {start: 0, end: 2, text: ''},
        {start: 1, end: 3, text: ''},
      ]),
    RangeError,
  );
});

test('a value that is set is read back, whatever characters it has; removing it gives the text back', () => {
  const {integer, pick} = random(3);
  for (const quote of ['"', "'"]) {
    const text = `<a>\n  <b name=${quote}x${quote}\n      c=${quote}1${quote}/>\n</a>\n`;
    for (let i = 0; i < 500; ++i) {
      const value = Array.from({length: integer(8)}, () =>
        pick(['<', '>', '&', '"', "'", 'ä', '😀', ' ', 'x', '&lt;', ']]>']),
      ).join('');
      const document = wellFormed(text);
      const element = document.root.children[1]!;
      assert.ok(element.kind === 'element');
      const after = applyEdits(text, [setAttribute(document, element, 'd', value)]);
      const again = wellFormed(after);
      const changed = again.root.children[1]!;
      assert.ok(changed.kind === 'element');
      assert.equal(attributeValue(changed, 'd'), value);
      assert.equal(applyEdits(after, [removeAttribute(again, changed, 'd')!]), text);
    }
  }
});

test('a text of 5 MB is read in a time that grows with its length', () => {
  const text = `<System>\n${'  <hydraulic.Tank name="tank" back_pressure="0 bar"/>\n'.repeat(100000)}</System>\n`;
  const begin = performance.now();
  assert.equal(wellFormed(text).root.children.length, 200001);
  const quarter = text.slice(0, text.indexOf('\n', text.length / 4)) + '\n</System>';
  const middle = performance.now();
  wellFormed(quarter);
  const end = performance.now();
  assert.ok(middle - begin < 20 * (end - middle), `${middle - begin} ms, a quarter ${end - middle} ms`);
});
