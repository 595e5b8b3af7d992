// Studies of the system on the sheet: the one that is edited, those that run, and the table of each.
import {computed, effect, signal} from '@preact/signals';
import {
  addStudyRow,
  benchIn,
  type BenchView,
  createBench,
  createStudy,
  EditRefused,
  removeStudyRow,
  setStudyAttribute,
  studiesIn,
  givenIn,
  type StudyPlace,
  type StudyView,
} from '../../document/index.ts';
import {notify} from '../../live/notices.ts';
import {endStudy, getStudies, getStudyKinds, getTexts, postBench, postStudy} from '../api/requests.ts';
import type {BenchElement, BenchResult, Fault, StudyJob, StudyKind, StudyOption} from '../api/types.ts';
import {relativePath} from '../form/relative_path.ts';
import {startRun} from '../run/runs.ts';
import {describeFault} from '../state/fault_places.ts';
import {
  asking,
  info,
  load,
  openFile,
  project,
  readList,
  revision,
  rootPath,
  unsaved,
  unsavedTexts,
} from '../state/workspace.ts';
import {saveAll} from '../state/saving.ts';
import {readTable, type StudyTable} from './study_table.ts';

export const kinds = signal<readonly StudyKind[]>([]);
/** Elements of bench files. */
export const benchElements = signal<readonly BenchElement[]>([]);
/** Functions of measures. */
export const measures = signal<readonly string[]>([]);
/** The study, or the bench or one of its cases, that is edited beside the sheet. */
export const openStudy = signal<StudyPlace | null>(null);
export const isStudyOpen = signal(false);
export const jobs = signal<readonly StudyJob[]>([]);
/** What the server said is wrong with the study that was started last. */
export const studyFaults = signal<readonly Fault[]>([]);
export const isStarting = signal(false);

const kPeriod = 700; // of looking at studies that run [ms]
const kIdlePeriod = 3000;

/** A file that another one names, as the folder has it. */
export function fileBeside(path: string, named: string): string {
  const parts = [...path.split('/').slice(0, -1), ...named.split('/')];
  const found: string[] = [];
  for (const part of parts) {
    if (part === '..') found.pop();
    else if (part !== '.' && part !== '') found.push(part);
  }
  return found.join('/');
}

export interface FoundStudy extends StudyPlace {
  view: StudyView;
}
/** The studies of all files, by file. */
const allStudies = computed<readonly FoundStudy[]>(() => {
  revision.value;
  return project.paths
    .filter((path) => path.endsWith('.xml') && /<Study[\s>]/.test(project.text(path).slice(0, 4000)))
    .flatMap((path) => studiesIn(project, path).map((view, place) => ({path, place, view})));
});
/** Those of the system on the sheet. */
export const studiesHere = computed(() =>
  allStudies.value.filter(({path, view}) => fileBeside(path, givenIn(view, 'system') ?? '') === rootPath.value),
);
export interface FoundBench {
  path: string;
  view: BenchView;
}
/** The benches of the system on the sheet: those of which the bench or a case names it. */
export const benchesHere = computed<readonly FoundBench[]>(() => {
  revision.value;
  return project.paths
    .filter((path) => path.endsWith('.xml') && /<Bench[\s>]/.test(project.text(path).slice(0, 4000)))
    .flatMap((path) => {
      const view = benchIn(project, path);
      return view && systemsOf(path, view).includes(rootPath.value ?? '') ? [{path, view}] : [];
    });
});
const systemsOf = (path: string, view: BenchView): string[] =>
  [view, ...view.cases]
    .map((one) => givenIn(one, 'system'))
    .filter((named) => named !== null)
    .map((named) => fileBeside(path, named));
/** The one that is edited; `openStudy` has the place of its case, or -1. */
export const bench = computed<FoundBench | null>(
  () => benchesHere.value.find(({path}) => path === openStudy.value?.path) ?? null,
);
export const benchJob = computed<StudyJob | null>(
  () => jobs.value.filter((one) => one.path === bench.value?.path && one.kind === 'bench').at(-1) ?? null,
);
export const benchResult = computed(() => benchJob.value?.found as BenchResult | null | undefined);
const isUnderWay = (one: StudyJob | null): boolean => one?.status === 'running' || one?.status === 'loading';
export const isBenchRunning = computed(() => isUnderWay(benchJob.value));

export const study = computed<FoundStudy | null>(() => {
  const open = openStudy.value;
  return allStudies.value.find(({path, place}) => path === open?.path && place === open.place) ?? null;
});
export const kind = computed<StudyKind | null>(
  () => kinds.value.find(({element}) => element === study.value?.view.element) ?? null,
);
/** The last run of the study. */
export const job = computed<StudyJob | null>(
  () => jobs.value.filter((one) => one.path === openStudy.value?.path && one.place === openStudy.value.place).at(-1) ?? null,
);
export const isRunning = computed(() => isUnderWay(job.value));

/** The file that an option of the study names, seen from the folder. */
export function fileOf(option: string): string | null {
  const now = study.value;
  const named = now && givenIn(now.view, option);
  return named ? fileBeside(now.path, named) : null;
}

export async function readKinds(): Promise<void> {
  if (kinds.peek().length) return;
  const found = await asking(getStudyKinds);
  if (!found) return;
  measures.value = found.measures;
  benchElements.value = found.bench;
  kinds.value = found.kinds;
}

/** Opens the studies of the system: the first one that it has. */
export async function openStudies(): Promise<void> {
  isStudyOpen.value = true;
  await readKinds();
  await readJobs();
  const at = openStudy.peek();
  const isThere = bench.peek() !== null || studiesHere.peek().some(({path, place}) => path === at?.path && place === at.place);
  if (isThere) return;
  const first = studiesHere.peek()[0] ?? benchesHere.peek()[0];
  openStudy.value = first ? {path: first.path, place: 'place' in first ? first.place : kBenchItself} : null;
}

/** In the place of a case. */
export const kBenchItself = -1;

/** Opens a study file or a bench with its system. */
export async function openStudyFile(path: string): Promise<void> {
  if (!(await load(path))) return;
  const ofBench = benchIn(project, path);
  const view = studiesIn(project, path)[0];
  const root = ofBench ? systemsOf(path, ofBench)[0] : view && fileBeside(path, givenIn(view, 'system') ?? '');
  if (!root) return notify('error', `${path} names no system.`);
  if (root !== rootPath.peek()) await openFile(root);
  if (root !== rootPath.peek()) return;
  openStudy.value = {path, place: ofBench ? kBenchItself : 0};
  await openStudies();
}

function attempt(label: string, work: () => void): void {
  if (info.peek()?.read_only) return notify('error', 'The folder is open for reading only.');
  try {
    project.step(label, work);
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    notify('error', error.message);
  }
}

/** The name of a new file beside the system, without its ending. */
function freeName(root: string, suffix: string): string {
  const stem = `${root.replace(/\.xml$/, '')}_${suffix}`;
  let name = stem;
  for (let number = 2; project.has(`${name}.xml`); number++) name = `${stem}${number}`;
  return name;
}

/** A new bench, beside the system and named after it. */
export function newBench(): void {
  const root = rootPath.peek();
  if (root === null) return;
  const path = `${freeName(root, 'bench')}.xml`;
  attempt('New bench', () => createBench(project, path, relativePath(path, root)));
  if (project.has(path)) openStudy.value = {path, place: 0};
}

/** Adds a case and opens it. */
export function addCase(): void {
  const now = bench.peek();
  if (!now) return;
  const names = new Set(now.view.cases.map(({name}) => name));
  let name = 'case';
  for (let number = 2; names.has(name); number++) name = `case ${number}`;
  attempt('Add a case', () => addStudyRow(project, {path: now.path, place: kBenchItself}, 'Case', [['name', name]]));
  const added = bench.peek()?.view.cases.find((one) => one.name === name);
  if (added) openStudy.value = {path: now.path, place: added.place};
}

export function removeCase(place: number): void {
  const now = bench.peek();
  if (!now) return;
  attempt('Remove a case', () => removeStudyRow(project, {path: now.path, place: kBenchItself}, place));
  openStudy.value = {path: now.path, place: kBenchItself};
}

/** A new file, beside the system and named after it. */
export function newStudy(of: StudyKind): void {
  const root = rootPath.peek();
  if (root === null) return;
  const name = freeName(root, of.name);
  const path = `${name}.xml`;
  const attributes: [string, string][] = [['system', relativePath(path, root)]];
  const stem = name.slice(name.lastIndexOf('/') + 1);
  for (const option of of.options) if (option.usual_file) attributes.push([option.name, stem + option.usual_file]);
  attempt(`New ${of.name}`, () => createStudy(project, path, of.element, attributes));
  if (project.has(path)) openStudy.value = {path, place: 0};
}

export function setAttribute(row: number | null, name: string, value: string | null): void {
  const at = openStudy.peek();
  if (at) attempt(`Set ${name}`, () => setStudyAttribute(project, at, row, name, value));
}
export function addRow({element}: Pick<StudyOption, 'element'>, attributes: readonly (readonly [string, string])[]): void {
  const at = openStudy.peek();
  if (at) attempt(`Add ${element}`, () => addStudyRow(project, at, element, attributes));
}
/** What several linear models have no room for; see the options of `davit linearize`. */
const kOfOneModel = ['response', 'bode', 'nyquist', 'step'];

/** The same for a click: an element of which a study has one takes the place of the old one, and what cannot be drawn with it goes. */
export function putRow(
  option: Pick<StudyOption, 'element' | 'is_repeated'>,
  attributes: readonly (readonly [string, string])[],
): void {
  const at = openStudy.peek();
  const now = study.peek();
  if (!at || !now) return;
  const old = option.is_repeated ? -1 : now.view.rows.findIndex(({element}) => element === option.element);
  attempt(`Add ${option.element}`, () => {
    if (old >= 0) for (const [name, value] of attributes) setStudyAttribute(project, at, old, name, value);
    else addStudyRow(project, at, option.element, attributes);
    if (option.element !== 'Vary' || now.view.element !== 'Linearize') return;
    for (const name of kOfOneModel) if (givenIn(now.view, name) !== null) setStudyAttribute(project, at, null, name, null);
  });
}
export function removeRow(row: number): void {
  const at = openStudy.peek();
  if (at) attempt('Remove a row', () => removeStudyRow(project, at, row));
}

/** Saves the study and its system, and runs it; `resume` keeps the rows of its table. */
export const start = (resume: boolean): Promise<void> =>
  begin(({path, place}) => postStudy(path, unsavedTexts(), place, resume));

/** The same for a bench; without names all of its cases run. */
export const startBench = (cases: readonly string[] = []): Promise<void> =>
  begin(({path}) => postBench(path, unsavedTexts(), cases));

async function begin(post: (at: StudyPlace) => Promise<{faults?: Fault[]}>): Promise<void> {
  const at = openStudy.peek();
  if (!at || isStarting.peek()) return;
  isStarting.value = true;
  studyFaults.value = [];
  await saveAll();
  if (unsaved.peek().includes(at.path)) {
    isStarting.value = false;
    return;
  }
  const answer = await asking(() => post(at));
  isStarting.value = false;
  studyFaults.value = answer?.faults ?? [];
  if (answer?.faults?.[0])
    notify('error', `The ${bench.peek() ? 'bench' : 'study'} cannot run: ${describeFault(answer.faults[0])}`);
  await readJobs();
}

export async function end(): Promise<void> {
  const now = bench.peek() ? benchJob.peek() : job.peek();
  if (!now) return;
  await asking(() => endStudy(now.study));
  await readJobs();
}

async function readJobs(): Promise<void> {
  const found = await asking(getStudies);
  if (found) jobs.value = found;
}

// ---- the table

export interface NamedTable {
  /** Of the option that names its file. */
  option: string;
  table: StudyTable;
}
export interface NamedPicture {
  option: string;
  /** SVG */
  text: string;
}
/** The tables that the study has written, the first of them that of its cases. */
export const tables = signal<readonly NamedTable[]>([]);
export const table = computed<StudyTable | null>(() => tables.value[0]?.table ?? null);
/** The pictures that the study has drawn. */
export const pictures = signal<readonly NamedPicture[]>([]);

interface WrittenFile {
  option: string;
  path: string;
}
/** The files that the study writes: those of its options. As a text, so that other edits of the study do not change it. */
const writtenText = computed(() => {
  const files = (kind.value?.options ?? [])
    .filter((option) => option.kind === 'file')
    .map(({name, usual_file}) => ({option: name, isTable: usual_file.endsWith('.csv'), path: fileOf(name) ?? ''}));
  return JSON.stringify({
    tables: files.filter(({isTable, path}) => isTable && path.endsWith('.csv')),
    pictures: files.filter(({path}) => path.endsWith('.svg')),
  });
});
const writtenFiles = computed<{tables: WrittenFile[]; pictures: WrittenFile[]}>(() => JSON.parse(writtenText.value));
/** Whether it writes a table. */
export const hasTable = computed(() => writtenFiles.value.tables.length > 0);

export async function readResults(): Promise<void> {
  const files = writtenFiles.peek();
  const paths = [...files.tables.flatMap(({path}) => [path, `${path}.units`]), ...files.pictures.map(({path}) => path)];
  const texts = paths.length ? await asking(() => getTexts(paths)) : {};
  if (!texts) return;
  if (files !== writtenFiles.peek()) return; // of another study
  tables.value = files.tables.flatMap(({option, path}) => {
    const rows = texts[path];
    return typeof rows === 'string' ? [{option, table: readTable(rows, texts[`${path}.units`] ?? '')}] : [];
  });
  pictures.value = files.pictures.flatMap(({option, path}) => {
    const text = texts[path];
    return typeof text === 'string' ? [{option, text}] : [];
  });
}

export function followStudies(): void {
  effect(() => {
    // Once for each study that is opened, and whenever cases have ended.
    const now = job.value;
    void [
      openStudy.value?.path,
      openStudy.value?.place,
      now?.study,
      now?.done,
      now?.status,
      writtenFiles.value,
      isStudyOpen.value,
    ];
    studyFaults.value = studyFaults.peek().filter(({file}) => file === openStudy.peek()?.path);
    if (isStudyOpen.peek()) void readResults();
    if (now && now.status !== 'running') void readList();
  });
  const poll = async () => {
    if (isStudyOpen.peek()) await readJobs();
    const isBusy = jobs.peek().some(({status}) => status === 'running' || status === 'loading');
    window.setTimeout(poll, isStudyOpen.peek() && isBusy ? kPeriod : kIdlePeriod);
  };
  void poll();
}

/** An element as the command line has it: `load.mass=5 t`. */
function asArgument(option: StudyOption, row: StudyView['rows'][number]): string {
  return option.parts
    .map(({attribute, before, after}) => {
      const value = givenIn(row, attribute);
      return value === null ? '' : before + value + after;
    })
    .join('');
}

/** Runs the system with the values of a case, and what the study sets in all runs. */
export async function runCase(values: ReadonlyMap<string, string>): Promise<void> {
  const now = study.peek();
  const of = kind.peek();
  if (!now || !of) return;
  const options: Record<string, string | boolean | string[]> = {};
  for (const option of of.options) {
    if (option.kind === 'file') continue;
    const rows = now.view.rows.filter(({element}) => element === option.element);
    if (option.element === 'Vary' || (option.element === '' && givenIn(now.view, option.name) === null)) continue;
    options[option.name] = option.element ? rows.map((row) => asArgument(option, row)) : givenIn(now.view, option.name)!;
  }
  const own = (options['set'] as string[] | undefined) ?? [];
  await startRun({
    ...options,
    free: true,
    paused: false,
    set: [...own, ...[...values].map(([path, value]) => `${path}=${value}`)],
  });
}
