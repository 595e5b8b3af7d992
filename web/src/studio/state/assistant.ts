// What the program says of the system as it is edited: faults, places, lines. Asked for after each change, one question at a time; one
// that takes long is given up for a newer one.
import {batch, effect, signal} from '@preact/signals';
import {Refused, Unreachable} from '../../api/http.ts';
import {postCheck, postLayout, postModels} from '../api/requests.ts';
import type {Fault, Layout} from '../api/types.ts';
import {models, ownComponents, ownModels} from './models.ts';
import {current, loginNeeded, online, project, revision, rootPath, system, unsavedTexts} from './workspace.ts';

const kPause = 120; // after the last change [ms]
const kRetry = 1000; // without a connection [ms]
const kLong = 1000; // of an answer [ms]

export const faults = signal<readonly Fault[]>([]);
/** Of the sheet that is shown, and which text it is of. */
export const layout = signal<{path: string; revision: number; answer: Layout} | null>(null);
/** The sheet that the program has been asked about, whatever it answered. */
export const answered = signal<string | null>(null);
export const isChecking = signal(false);
/** How long the last check took, from question to answer [ms]. */
export const checkTime = signal(0);

let checkedRoot: string | null = null;
/** Counts the questions; the newest one counts. */
let newest = 0;
/** When the one under way was asked; null: none is. */
let begun: number | null = null;
let underWay = '';
let asked = '';
let timer = 0;

async function ask(): Promise<void> {
  const path = current.peek();
  const root = rootPath.peek();
  if (path === null || root === null) return;
  const of = revision.peek();
  const question = `${root}\n${path}\n${of}\n${models.peek().size}`;
  if (question === asked || (begun !== null && question === underWay)) return;
  if (begun !== null && performance.now() - begun < kLong) return schedule(kLong - (performance.now() - begun));
  underWay = question;
  const number = ++newest;
  const begin = performance.now();
  begun = begin;
  isChecking.value = true;
  try {
    const texts = unsavedTexts();
    // A broken file has no drawing: the last one stays. What is wrong is told by the check.
    const isBroken = system.peek()?.fault !== null;
    const [drawn, checked] = await Promise.all([
      isBroken ? null : refusedAsNull(postLayout(path, texts)),
      postCheck(root, texts),
    ]);
    if (number !== newest) return;
    asked = question;
    online.value = true;
    checkTime.value = performance.now() - begin;
    if (current.peek() === path) {
      batch(() => {
        if (drawn) layout.value = {path, revision: of, answer: drawn};
        faults.value = checked.faults;
        answered.value = path;
      });
    }
    await readOwnModels(path, texts);
  } catch (error) {
    if (number !== newest) return;
    answered.value = path;
    if (error instanceof Unreachable) online.value = false;
    else if (error instanceof Refused && error.status === 401) loginNeeded.value = true;
    else {
      asked = question;
      faults.value = [
        {file: root, line: 0, path: '', severity: 'error', text: error instanceof Error ? error.message : String(error)},
      ];
    }
  } finally {
    if (number === newest) {
      begun = null;
      isChecking.value = false;
      // Something may have changed meanwhile, or nobody answered.
      schedule(online.peek() ? 0 : kRetry);
    }
  }
}

async function refusedAsNull(question: Promise<Layout | null>): Promise<Layout | null> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof Refused && error.status !== 401) return null;
    throw error;
  }
}

let ownOf = '';

/** Plug-ins and models in XML: asked again when what names them changes. */
async function readOwnModels(path: string, texts: Record<string, string>): Promise<void> {
  const unknown =
    system
      .peek()
      ?.view.components.filter(({kind, model}) => kind === 'model' && !models.peek().has(model))
      .map(({model}) => model) ?? [];
  const plugins = system.peek()?.view.plugins ?? [];
  const hasOwn = unknown.length > 0 || plugins.length > 0 || /<user\.|\.fmu/.test(project.text(path));
  const key = hasOwn ? `${path}\n${plugins.join('\n')}\n${unknown.join('\n')}\n${project.version(path)}` : path;
  if (key === ownOf) return;
  const found = hasOwn ? await postModels(path, texts) : {models: [], components: new Map()};
  ownOf = key;
  batch(() => {
    ownModels.value = found.models;
    ownComponents.value = found.components;
  });
}

function schedule(pause: number): void {
  window.clearTimeout(timer);
  const question = `${rootPath.peek()}\n${current.peek()}\n${revision.peek()}\n${models.peek().size}`;
  if (question !== asked || !online.peek()) timer = window.setTimeout(() => void ask(), pause);
}

export function startAssistant(): void {
  effect(() => {
    revision.value;
    current.value;
    models.value;
    if (layout.peek() && layout.peek()!.path !== current.peek()) layout.value = null;
    if (answered.peek() !== current.peek()) answered.value = null;
    if (checkedRoot !== rootPath.value) {
      checkedRoot = rootPath.value;
      faults.value = [];
    }
    schedule(kPause);
  });
}
