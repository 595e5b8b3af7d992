// Requests to `davit studio`. Those to a run go through api/http.ts with the address of the run.
import {send, type Query} from '../../api/http.ts';
import type {Scene} from '../../api/types.ts';
import {layoutOf, modelOf, type LayoutAnswer, type ModelAnswer} from './answers.ts';
import type {
  Difference,
  ElementInfo,
  Fault,
  FileEntry,
  FileText,
  RunEntry,
  SharedAnswer,
  SharedFile,
  StudioInfo,
  StudyJob,
  StudyKinds,
  Template,
} from './types.ts';

export type Texts = Record<string, string>;

const json = async <T>(path: string, query: Query = {}): Promise<T> => (await send(path, query)).json() as Promise<T>;

/** Which page asks: a newer question of it takes the place of the one before, and its edits are told from those of others. */
export const client = Math.random().toString(36).slice(2);

async function post<T>(path: string, body: unknown, query = {}, patience = 60_000): Promise<T> {
  const response = await send(path, query, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  });
  const text = await response.text();
  return (text ? JSON.parse(text) : {}) as T;
}

export const getStudio = () => json<StudioInfo>('api/studio');
export const getFiles = async () => (await json<{files: FileEntry[]}>('api/files')).files;
export const getFile = (path: string) => json<FileText>('api/file', {path});
/** Texts of files; null where there is none yet. */
export const getTexts = async (path: string[]) =>
  (await json<{texts: Record<string, string | null>}>('api/texts', {path})).texts;
export async function getModels() {
  const {models, elements} = await json<{models: ModelAnswer[]; elements: ElementInfo[]}>('api/models');
  return {models: models.map(modelOf), elements};
}
/** Models of plug-ins, and what components with ports and states of their own have, by component. */
export async function postModels(path: string, texts: Texts) {
  const {models = [], components = []} = await post<{models?: ModelAnswer[]; components?: ModelAnswer[]}>(
    'api/models',
    {path, texts},
    {client},
  );
  return {models: models.map(modelOf), components: new Map(components.map((one) => [one.path ?? '', modelOf(one)]))};
}
export const postCheck = (path: string, texts: Texts) =>
  post<{faults: Fault[]; wall_ms?: number}>('api/check', {path, texts}, {client});
/** The mechanism at the start; without `scene` it says why. */
export interface StartPose {
  scene: Scene | null;
  values?: Record<string, number>;
  fault?: string;
  faults: Fault[];
}
export const postScene = (path: string, texts: Texts) => post<StartPose>('api/scene', {path, texts}, {client});
/** `purpose`: questions of one purpose take each other's place. */
export const postLayout = (path: string, texts: Texts, purpose = '') =>
  post<LayoutAnswer>('api/layout', {path, texts}, {client: client + purpose}).then(layoutOf);
/** Compares a file with another one of the folder; null: with what is saved. */
export const compareFiles = (path: string, texts: Texts, before: string | null) =>
  post<{differences: Difference[]; faults: Fault[]}>('api/compare', {path, texts, before}, {client});
export const getTemplates = async () => (await json<{templates: Template[]}>('api/templates')).templates;
export const getRuns = async () => (await json<{runs: RunEntry[]}>('api/runs')).runs;
/** Besides pace and pause the options that studies have for each run: `set`, `stop` ... */
export type RunOptions = {paused?: boolean; free?: boolean} & Record<string, boolean | string | readonly string[]>;
export const postRun = (path: string, texts: Texts, options: RunOptions = {}) =>
  post<{run?: number; faults?: Fault[]}>('api/runs', {path, texts, ...options});
export const getStudyKinds = () => json<StudyKinds>('api/studies/kinds');
export const getStudies = async () => (await json<{studies: StudyJob[]}>('api/studies')).studies;
export const postStudy = (path: string, texts: Texts, place: number, resume: boolean) =>
  post<{study?: number; faults?: Fault[]}>('api/studies', {path, texts, place, resume});
/** Runs the cases of a bench file; without names all of them. */
export const postBench = (path: string, texts: Texts, cases: readonly string[]) =>
  post<{study?: number; faults?: Fault[]}>('api/studies', {path, texts, bench: true, cases});
export const endStudy = (study: number) => send('api/studies', {study}, {method: 'DELETE'});
export const deleteRun = (run: number) => send('api/runs', {run}, {method: 'DELETE'});

/** The text of the disk differs from the one that was opened. */
export interface Conflict {
  hash: string | null;
  text: string | null;
}

/** Writes a file; `hash` is that of the text it was opened with, null for a new one. `isBehind`: others have edited it. */
export async function putFile(
  path: string,
  text: string,
  hash: string | null,
): Promise<
  {isBehind: true} | {isBehind?: undefined; conflict: Conflict} | {isBehind?: undefined; conflict?: undefined; hash: string}
> {
  const init = {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({text, hash})};
  const response = await send('api/file', {path, client}, init, [409, 423]);
  if (response.status === 423) return {isBehind: true};
  const answer = (await response.json()) as {hash: string; text?: string};
  return response.status === 409 ? {conflict: {hash: answer.hash ?? null, text: answer.text ?? null}} : {hash: answer.hash};
}

/** Sends what was edited here, and gets what others have edited; `path` and `chosen` are shown to them. */
export const postShare = (path: string, chosen: readonly string[], files: readonly SharedFile[]) =>
  post<SharedAnswer>('api/share', {client, path, chosen, files});
/** The page closes. Nobody waits for the answer. */
export const postLeave = (): void => {
  const body = JSON.stringify({client, leaves: true, files: []});
  void fetch('api/share', {method: 'POST', headers: {'Content-Type': 'application/json'}, body, keepalive: true}).catch(
    () => {},
  );
};
