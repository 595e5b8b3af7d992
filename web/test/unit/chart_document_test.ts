import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  EditRefused,
  makeProject,
  openChart,
  openSystem,
  type ActionPlace,
  type Project,
  type StateKind,
} from '../../src/document/index.ts';
import {diffLines, filesIn, random, wellFormed, type Random} from './files.ts';

const files = filesIn('systems', '');
for (const [path, text] of filesIn('statecharts/charts', '.scxml')) files.set(`default/${path}`, text);
const charts = [...files.keys()].filter((path) => path.endsWith('.scxml'));

function projectOf(texts: Iterable<[string, string]> = files): Project {
  const project = makeProject(() => 0);
  for (const [path, text] of texts) project.open(path, text);
  return project;
}

const textsOf = (project: Project): Map<string, string> => new Map(project.paths.map((path) => [path, project.text(path)]));

function randomEdit(project: Project, path: string, r: Random): {name: string; isRefused: boolean} {
  const chart = openChart(project, path);
  const {states, transitions, data} = chart.view;
  const keys = states.map(({key}) => key);
  const one = (): string => r.pick(keys) ?? 'nobody';
  const some = (): string[] => (keys.length ? r.some(keys, 3) : []);
  const transition = (): string => r.pick(transitions)?.key ?? 'nobody#0';
  const actions = (): string[] =>
    r.some(
      ['x = 1', 'raise up', 'send stop to pump', "log alarm: 'a < b'", '<cancel sendid="a"/>', "y = x lt 2 and In('a')"],
      3,
    );
  const operations: Readonly<Record<string, () => unknown>> = {
    add: () =>
      chart.addState(
        r.pick([null, one()])!,
        r.pick<StateKind>(['state', 'parallel', 'final', 'history', 'choice', 'select'])!,
        r.next() < 0.5 ? {} : {place: {x: r.integer(400), y: r.integer(400)}},
      ),
    remove: () => chart.removeStates(r.some(keys, 2)),
    rename: () => chart.renameState(one(), chart.freeId(r.pick(['a', 'b.c', 'idle'])!)),
    rename_taken: () => chart.renameState(one(), one()),
    kind: () => chart.setKind(one(), r.pick(['state', 'parallel', 'final'] as const)!),
    deep: () => chart.setDeep(states.find(({kind}) => kind === 'history')?.key ?? one(), r.next() < 0.5),
    initial: () => chart.setInitial(r.pick([null, one()])!, r.pick([null, one()])!),
    move_into: () => chart.moveInto(some(), r.pick([null, one()])!),
    duplicate: () => chart.duplicate(r.some(keys, 1)),
    transition: () => chart.addTransition(one(), r.pick([null, one()])!, r.pick([{}, {event: 'go'}, {cond: 'a < "b"'}])),
    remove_transition: () => chart.removeTransitions([transition()]),
    set: () =>
      chart.setTransition(
        transition(),
        r.pick(['event', 'cond', 'after', 'holds', 'type'] as const)!,
        r.pick(['internal', '2s', null, 'a & b'])!,
      ),
    targets: () => chart.setTargets(transition(), r.pick([[], [one()], [one(), one()]])!),
    source: () => chart.setSource(transition(), one()),
    order: () => chart.orderTransition(transition(), r.pick(['up', 'down'] as const)!),
    actions: () =>
      chart.setActions(one(), r.pick<ActionPlace>(['onentry', 'onexit', 'during'])!, r.next() < 0.3 ? [] : actions()),
    transition_actions: () => chart.setActions(transition(), 'transition', r.next() < 0.3 ? [] : actions()),
    broken_action: () => chart.setActions(one(), 'onentry', ['<a', 'x ==']),
    data: () => chart.setData(r.pick(data)?.id ?? 'x', r.pick([null, {expr: '1'}, {values: 'a b', expr: ''}])!),
    new_data: () => chart.setData(r.pick(['x', 'y', 'z'])!, {expr: '2 < 3'}),
    chart: () => chart.setChartAttribute('datamodel', r.pick([null, 'davit', 'null'])!),
    place: () => chart.place(new Map([[one(), {x: r.integer(400), y: r.integer(400)}]])),
    unplace: () => chart.unplace(some()),
  };
  const name = r.pick(Object.keys(operations))!;
  try {
    operations[name]!();
    return {name, isRefused: false};
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return {name, isRefused: true};
  }
}

test('a chart that is opened, looked at and written again is the same byte for byte', () => {
  const project = projectOf();
  assert.ok(charts.length >= 9);
  for (const path of charts) {
    assert.ok(openChart(project, path).view.states.length > 1, path);
    assert.equal(project.text(path), files.get(path));
  }
});

test('1,000 random edits of a chart, well-formed after each: undo gives all files back byte for byte, redo the last ones', () => {
  const r = random(5);
  const counts = new Map<string, number>();
  for (const path of charts) {
    const project = projectOf();
    const first = textsOf(project);
    const edits = path.startsWith('charts/crane') || path.includes('lift') ? 1000 : 100;
    for (let i = 0; i < edits; ++i) {
      const before = textsOf(project);
      const {name, isRefused} = randomEdit(project, path, r);
      if (isRefused) assert.deepEqual(textsOf(project), before, `${path}: a refused ${name} changed a text`);
      else counts.set(name, (counts.get(name) ?? 0) + 1);
      for (const one of project.paths) if (project.text(one) !== before.get(one)) wellFormed(project.text(one));
    }
    const last = textsOf(project);
    while (project.canUndo) project.undo();
    assert.deepEqual(textsOf(project), first, path);
    while (project.canRedo) project.redo();
    assert.deepEqual(textsOf(project), last, path);
  }
  assert.ok(counts.size >= 20, [...counts.keys()].join(' '));
});

test('another condition of any transition is a diff of one line; another action too', () => {
  for (const path of charts) {
    const project = projectOf();
    const chart = openChart(project, path);
    for (const {key, cond, actions} of chart.view.transitions) {
      if (cond === '') continue;
      chart.setTransition(key, 'cond', `${cond} and true`);
      assert.deepEqual(diffLines(files.get(path)!, project.text(path)), {removed: 1, added: 1}, `${path}: ${key}`);
      project.undo();
      if (actions.length === 0) continue;
      chart.setActions(key, 'transition', ['other = 1', ...actions.slice(1)]);
      assert.deepEqual(diffLines(files.get(path)!, project.text(path)), {removed: 1, added: 1}, `${path}: ${key}`);
      project.undo();
    }
    for (const {key, onentry} of chart.view.states) {
      if (onentry.length === 0) continue;
      chart.setActions(key, 'onentry', ['other = 1', ...onentry.slice(1)]);
      assert.deepEqual(diffLines(files.get(path)!, project.text(path)), {removed: 1, added: 1}, `${path}: ${key}`);
      assert.deepEqual(chart.view.find(key)!.onentry, ['other = 1', ...onentry.slice(1)]);
      project.undo();
      chart.setActions(key, 'onentry', onentry);
      assert.equal(project.text(path), files.get(path));
    }
  }
});

test('a chart of two states is written as a person would', () => {
  const project = projectOf([
    [
      'c.scxml',
      '<?xml version="1.0" encoding="UTF-8"?>\n<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="c">\n</scxml>\n',
    ],
  ]);
  const chart = openChart(project, 'c.scxml');
  chart.addState(null, 'state', {id: 'ideal', place: {x: 0, y: 40}});
  chart.addState(null, 'state', {id: 'standard'});
  const key = chart.addTransition('ideal', 'standard', {event: 'up'});
  chart.setTransition(key, 'after', '2s');
  chart.setTransition(key, 'cond', 'load.x < 2');
  chart.setActions('standard', 'onentry', ["pump.level = 'Standard'"]);
  chart.setActions('standard', 'onexit', ['n = n + 1', 'raise left']);
  chart.setActions(key, 'transition', ['log "up"']);
  chart.setData('n', {expr: '0'});
  chart.addState('standard', 'history', {id: 'before'});
  chart.addState('standard', 'state', {id: 'fine'});
  chart.addTransition('before', 'fine');
  chart.setInitial('standard', 'fine');
  assert.equal(
    project.text('c.scxml'),
    `<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:davit="urn:davit:chart:1" version="1.0" name="c">
  <datamodel>
    <data id="n" expr="0"/>
  </datamodel>
  <state id="ideal">
    <transition event="up" cond="load.x &lt; 2" davit:after="2s" target="standard">
      <log expr="&quot;up&quot;"/>
    </transition>
  </state>
  <state id="standard" initial="fine">
    <onentry><assign location="pump.level" expr="'Standard'"/></onentry>
    <onexit>
      <assign location="n" expr="n + 1"/>
      <raise event="left"/>
    </onexit>
    <history id="before">
      <transition target="fine"/>
    </history>
    <state id="fine"/>
  </state>

  <Layout xmlns="urn:davit:drawing:1">
    <Place state="ideal" x="0" y="40"/>
  </Layout>
</scxml>
`,
  );
  assert.deepEqual([...chart.view.events].sort(), ['left', 'up']);
});

test('a new id stands in targets, In(), done events, places and in the systems that read it', () => {
  const text = `<scxml>
  <state id="a" initial="b">
    <state id="b"/>
    <transition cond="In('b') and timeIn('b') gt 2 and not In('bb')" event="done.state.b b" target="b bb"/>
  </state>
  <state id="bb"/>
  <Layout xmlns="urn:davit:drawing:1"><Place state="b" x="0" y="0"/></Layout>
</scxml>
`;
  const system =
    '<System name="s">\n  <Statechart name="c" src="c.scxml"/>\n  <Record signals="c.state.b c.time.b c.state.bb c.b"/>\n</System>\n';
  const project = projectOf([
    ['c.scxml', text],
    ['s.xml', system],
  ]);
  openChart(project, 'c.scxml').renameState('b', 'x');
  assert.equal(
    project.text('c.scxml'),
    `<scxml>
  <state id="a" initial="x">
    <state id="x"/>
    <transition cond="In('x') and timeIn('x') gt 2 and not In('bb')" event="done.state.x b" target="x bb"/>
  </state>
  <state id="bb"/>
  <Layout xmlns="urn:davit:drawing:1"><Place state="x" x="0" y="0"/></Layout>
</scxml>
`,
  );
  assert.deepEqual(openSystem(project, 's.xml').view.records[0]!.signals, ['c.state.x', 'c.time.x', 'c.state.bb', 'c.b']);
});

test('a state that is removed leaves no target that is not there', () => {
  for (const path of charts) {
    const project = projectOf();
    const chart = openChart(project, path);
    for (const {key} of chart.view.states) {
      chart.removeStates([key]);
      const {states, transitions} = chart.view;
      const ids = new Set(states.map(({id}) => id));
      for (const id of [...transitions.flatMap(({targets}) => targets), ...states.flatMap(({initial}) => initial)])
        assert.ok(ids.has(id), `${path}: ${key}: ${id}`);
      for (const one of states) if (one.kind === 'history') assert.ok(transitions.some(({from}) => from === one.key));
      project.undo();
    }
    assert.equal(project.text(path), files.get(path));
  }
});

test('a state cannot be moved into itself, a copy has ids of its own', () => {
  const project = projectOf();
  const chart = openChart(project, 'charts/lift_operator.scxml');
  assert.throws(() => chart.moveInto(['lever'], 'working'), /into itself/);
  assert.deepEqual(chart.duplicate(['working']), ['working2']);
  assert.deepEqual(chart.view.find('working2')!.initial, ['waiting2']);
  assert.ok(chart.view.transitions.some(({from, targets}) => from === 'lifting2' && targets[0] === 'up2'));
  chart.moveInto(
    ['idling2', 'halted'].filter((key) => chart.view.find(key)),
    'engine',
  );
  assert.equal(chart.view.find('halted')!.parent, 'engine');
});
