// Study files are edited in the lines they concern; tables are read as davit writes them.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  addStudyRow,
  createStudy,
  givenIn,
  makeProject,
  removeStudyRow,
  setStudyAttribute,
  studiesIn,
} from '../../src/document/index.ts';
import {readTable, sortedRows, splitLine} from '../../src/studio/study/study_table.ts';
import {cellsOf} from '../../src/studio/table/table_state.ts';

test('a study is made, edited and taken back', () => {
  const project = makeProject();
  createStudy(project, 'a.xml', 'Sweep', [
    ['system', 'servo.xml'],
    ['output', 'a.csv'],
  ]);
  const at = {path: 'a.xml', place: 0};
  const bare = project.text('a.xml');
  assert.equal(bare, '<Study>\n  <Sweep system="servo.xml" output="a.csv"/>\n</Study>\n');
  const row = [
    ['path', 'pid.kp'],
    ['values', '1,2 < 3'],
  ] as const;
  project.step('Add', () => addStudyRow(project, at, 'Vary', row));
  project.step('Add', () => addStudyRow(project, at, 'Measure', [['name', 'top']]));
  project.step('Add', () => addStudyRow(project, at, 'Vary', [['path', 'pid.ki']]));
  assert.deepEqual(
    studiesIn(project, 'a.xml')[0]!.rows.map(({element, attributes}) => [element, attributes[0]!.value]),
    [
      ['Vary', 'pid.kp'],
      ['Vary', 'pid.ki'],
      ['Measure', 'top'],
    ],
  );
  assert.equal(givenIn(studiesIn(project, 'a.xml')[0]!.rows[0]!, 'values'), '1,2 < 3');
  project.step('Set', () => setStudyAttribute(project, at, 1, 'path', 'pid.kd'));
  project.step('Set', () => setStudyAttribute(project, at, null, 'output', null));
  assert.equal(
    project.text('a.xml'),
    '<Study>\n  <Sweep system="servo.xml">\n    <Vary path="pid.kp" values="1,2 &lt; 3"/>\n    <Vary path="pid.kd"/>\n' +
      '    <Measure name="top"/>\n  </Sweep>\n</Study>\n',
  );
  project.step('Remove', () => removeStudyRow(project, at, 1));
  assert.ok(!project.text('a.xml').includes('pid.kd'));
  while (project.undoSteps.length > 1) project.undo();
  assert.equal(project.text('a.xml'), bare);
});

test('edits leave comments and other studies as they are', () => {
  const project = makeProject();
  const text =
    '<Study>\n  <!-- first -->\n  <Sweep system="a.xml"/>\n\n  <Fit  system="b.xml" > <!-- own --> </Fit>\n</Study>\n';
  project.open('s.xml', text);
  project.step('Set', () => setStudyAttribute(project, {path: 's.xml', place: 0}, null, 'stop', '3 s'));
  assert.equal(project.text('s.xml'), text.replace('"a.xml"', '"a.xml" stop="3 s"'));
  assert.deepEqual(
    studiesIn(project, 's.xml').map(({element}) => element),
    ['Sweep', 'Fit'],
  );
});

test('a table: quotes, units, a line that is being written', () => {
  assert.deepEqual(splitLine('1,"a, ""b""",,x'), ['1', 'a, "b"', '', 'x']);
  const table = readTable('case,m,status\n1,2,done\n2,10,done\n3,nan,failed\n4,1', 'path,unit\nm,kg\n');
  assert.deepEqual(table.columns, [
    {name: 'case', unit: ''},
    {name: 'm', unit: 'kg'},
    {name: 'status', unit: ''},
  ]);
  assert.deepEqual(
    sortedRows(table, 1, true).map(([number]) => number),
    ['3', '2', '1'],
  );
  assert.deepEqual(
    sortedRows(table, 1, false).map(([number]) => number),
    ['1', '2', '3'],
  );
});

test('cells of a spreadsheet', () => {
  assert.deepEqual(cellsOf('1 bar\t2\r\n\t3\r\n'), [
    ['1 bar', '2'],
    ['', '3'],
  ]);
});
