import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Item, RunEvent} from '../../src/api/types.ts';
import {causeOf, mergedEvents, readTransition} from '../../src/live/causes.ts';
import {worstAlarm} from '../../src/ui/overview/choice.ts';
import {severityOf, zones} from '../../src/ui/panel/limits.ts';
import {readCsv} from '../../src/ui/plots/csv.ts';
import {signalsOf} from '../../src/ui/plots/files.ts';
import {groups} from '../../src/ui/plots/marks.ts';
import {ticks, toSvg} from '../../src/ui/plots/svg.ts';
import {chooseCrossing, crossings} from '../../src/ui/plots/trigger.ts';
import {overEachOther} from '../../src/ui/plots/xy.ts';

/** A sine of 1 Hz over whole periods, in points that do not hit its zeros. */
function sine(periods: number, perPeriod: number) {
  const t = Array.from({length: periods * perPeriod}, (_, i) => (i + 0.3) / perPeriod);
  return {t, v: t.map((time) => Math.sin(2 * Math.PI * time))};
}

test('a sine crosses a level once up and once down a period, at the times of its inverse', () => {
  const periods = 4;
  const line = sine(periods, 4000);
  const level = 0.5;
  const up = crossings(line, level, 'rising');
  const down = crossings(line, level, 'falling');
  assert.equal(up.length, periods);
  assert.equal(down.length, periods);
  const inverse = Math.asin(level) / (2 * Math.PI);
  for (const [i, time] of up.entries()) assert.ok(Math.abs(time - (i + inverse)) < 1e-6, `${time}`);
  for (const [i, time] of down.entries()) assert.ok(Math.abs(time - (i + 0.5 - inverse)) < 1e-6, `${time}`);
  assert.deepEqual(
    crossings(line, level, 'either'),
    [...up, ...down].sort((a, b) => a - b),
  );
  // Upside down, rising is falling.
  assert.deepEqual(crossings({t: line.t, v: line.v.map((value) => -value)}, -level, 'falling'), up);
});

test('what reaches the level and goes back has not crossed it; what rests on it crosses where it came to it', () => {
  assert.deepEqual(crossings({t: [0, 1, 2], v: [-1, 0, -1]}, 0, 'either'), []);
  assert.deepEqual(crossings({t: [0, 1, 2, 3], v: [-1, 0, 0, 1]}, 0, 'rising'), [1]);
  assert.deepEqual(crossings({t: [0, 1, 2], v: [0, 0, 1]}, 0, 'rising'), []);
  assert.deepEqual(crossings({t: [], v: []}, 0, 'rising'), []);
});

test('the trigger holds until its span is over; one that fires once stays at the first crossing', () => {
  const span = 10;
  assert.equal(chooseCrossing([], null, 5, span, false), null);
  assert.equal(chooseCrossing([1, 3], 1, 5, span, false), 1);
  assert.equal(chooseCrossing([1, 3, 8], 1, 9.1, span, false), 8);
  assert.equal(chooseCrossing([1, 3, 8], 1, 99, span, true), 1);
  assert.equal(chooseCrossing([1, 3, 8], null, 99, span, true), 1);
  // After a reset it is no longer there.
  assert.equal(chooseCrossing([], 1, 0.5, span, true), null);
});

test('xy: a cosine over a sine is a circle, whatever the times of both', () => {
  const a = sine(2, 1000);
  const t = a.t.map((time) => time + 0.00037);
  const {x, y} = overEachOther(a, {t, v: t.map((time) => Math.cos(2 * Math.PI * time))}, 0.2, 1.7);
  assert.ok(x.length > 2000);
  for (const [i, one] of x.entries()) assert.ok(Math.abs(Math.hypot(one, y[i]!) - 1) < 1e-4);
});

test('csv: separators, decimal comma, quotes, units, gaps and comments', () => {
  const table = readCsv('# made by hand\ntime [ms];"p; a [bar]";q (l/min)\n0;1,5;2\n500;;3\n1000;2,5;4\n');
  assert.deepEqual(table.t, [0, 0.5, 1]);
  assert.deepEqual(
    table.columns.map(({name, unit}) => [name, unit]),
    [
      ['p; a', 'bar'],
      ['q', 'l/min'],
    ],
  );
  assert.deepEqual(table.columns[0]!.v, [1.5, Number.NaN, 2.5]);
  assert.deepEqual(readCsv('t\tx\n0\t1\n1\t2\n').columns[0]!.v, [1, 2]);
});

test('csv: what is wrong is said with its line', () => {
  const fault = (text: string) => {
    try {
      readCsv(text);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  assert.match(fault('time,x\n0,1\n1,2\n0.5,3\n'), /line 4: the time goes back from 1 s to 0.5 s/);
  assert.match(fault('time,x\n0,1\nnow,2\n'), /line 3: 'now' is not a time/);
  assert.match(fault('0,1\n1,2\n2,3\n'), /must have the names/);
  assert.match(fault('time [days],x\n0,1\n1,2\n'), /use s, ms/);
  assert.match(fault('time\n0\n1\n'), /two columns/);
  assert.match(fault('time,x\n0,a\n1,b\n'), /no column has numbers/);
});

const bar = {unit: 'Pa', display_unit: 'bar', display_factor: 1e-5, display_offset: 0, is_signal: true} as Item;

test('columns of a file are in SI where the run knows the unit, so that both share a panel in any unit', () => {
  const found = signalsOf(
    'm.csv',
    'time [s],pressure [bar],pump.p,strange [furlong],raw [Pa]\n0,2,3e5,7,1e5\n1,4,4e5,8,2e5\n',
    {
      'pump.p': bar,
    },
  );
  assert.deepEqual([...found.keys()], ['m.csv: pressure', 'm.csv: pump.p', 'm.csv: strange', 'm.csv: raw']);
  const [pressure, pump, strange, raw] = [...found.values()];
  for (const [i, value] of pressure!.points.v.entries()) assert.ok(Math.abs(value / [2e5, 4e5][i]! - 1) < 1e-12);
  assert.equal(pressure!.item.display_unit, 'bar');
  assert.deepEqual(pump!.points.v, [3e5, 4e5]); // as davit writes results
  assert.deepEqual(raw!.points.v, [1e5, 2e5]);
  assert.deepEqual(strange!.points.v, [7, 8]);
  assert.equal(strange!.item.unit, 'furlong');
});

const event = (n: number, time: number, kind: RunEvent['kind'], path: string, text: string): RunEvent => ({
  n,
  time,
  kind,
  path,
  text,
  run: 1,
});

test('a transition is read as it is logged', () => {
  assert.deepEqual(readTransition('a -> b: go [x gt 2*y] for 0.5 s with x = 3, y = 1'), {
    from: 'a',
    to: 'b',
    event: 'go',
    guard: '[x gt 2*y] for 0.5 s',
    values: 'x = 3, y = 1',
  });
  assert.deepEqual(readTransition('a -> b'), {from: 'a', to: 'b', event: '', guard: '', values: ''});
});

test('causes: guard with values, event with the command that sent it, time, chart that sets a level', () => {
  const events = [
    event(0, 2, 'message', 'operator', '<At time="2 s" event="lift" to="operator"/>'),
    event(1, 2, 'transition', 'operator', 'waiting -> raising: lift'),
    event(2, 5, 'transition', 'operator', 'raising -> raised: [q1 ge 2] with q1 = 2.1'),
    event(3, 7, 'transition', 'operator', 'raised -> folding: after 2 s'),
    event(4, 7, 'transition', 'detail', 'low -> high: [a gt b] with a = 2, b = 1'),
    event(5, 7, 'level', 'motor', 'level Ideal -> Standard'),
    event(6, 9, 'level', 'pump', 'level Ideal -> Standard'),
  ];
  const charts = [{path: 'detail', reads: [], sets: ['motor.level']}];
  const cause = (i: number) => causeOf(events[i]!, events, charts, 0.02);
  assert.deepEqual(cause(0), {kind: 'command', text: events[0]!.text});
  assert.deepEqual(cause(1), {kind: 'event', text: 'lift', because: events[0]});
  assert.deepEqual(cause(2), {kind: 'guard', text: '[q1 ge 2]', values: 'q1 = 2.1'});
  assert.deepEqual(cause(3), {kind: 'time', text: 'after 2 s'});
  assert.deepEqual(cause(5), {kind: 'chart', text: events[4]!.text, because: events[4]});
  assert.equal(cause(6), undefined);
});

test('a flood of events that differ in numbers is one, with a count', () => {
  const flood = Array.from({length: 1000}, (_, i) =>
    event(i, i / 100, 'message', 'load', `<At time="${i / 100} s" set="m" value="${i}"/>`),
  );
  const merged = mergedEvents([event(-1, 0, 'level', 'pump', 'level Ideal -> Standard'), ...flood]);
  assert.deepEqual(
    merged.map(({count, since}) => [count, since]),
    [
      [1, 0],
      [1000, 0],
    ],
  );
  assert.equal(merged[1]!.last, flood.at(-1));
  // Of another run they are others.
  assert.equal(mergedEvents([flood[0]!, {...flood[1]!, run: 2}]).length, 2);
});

test('marks that are close share a head, and none is lost', () => {
  const events = [0, 1, 2, 50, 51, 100, 500].map((time, n) => event(n, time, 'alarm', 'a', 'x'));
  const found = groups(events, (time) => time, 200);
  assert.deepEqual(
    found.map((group) => group.events.length),
    [3, 2, 1],
  ); // the last is outside
});

test('svg: ticks are round and inside; texts are escaped; lines begin and end where they do', () => {
  for (const [min, max] of [
    [0, 1],
    [-3.7, 12.2],
    [99.9, 100.1],
    [0, 6e7],
  ] as const) {
    const found = ticks(min, max, 5);
    assert.ok(found.length >= 2 && found.length <= 7, `${found}`);
    assert.ok(found.every((tick) => tick >= min - 1e-9 * Math.abs(max) && tick <= max * (1 + 1e-9)));
  }
  const svg = toSvg(
    [
      {
        unit: 'bar',
        min: 0,
        max: 10,
        lines: [{name: 'a<b', color: '#123456', t: [0, 1, 2], v: [0, 10, 5], isStepped: false}],
        marks: [{time: 1, text: '"x" & y', color: 'red'}],
      },
    ],
    [0, 2],
    {background: 'white', text: 'black', muted: 'gray', grid: 'silver'},
  );
  assert.ok(svg.includes('a&lt;b') && svg.includes('&quot;x&quot; &amp; y'));
  assert.match(svg, /d="M70 206L475 26L880 116"/);
});

test('limits: beyond the alarm is worse than beyond the warning, on the side that is bad', () => {
  const above = {warning: 8, alarm: 9, isBadBelow: false};
  assert.deepEqual(
    [7, 8, 9, 10].map((value) => severityOf(value, above)),
    [undefined, 'warning', 'alarm', 'alarm'],
  );
  const below = {warning: 3, alarm: 2, isBadBelow: true};
  assert.deepEqual(
    [4, 3, 2].map((value) => severityOf(value, below)),
    [undefined, 'warning', 'alarm'],
  );
  assert.deepEqual(zones(0, 10, {alarm: 12, isBadBelow: false}), []);
  assert.deepEqual(zones(0, 10, {alarm: 2, isBadBelow: true}), [{severity: 'alarm', from: 0, to: 2}]);
  for (const limits of [above, below])
    for (const {severity, from, to} of zones(0, 10, limits))
      for (const value of [from, (from + to) / 2, to]) assert.ok([severity, 'alarm'].includes(severityOf(value, limits)!));
});

test('the worst alarm is set, most severe, newest', () => {
  const alarm = (path: string, level: string, is_set: boolean) => ({
    path,
    level,
    is_set,
    text: '',
    time: 0,
    is_acknowledged: false,
  });
  const all = [
    alarm('a', 'warning', true),
    alarm('b', 'emergency', false),
    alarm('c', 'error', true),
    alarm('d', 'error', true),
  ];
  assert.equal(worstAlarm(all)?.path, 'c');
  assert.equal(worstAlarm([all[1]!])?.path, 'b');
  assert.equal(worstAlarm([]), undefined);
});
