// What the sheet of the studio does without a browser: places, plain lines, what may be joined, which faults are shown where.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {makeProject, openSystem} from '../../src/document/index.ts';
import type {Model, ParameterInfo, Port, SideName} from '../../src/studio/api/types.ts';
import {isUsed, optionsOf} from '../../src/studio/form/used_by.ts';
import {relativePath} from '../../src/studio/form/relative_path.ts';
import {anchorAt, boxOf, freePlace, overlaps, turned, turnedSide} from '../../src/studio/sheet/geometry.ts';
import {endsAt, resolveEnd} from '../../src/studio/sheet/ends.ts';
import {whyNot, type End} from '../../src/studio/sheet/joining.ts';
import {orthogonal} from '../../src/studio/sheet/orthogonal.ts';
import {makeScene, matchesRepeated} from '../../src/studio/sheet/scene.ts';
import {placeFaults} from '../../src/studio/state/fault_places.ts';
import {elements, ownModels} from '../../src/studio/state/models.ts';
import {SystemForm} from '../../src/studio/form/system_form.tsx';
import {completeSystem, placeAt} from '../../src/studio/text/completion.ts';
import {sideBySide} from '../../src/studio/ui/side_by_side.ts';

const kSides: SideName[] = ['left', 'top', 'right', 'bottom'];
const kOut: Record<SideName, [number, number]> = {left: [-1, 0], top: [0, -1], right: [1, 0], bottom: [0, 1]};
const port = (name: string, role: string, domain = 'hydraulic', is_many = false): Port => ({
  name,
  role,
  domain,
  is_many,
  is_mandatory: true,
  text: '',
});
const symbol = {
  width: 64,
  height: 32,
  shapes: '',
  texts: [],
  anchors: [
    {name: 'in', x: -32, y: 0, side: 'left' as const},
    {name: 'out', x: 32, y: 0, side: 'right' as const},
  ],
};
const model = (name: string, ports: Port[], more: Partial<Model> = {}): Model => ({
  name,
  domain: 'hydraulic',
  text: '',
  symbol,
  inPalette: true,
  takesChart: false,
  ports,
  inputs: [],
  outputs: [],
  states: [],
  parameters: [],
  common: [],
  starts: [],
  levels: [],
  aspects: [],
  elements: [],
  inner: [],
  equations: '',
  ...more,
});

test('four quarter turns, and two mirrors, are nothing; sides turn as their points do', () => {
  const places = [0, 90, 180, 270].flatMap((rotation) => [false, true].map((mirror) => ({x: 0, y: 0, rotation, mirror})));
  for (const place of places) {
    for (const side of kSides) {
      const [x, y] = kOut[side];
      const at = turned(x, y, place);
      const [u, v] = kOut[turnedSide(side, place)];
      assert.deepEqual([at.x + 0, at.y + 0], [u + 0, v + 0], `${side} at ${JSON.stringify(place)}`);
    }
    // A turned box still has its anchors at its edge.
    const box = boxOf(symbol, place);
    for (const anchor of symbol.anchors) {
      const at = anchorAt(anchor, place);
      assert.ok(at.x === box.left || at.x === box.right || at.y === box.top || at.y === box.bottom);
    }
  }
});

test('plain lines are orthogonal, end where they should, and leave to the right side, for all sides and directions', () => {
  for (const sideA of kSides) {
    for (const sideB of kSides) {
      for (const [x, y] of [
        [200, 0],
        [-200, 0],
        [0, 200],
        [0, -200],
        [160, 96],
        [-160, 96],
        [160, -96],
        [-160, -96],
        [8, 8],
      ] as const) {
        const line = orthogonal({x: 0, y: 0}, sideA, {x, y}, sideB);
        assert.deepEqual(line[0], {x: 0, y: 0});
        assert.deepEqual(line.at(-1), {x, y});
        for (const [i, point] of line.slice(1).entries())
          assert.ok(point.x === line[i]!.x || point.y === line[i]!.y, JSON.stringify(line));
        const [ax, ay] = kOut[sideA];
        assert.ok(line[1]!.x * ax + line[1]!.y * ay > 0, `${sideA} ${sideB} ${x} ${y}: ${JSON.stringify(line)}`);
      }
    }
  }
});

test('a free place overlaps nothing', () => {
  const taken = Array.from({length: 30}, (_, i) => ({
    left: 70 * (i % 6) - 200,
    top: 50 * Math.floor(i / 6) - 100,
    right: 70 * (i % 6) - 140,
    bottom: 50 * Math.floor(i / 6) - 60,
  }));
  const {x, y} = freePlace({x: 0, y: 0}, symbol, taken);
  assert.ok(!taken.some((box) => overlaps(box, boxOf(symbol, {x, y, rotation: 0, mirror: false}))));
  assert.ok(x % 8 === 0 && y % 8 === 0);
});

const end = (path: string, more: Partial<End>): End => ({
  path,
  kind: 'port',
  domain: 'hydraulic',
  role: 'C',
  unit: '',
  isMany: false,
  text: '',
  ...more,
});
const kNothing = {connects: [], routes: []};

test('what may be joined is symmetric; the reason names what is wrong', () => {
  const ends = [
    end('a.c', {}),
    end('b.q', {role: 'Q'}),
    end('c.m', {domain: 'mechanical', role: 'Q'}),
    end('d.y', {kind: 'output', domain: 'signal', role: '', unit: '1'}),
    end('e.u', {kind: 'input', domain: 'signal', role: '', unit: 'Pa'}),
    end('f.x', {kind: 'output', domain: 'signal', role: '', unit: 'm'}),
  ];
  for (const a of ends)
    for (const b of ends) assert.equal(whyNot(kNothing, a, b) === null, whyNot(kNothing, b, a) === null, `${a.path} ${b.path}`);
  assert.equal(whyNot(kNothing, ends[0]!, ends[1]!), null);
  assert.equal(whyNot(kNothing, ends[3]!, ends[4]!), null);
  assert.match(whyNot(kNothing, ends[0]!, end('g.c', {}))!, /both offer effort/);
  assert.match(whyNot(kNothing, ends[0]!, ends[2]!)!, /a\.c is hydraulic, c\.m is mechanical/);
  assert.match(whyNot(kNothing, ends[5]!, ends[4]!)!, /f\.x is in m, e\.u in Pa/);
  assert.match(whyNot(kNothing, ends[3]!, ends[1]!)!, /an output/);
  // Blocks take any unit.
  assert.equal(
    whyNot(kNothing, ends[5]!, end('g.u', {kind: 'input', domain: 'signal', role: '', unit: 'any', isMany: true})),
    null,
  );
});

const kSystem = `<System name="s" xmlns="urn:davit:system:1">
  <hydraulic.Pump name="pump"/>
  <hydraulic.Tank name="tank"/>
  <Subsystem name="boom" src="parts/boom.xml"/>
  <For name="i" from="1" to="3"><hydraulic.Tank name="t{i}"/></For>
  <foreign.Thing name="strange" colour="red"/>
  <Connect from="pump.out" to="boom.p"/>
</System>
`;
const kBoom = `<System name="boom" xmlns="urn:davit:system:1">
  <hydraulic.Pump name="inner"/>
  <Expose port="inner.in" as="p"/>
</System>
`;
function opened() {
  const project = makeProject();
  project.open('s.xml', kSystem);
  project.open('parts/boom.xml', kBoom);
  return {project, view: openSystem(project, 's.xml').view};
}
const models = new Map(
  [
    model('hydraulic.Pump', [port('in', 'Q'), port('out', 'C')]),
    model('hydraulic.Tank', [port('port', 'C', 'hydraulic', true)]),
  ].map((one) => [one.name, one]),
);
const find = ({model: name}: {model: string}) => models.get(name);

test('an end of a sub-system is that of the component inside', () => {
  const {project, view} = opened();
  assert.deepEqual(
    [resolveEnd(project, view, 'boom.p')?.node, resolveEnd(project, view, 'boom.p')?.name],
    ['boom.inner', 'in'],
  );
  assert.equal(resolveEnd(project, view, 'boom.nothing.x'), null);
  assert.deepEqual(
    endsAt(project, view, view.find('boom')!, find).map(({path, role}) => [path, role]),
    [['boom.p', 'Q']],
  );
});

test('the scene has every component, unknown ones too, and a line for each connection, before the program has answered', () => {
  const {project, view} = opened();
  const scene = makeScene(view, null, find, project);
  assert.deepEqual(
    scene.nodes.map(({path, isUnknown}) => [path, isUnknown]),
    [
      ['pump', false],
      ['tank', false],
      ['boom', true],
      ['strange', true],
    ],
  );
  assert.equal(scene.lines.length, 1);
  const boxes = [...scene.boxes.values()];
  for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1)) assert.ok(!overlaps(a, b));
});

test('names of a <For> are recognised', () => {
  assert.ok(matchesRepeated('spring{i}', 'spring12') && matchesRepeated('m{i}_{j+1}', 'm1_2'));
  assert.ok(!matchesRepeated('spring{i}', 'mass1') && !matchesRepeated('a.b{i}', 'axb1'));
});

test('a fault stands at the component that it names, else at that of its line', () => {
  const {view} = opened();
  const fault = (path: string, line: number, file = 's.xml') => ({file, line, path, severity: 'error', text: '', remedy: ''});
  const owners = (faults: ReturnType<typeof fault>[]) =>
    placeFaults(faults, 's.xml', [], view).map(({owner, part}) => [owner, part]);
  assert.deepEqual(
    owners([fault('/pump', 2), fault('pump.speed', 2), fault('', 3), fault('/boom/inner', 2, 'parts/boom.xml'), fault('', 7)]),
    [
      ['pump', ''],
      ['pump', 'speed'],
      ['tank', ''],
      ['boom', 'inner'],
      ['', ''],
    ],
  );
  const named = (text: string) => placeFaults([{...fault('strange', 6), text}], 's.xml', [], view)[0]!.part;
  assert.deepEqual(
    ['colour: no such value', "no parameter 'colour' here", "port 'in' (hydraulic, Q) is not connected", 'something else'].map(
      named,
    ),
    ['colour', 'colour', 'in', ''],
  );
  // A cylinder has the port and the parameter `rod`: what is said of the port is none of the parameter.
  const ofPort = placeFaults([{...fault('strange', 6), text: "port 'colour' is not connected"}], 's.xml', [], view)[0]!;
  assert.deepEqual([ofPort.part, ofPort.isPort], ['colour', true]);
});

test('a parameter is used where one of its conditions holds; what is not known greys nothing', () => {
  const friction = {name: 'friction', options: ['Coulomb', 'LuGre'], presets: {Ideal: 'Coulomb', Advanced: 'LuGre'}};
  const known = model('m', [], {levels: ['Ideal', 'Advanced'], level: 'Ideal', aspects: [friction]});
  const attribute = (name: string, value: string) => ({name, value, line: 1, start: 0, end: 0});
  const usedWith = (attributes: ReturnType<typeof attribute>[]) =>
    isUsed([{of: 'friction', options: ['LuGre', 'Stribeck']}], optionsOf({attributes, levels: []}, known));
  assert.equal(usedWith([]), false);
  assert.equal(usedWith([attribute('level', 'Advanced')]), true);
  assert.equal(usedWith([attribute('level', 'Advanced'), attribute('friction', 'Coulomb')]), false);
  assert.equal(isUsed([], new Map()), true);
  assert.equal(isUsed([{of: 'other', options: ['x']}], new Map()), true);
});

test('the text view knows where it is', () => {
  const at = (text: string) => placeAt(text.replace('|', ''), text.indexOf('|'));
  assert.deepEqual([at('<a><hydr|')?.kind, at('<a><hydr|')?.word, at('<a><hydr|')?.parent], ['element', 'hydr', 'a']);
  assert.deepEqual(
    [at('<x.Y name="a" spe|')?.kind, at('<x.Y name="a" spe|')?.element, at('<x.Y name="a" spe|')?.present],
    ['attribute', 'x.Y', ['name']],
  );
  assert.deepEqual(
    [at('<Connect from="pump.|"/>')?.kind, at('<Connect from="pump.|"/>')?.attribute, at('<Connect from="pump.|"/>')?.word],
    ['value', 'from', 'pump.'],
  );
  assert.equal(at('<a b="c">text|'), null);
});

/** What the text view offers at `|`. */
function offered(text: string): string[] {
  const doc = text.replace('|', '');
  const at = text.indexOf('|');
  return (
    completeSystem({state: {sliceDoc: (from: number, to: number) => doc.slice(from, to)}, pos: at} as never)?.options.map(
      ({label}) => label,
    ) ?? []
  );
}

/** The names of the fields that a form has for items of a model. */
function fieldsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(fieldsOf);
  const {props} = (node ?? {}) as {props?: {info?: ParameterInfo; children?: unknown}};
  return props ? [...(props.info ? [props.info.name] : []), ...fieldsOf(props.children)] : [];
}

test('the text view and the form have what the server describes, and no list of their own', () => {
  const info = (name: string): ParameterInfo => ({name, unit: '', text: '', is_structural: false});
  const attribute = (name: string, options: string[] = []) => ({name, text: '', is_required: false, is_path: false, options});
  elements.value = [
    {name: '', text: '', place: 'system', attributes: [attribute('name')]},
    {name: 'Connect', text: '', place: 'system', attributes: [attribute('new_attribute', ['left', 'right'])]},
    {name: 'NewInside', text: '', place: 'component', attributes: []},
  ];
  ownModels.value = [
    model('SimulatorManager', [], {parameters: [info('new_setting')], elements: ['Integration']}),
    model('Integration', [], {parameters: [info('new_tolerance')], common: [info('new_common')]}),
  ];
  assert.deepEqual(offered('<System><Connect |'), ['new_attribute']);
  assert.deepEqual(offered('<System><Connect new_attribute="|'), ['left', 'right']);
  assert.deepEqual(offered('<System><Integration name="a" |'), ['new_tolerance', 'new_common']);
  assert.deepEqual(offered('<System><|'), ['Connect', 'SimulatorManager', 'Integration']);
  assert.deepEqual(offered('<SimulatorManager><|'), ['NewInside', 'Integration']);
  const project = makeProject();
  project.open('a.xml', '<System/>');
  assert.deepEqual(fieldsOf(SystemForm({view: openSystem(project, 'a.xml').view})), [
    'new_setting',
    'new_tolerance',
    'new_common',
  ]);
  elements.value = [];
  ownModels.value = [];
});

test('differences of two texts: each row is a line that only one of them has', () => {
  assert.deepEqual(sideBySide('a\nb\nc', 'a\nx\nc'), [{line: 2, left: 'b', right: 'x'}]);
  assert.deepEqual(sideBySide('a\nb', 'a\nb'), []);
  assert.deepEqual(
    sideBySide('a\nc', 'a\nb\nc').map(({left, right}) => [left, right]),
    [['', 'b']],
  );
});

test('paths are written as a file of the folder names them', () => {
  assert.equal(relativePath('a/b.xml', 'charts/c.scxml'), '../charts/c.scxml');
  assert.equal(relativePath('b.xml', 'charts/c.scxml'), 'charts/c.scxml');
  assert.equal(relativePath('a/b.xml', 'a/c.xml'), 'c.xml');
});
