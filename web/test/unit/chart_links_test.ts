import assert from 'node:assert/strict';
import {test} from 'node:test';
import {chartLinks} from '../../src/live/chart_links.ts';

const charts = [
  {path: 'operator', reads: ['load.x', 'load.v', 'pump.p'], sets: ['pump.control']},
  {path: 'pump.chart', reads: ['pump.p'], sets: ['pump.level']},
];
const ownerOf = (item: string) => item.slice(0, item.lastIndexOf('.'));

test('a chart is linked once with each component that it reads, and with each that it sets', () => {
  assert.deepEqual(chartLinks(charts, 'operator', ownerOf), [
    {chart: 'operator', component: 'load', kind: 'reads'},
    {chart: 'operator', component: 'pump', kind: 'reads'},
    {chart: 'operator', component: 'pump', kind: 'sets'},
  ]);
});

test('a component is linked with the charts of others, not with its own', () => {
  assert.deepEqual(chartLinks(charts, 'load', ownerOf), [{chart: 'operator', component: 'load', kind: 'reads'}]);
  assert.deepEqual(
    chartLinks(charts, 'pump', ownerOf).map(({chart, kind}) => [chart, kind]),
    [
      ['operator', 'reads'],
      ['operator', 'sets'],
    ],
  );
});

test('items of nobody are left out', () => {
  assert.deepEqual(
    chartLinks([{path: 'c', reads: ['gone'], sets: []}], 'c', () => undefined),
    [],
  );
});
