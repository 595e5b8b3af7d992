// Other branches of a recorded run in the plots: what their signals were, as lines like those of files.
import {computed, effect, signal} from '@preact/signals';
import {getHistory} from '../../api/http.ts';
import {attempt, notify} from '../../live/notices.ts';
import {recording} from '../../live/recording.ts';
import {epoch, itemOf} from '../../live/session.ts';
import {fileSignals, isOfFile} from './files.ts';
import {pointsOf} from './history_points.ts';
import {panels, plot, togglePlot} from './panels.ts';

const kBins = 1200; // all that the server keeps

/** Branches whose lines are in the plots. */
export const compared = signal<readonly string[]>([]);

/** Those on which the run is not. */
export const comparable = computed(() => {
  const {branches = [], branch} = recording.value ?? {};
  return branches.map(({name}) => name).filter((name) => name !== branch);
});

const nameOf = (branch: string, path: string): string => `${branch}: ${path}`;

/** Whether a line is that of a branch: it is drawn with dashes. */
export const isOfBranch = (path: string): boolean => /^(trunk|branch-\d+): /.test(path) && isOfFile(path);

export async function toggleCompared(branch: string): Promise<void> {
  if (compared.peek().includes(branch)) return leave(branch);
  const paths = panels
    .peek()
    .flat()
    .filter((path) => !isOfFile(path));
  if (!paths.length) return notify('info', 'Plot a signal first: the branches are compared in it.');
  await attempt(async () => {
    const {signals} = await getHistory(paths, undefined, undefined, kBins, branch);
    const lines = paths.flatMap((path) => {
      const [item, bins] = [itemOf(path), signals[path]];
      return item && bins?.t.length ? [[nameOf(branch, path), {item, points: pointsOf(bins)}] as const] : [];
    });
    if (!lines.length) return notify('info', `The plotted signals were not kept on ${branch}. Go there and run it once.`);
    compared.value = [...compared.peek(), branch];
    fileSignals.value = new Map([...fileSignals.peek(), ...lines]);
    for (const [name] of lines) plot(name);
  });
}

function leave(branch: string): void {
  for (const path of panels.peek().flat()) {
    if (path.startsWith(`${branch}: `)) togglePlot(path);
  }
  compared.value = compared.peek().filter((one) => one !== branch);
  fileSignals.value = new Map([...fileSignals.peek()].filter(([path]) => !path.startsWith(`${branch}: `)));
}

effect(() => {
  // The branch on which the run is now has its own lines; a run that begins again has other branches.
  epoch.value;
  const others = comparable.value;
  for (const branch of compared.peek()) {
    if (!others.includes(branch)) leave(branch);
  }
});
