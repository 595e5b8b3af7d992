// The files that are edited together, and their history. See project_types.ts for the interface.
import type {ChangeSet, Text} from '@codemirror/state';
import {changesOf, editsOf, linesOf, meet} from './merge.ts';
import {applyEdits, editBetween, inverseEdits, type TextChange, type TextEdit} from './text_edit.ts';
import {EditRefused, type Project, type ProjectChange, type Step} from './project_types.ts';
import {parseXml, type ParseResult} from './xml/parse.ts';
import type {XmlDocument} from './xml/syntax.ts';

const kMergeWithin = 1000; // ms

/** A change of one file: edits, or the making of a file. */
type FileChange = ({path: string} & TextChange) | {path: string; created: string};

interface StepRecord extends Step {
  paths: string[];
  changes: FileChange[];
  merge?: string;
  at: number;
}

interface File {
  text: string;
  version: number;
  parsed?: ParseResult;
  lastGood?: XmlDocument;
}

export function makeProject(now: () => number = Date.now): Project {
  return new TextProject(now);
}

class TextProject implements Project {
  private readonly files = new Map<string, File>();
  private readonly listeners = new Set<(change: ProjectChange) => void>();
  private readonly undoList: StepRecord[] = [];
  private redoList: StepRecord[] = [];
  private versions = 0;
  private current: StepRecord | null = null;

  constructor(private readonly now: () => number) {}

  get paths(): readonly string[] {
    return [...this.files.keys()].sort();
  }
  has(path: string): boolean {
    return this.files.has(path);
  }
  text(path: string): string {
    return this.file(path).text;
  }
  version(path: string): number {
    return this.file(path).version;
  }

  open(path: string, text: string): void {
    const known = this.files.get(path);
    if (known?.text === text) return;
    if (known) {
      this.forget(path);
      this.write(known, text);
      this.tell({paths: [path], cause: 'open', changes: new Map()});
    } else {
      this.files.set(path, {text, version: ++this.versions});
      this.tell({paths: [path], cause: 'open', changes: new Map()});
    }
  }

  close(path: string): void {
    if (!this.files.delete(path)) return;
    this.forget(path);
    this.tell({paths: [path], cause: 'close', changes: new Map()});
  }

  parse(path: string): ParseResult {
    const file = this.file(path);
    file.parsed ??= parseXml(file.text);
    if (file.parsed.document) file.lastGood = file.parsed.document;
    return file.parsed;
  }

  lastGood(path: string): XmlDocument | undefined {
    this.parse(path);
    return this.file(path).lastGood;
  }

  step<T>(label: string, work: () => T, merge?: string): T {
    if (this.current) return work();
    const record: StepRecord = {label, paths: [], changes: [], at: this.now(), ...(merge === undefined ? {} : {merge})};
    this.current = record;
    let result: T;
    try {
      result = work();
    } catch (error) {
      for (const change of record.changes.reverse()) this.revert(change);
      throw error;
    } finally {
      this.current = null;
    }
    if (record.changes.length > 0) this.keep(record);
    return result;
  }

  edit(path: string, edits: readonly TextEdit[]): void {
    const file = this.file(path);
    const wanted = edits.filter((edit) => file.text.slice(edit.start, edit.end) !== edit.text);
    if (wanted.length === 0) return;
    this.step('Edit', () => this.change({path, edits: wanted, inverse: inverseEdits(file.text, wanted)}));
  }

  setText(path: string, text: string): void {
    const edit = editBetween(this.text(path), text);
    if (edit) this.edit(path, [edit]);
  }

  receive(path: string, edits: readonly TextEdit[]): void {
    if (edits.length === 0) return;
    const file = this.file(path);
    const before = linesOf(file.text);
    const theirs = changesOf(edits, before.length);
    movePast(this.undoList, path, before, theirs, 'undo');
    movePast(this.redoList, path, before, theirs, 'redo');
    this.write(file, applyEdits(file.text, edits));
    this.tell({paths: [path], cause: 'others', changes: new Map()});
  }

  create(path: string, text: string): void {
    if (this.files.has(path)) throw new EditRefused(`there is a file ${path} already; choose another name`);
    this.step(`New file ${path}`, () => this.change({path, created: text}));
  }

  get canUndo(): boolean {
    return this.undoList.length > 0;
  }
  get canRedo(): boolean {
    return this.redoList.length > 0;
  }
  get undoSteps(): readonly Step[] {
    return [...this.undoList].reverse();
  }
  get redoSteps(): readonly Step[] {
    return [...this.redoList].reverse();
  }

  undo(): Step | null {
    const record = this.undoList.pop();
    if (!record) return null;
    for (const change of [...record.changes].reverse()) this.revert(change);
    delete record.merge;
    this.redoList.push(record);
    this.tellOf(record, 'undo');
    return record;
  }

  redo(): Step | null {
    const record = this.redoList.pop();
    if (!record) return null;
    for (const change of record.changes) this.make(change);
    this.undoList.push(record);
    this.tellOf(record, 'redo');
    return record;
  }

  subscribe(listener: (change: ProjectChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private file(path: string): File {
    const file = this.files.get(path);
    if (!file) throw new EditRefused(`the file ${path} is not open`);
    return file;
  }

  private write(file: File, text: string): void {
    if (!file.parsed && !file.lastGood) {
      const parsed = parseXml(file.text); // what was good before it broke is kept
      if (parsed.document) file.lastGood = parsed.document;
    }
    file.text = text;
    file.version = ++this.versions;
    delete file.parsed;
  }

  private change(change: FileChange): void {
    this.make(change);
    const record = this.current!;
    record.changes.push(change);
    if (!record.paths.includes(change.path)) record.paths.push(change.path);
  }

  private make(change: FileChange): void {
    if ('created' in change) {
      this.files.set(change.path, {text: change.created, version: ++this.versions});
    } else {
      const file = this.file(change.path);
      this.write(file, applyEdits(file.text, change.edits));
    }
  }

  private revert(change: FileChange): void {
    if ('created' in change) {
      this.files.delete(change.path);
    } else {
      const file = this.file(change.path);
      this.write(file, applyEdits(file.text, change.inverse));
    }
  }

  private keep(record: StepRecord): void {
    this.redoList = [];
    const last = this.undoList.at(-1);
    if (last && record.merge !== undefined && last.merge === record.merge && record.at - last.at < kMergeWithin) {
      last.changes.push(...record.changes);
      last.paths = [...new Set([...last.paths, ...record.paths])];
      last.at = record.at;
    } else {
      this.undoList.push(record);
    }
    this.tellOf(record, 'edit');
  }

  /** Ends the history of a file that was changed by somebody else. */
  private forget(path: string): void {
    // A step that is taken back needs the texts as they were after it: the older ones go too.
    for (const list of [this.undoList, this.redoList]) {
      let last = list.length;
      while (last > 0 && !list[last - 1]!.paths.includes(path)) --last;
      list.splice(0, last);
    }
  }

  private tellOf(record: StepRecord, cause: 'edit' | 'undo' | 'redo'): void {
    const changes = new Map<string, TextChange[]>();
    for (const change of cause === 'undo' ? [...record.changes].reverse() : record.changes) {
      if ('created' in change) continue;
      const list = changes.get(change.path) ?? [];
      list.push(cause === 'undo' ? {edits: change.inverse, inverse: change.edits} : change);
      changes.set(change.path, list);
    }
    this.tell({paths: record.paths, cause, changes, step: {label: record.label, paths: record.paths}});
  }

  private tell(change: ProjectChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }
}

/**
 * Moves the steps of a list past the edits that somebody else has made of the text `before`, the last step first: each is
 * seen from the text that the one after it leaves. What touches the same element as the edits is left out.
 */
function movePast(list: StepRecord[], path: string, before: Text, edits: ChangeSet, cause: 'undo' | 'redo'): void {
  let text = before;
  let theirs = edits;
  for (let at = list.length - 1; at >= 0; --at) {
    const record = list[at]!;
    const moved: FileChange[] = [];
    for (const change of cause === 'undo' ? [...record.changes].reverse() : record.changes) {
      if (change.path !== path || 'created' in change) {
        moved.push(change);
        continue;
      }
      const [next, back] = cause === 'undo' ? [change.inverse, change.edits] : [change.edits, change.inverse];
      const step = changesOf(next, text.length);
      if (meet(text, step, theirs)) {
        // The step stays made: to those below it, it is one of the others.
        theirs = changesOf(back, step.newLength).compose(theirs);
      } else {
        const stepMoved = step.map(theirs);
        const there = editsOf(stepMoved);
        const andBack = editsOf(stepMoved.invert(theirs.apply(text)));
        moved.push({path, ...(cause === 'undo' ? {edits: andBack, inverse: there} : {edits: there, inverse: andBack})});
        theirs = theirs.map(step, true);
      }
      text = step.apply(text);
    }
    record.changes = cause === 'undo' ? moved.reverse() : moved;
    if (record.changes.length === 0) list.splice(at, 1);
  }
}
