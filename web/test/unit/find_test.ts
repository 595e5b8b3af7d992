// Search in the texts of a folder.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {matchesIn, replacedIn} from '../../src/studio/find/matches.ts';

const kAny = {hasCase: false, isWhole: false};

test('each place is found once, with its line, and what is around it is the line', () => {
  const text = '<a name="pump"/>\n  <b from="pump.out" to="Pump2.in"/>\npump';
  const found = matchesIn(text, 'pump', kAny);
  assert.deepEqual(
    found.map(({line, parts}) => [line, ...parts]),
    [
      [1, '<a name="', 'pump', '"/>'],
      [2, '<b from="', 'pump', '.out" to="Pump2.in"/>'],
      [2, '<b from="pump.out" to="', 'Pump', '2.in"/>'],
      [3, '', 'pump', ''],
    ],
  );
  for (const {start, end, parts} of found) assert.equal(text.slice(start, end), parts[1]);
  assert.equal(matchesIn(text, 'pump', {hasCase: true, isWhole: false}).length, 3);
  assert.equal(matchesIn(text, 'pump', {hasCase: false, isWhole: true}).length, 3);
  assert.deepEqual(matchesIn(text, '', kAny), []);
});

test('what is searched and what replaces it are taken as they are written', () => {
  assert.equal(replacedIn('a.b axb', 'a.b', '$&\\1', kAny), '$&\\1 axb');
  assert.equal(replacedIn('x*(y)', '*(', '[', kAny), 'x[y)');
  const text = 'pump pumps pump.x pump';
  for (const isWhole of [true, false]) {
    const options = {hasCase: true, isWhole};
    const replaced = replacedIn(text, 'pump', 'motor', options);
    assert.equal(matchesIn(replaced, 'motor', options).length, matchesIn(text, 'pump', options).length);
    assert.equal(replacedIn(replaced, 'motor', 'pump', options), text);
  }
});
