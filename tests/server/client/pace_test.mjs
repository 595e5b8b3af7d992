// How well a paced run keeps its time, as the page shows it.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {kClosedVolume, Server, temporaryFolder, until} from './support.mjs';

test('quantiles of lateness are those of the summary', async (t) => {
  const file = join(temporaryFolder(t), 'summary.json');
  // Shorter than the time between two looks at the record.
  for (const stop of ['0.3 s', '1.2 s']) {
    const server = await Server.start(t, kClosedVolume, '--stop', stop, '--summary', file);
    await until(async () => (await server.state()).status === 'finished', 'the end');
    const {lateness, step_duration, missed_periods} = await server.state();
    await server.stop();
    const summary = JSON.parse(readFileSync(file));
    for (const [shown, kept] of [[lateness, summary.lateness], [step_duration, summary.step_duration]]) {
      assert.deepEqual(shown.map(({share}) => share), [0.5, 0.99, 0.999, 1]);
      assert.deepEqual(shown.map(({seconds}) => seconds), [kept.p50_s, kept.p99_s, kept.p999_s, kept.max_s]);
      assert.ok(shown.every(({seconds}, i) => i === 0 || seconds >= shown[i - 1].seconds), 'they ascend');
    }
    assert.ok(lateness.at(-1).seconds > 0);
    assert.equal(missed_periods, summary.missed_periods);
  }
});
