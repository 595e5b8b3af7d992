// The files that are edited together, with one history of undo and redo.
import type {TextChange, TextEdit} from './text_edit.ts';
import type {XmlDocument, XmlFault} from './xml/syntax.ts';

/** What an operation could not do, and what would do instead. The texts are as they were before it. */
export class EditRefused extends Error {
  override name = 'EditRefused';
}

/** One step of the history. */
export interface Step {
  /** What was done, for the menu: `Rename pump`. */
  label: string;
  /** The files that it changed, made or removed. */
  paths: readonly string[];
}

/** What changed in the texts; `cause` says by what. */
export interface ProjectChange {
  paths: readonly string[];
  /** `others`: other people have edited the same text. */
  cause: 'edit' | 'undo' | 'redo' | 'open' | 'close' | 'others';
  /** What was edited here, in order, by path. */
  changes: ReadonlyMap<string, readonly TextChange[]>;
  step?: Step;
}

/**
 * The texts of the files that are open, by path (relative to the folder of the studio, with '/'). Operations of documents,
 * typing in the text view and the making of files all go through `edit`, so one history undoes them all.
 * A project knows nothing of the server: the page loads texts before `open`, and saves `text(path)` itself.
 */
export interface Project {
  /** The paths of all files that are open, in order of the alphabet. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** The text as it is now; throws EditRefused where the file is not open. */
  text(path: string): string;
  /** Grows by one with each change of the text; equal numbers mean equal text. */
  version(path: string): number;
  /**
   * Adds a file as it is on disk, or takes over what is on disk now. Is no step of the history; a text that differs from
   * the one before it ends the history of that file (steps that touch it can no longer be undone).
   */
  open(path: string, text: string): void;
  close(path: string): void;

  /** The file as XML; `fault` in place of `document` where it is not well-formed. */
  parse(path: string): {document: XmlDocument; fault?: undefined} | {document?: undefined; fault: XmlFault};
  /** The last text of the file that was well-formed, as XML; nothing where there never was one. */
  lastGood(path: string): XmlDocument | undefined;

  /**
   * Makes one step of the history of all that `work` does with documents of this project. Where it throws, all of it is
   * taken back and the exception goes on. Steps inside steps are part of the outer one.
   * Steps with the same `merge` that follow each other within a second become one (typing, arrow keys).
   */
  step<T>(label: string, work: () => T, merge?: string): T;
  /** Edits of one file; places are those of its text now. */
  edit(path: string, edits: readonly TextEdit[]): void;
  /** The whole new text, as a text view has it; kept as the one edit between both. It may be broken XML. */
  setText(path: string, text: string): void;
  /**
   * Edits that somebody else has made of the same text. They are no step of the history: its steps are moved past them, and
   * a step that touches the same element is left out.
   */
  receive(path: string, edits: readonly TextEdit[]): void;
  /** A file that was not there; refused where it is. Undo removes it. */
  create(path: string, text: string): void;

  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The steps that can be undone, the last first; and those that can be redone, the next first. */
  readonly undoSteps: readonly Step[];
  readonly redoSteps: readonly Step[];
  undo(): Step | null;
  redo(): Step | null;
  /** Called after each step, undo, redo, open and close; the result ends the subscription. */
  subscribe(listener: (change: ProjectChange) => void): () => void;
}
