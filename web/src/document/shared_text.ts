// The text of a file that others edit, too: what of it the server knows, and the edits of this page that it does not know yet.
import type {ChangeSet} from '@codemirror/state';
import {changesOf, editsOf, linesOf, meet} from './merge.ts';
import {editBetween, inverseEdits, type TextChange, type TextEdit} from './text_edit.ts';

interface OwnChange {
  label: string;
  changes: ChangeSet;
  inverse: ChangeSet;
}

/** What the edits of others do to the text of this page. */
export interface Received {
  /** To be made in the text as it is here. */
  edits: TextEdit[];
  /** Steps of this page that are taken back by them: they touch what another user has changed before. */
  lost: string[];
}

/**
 * The server gives all changes one order. Changes of this page wait in a list until the server has them; those that come in
 * meanwhile are made before them.
 */
export class SharedText {
  private own: OwnChange[] = [];
  private length: number;

  /** `known`: the text of the server at `version`; `text`: that of this page. */
  constructor(
    known: string,
    text: string,
    label: string,
    public version?: number,
  ) {
    this.length = known.length;
    const edit = editBetween(known, text);
    if (edit) this.add(label, {edits: [edit], inverse: inverseEdits(known, [edit])});
  }

  /** What the server does not know yet, in order. */
  get pending(): {label: string; edits: TextEdit[]}[] {
    return this.own.map(({label, changes}) => ({label, edits: editsOf(changes)}));
  }

  /** This page has changed its text. */
  add(label: string, {edits, inverse}: TextChange): void {
    const changes = changesOf(edits, this.length);
    this.own.push({label, changes, inverse: changesOf(inverse, changes.newLength)});
    this.length = changes.newLength;
  }

  /** The server has taken the first of the pending changes. */
  confirm(): void {
    this.own.shift();
  }

  /** The text that the server knows, where this page has `text`. */
  knownOf(text: string): string {
    let lines = linesOf(text);
    for (const {inverse} of [...this.own].reverse()) lines = inverse.apply(lines);
    return lines.sliceString(0, lines.length, '\n');
  }

  /** A change that somebody else has made of what the server knows; `text` is that of this page before it. */
  receive(edits: readonly TextEdit[], text: string): Received {
    const states = [linesOf(text)]; // before each own change, and after the last one
    for (const {inverse} of [...this.own].reverse()) states.unshift(inverse.apply(states[0]!));
    let theirs = changesOf(edits, states[0]!.length);
    const kept: OwnChange[] = [];
    const lost: string[] = [];
    this.own.forEach((own, index) => {
      if (meet(states[index]!, own.changes, theirs)) {
        theirs = own.inverse.compose(theirs);
        lost.push(own.label);
        return;
      }
      const changes = own.changes.map(theirs);
      kept.push({label: own.label, changes, inverse: changes.invert(theirs.apply(states[index]!))});
      theirs = theirs.map(own.changes, true);
    });
    this.own = kept;
    this.length = theirs.newLength;
    return {edits: editsOf(theirs), lost};
  }

  /** The same, where the server has sent all of its text. */
  receiveText(known: string, text: string): Received {
    const edit = editBetween(this.knownOf(text), known);
    return edit ? this.receive([edit], text) : {edits: [], lost: []};
  }
}
