// The <Note> elements of a <Layout>: texts and pictures on the sheet.
import {EditRefused} from '../project_types.ts';
import {resolvePath} from '../paths.ts';
import type {AttributeView, NoteView} from '../system_types.ts';
import type {TextEdit} from '../text_edit.ts';
import {insertLines, setAttribute, writeElement} from '../xml/edits.ts';
import {attributeValue, elementsIn} from '../xml/query.ts';
import type {XmlElement} from '../xml/syntax.ts';
import {placeFor} from './order.ts';
import {formatCoordinate} from './places.ts';
import type {SystemTree} from './read_system.ts';

export const kPictureEnding = /\.(png|svg)$/i;
const kPictureSize = {width: 160, height: 120};

/** Whether a name of what is chosen on a sheet is the key of a note; components have no colon. */
export const isNote = (name: string): boolean => name.startsWith('Note:');
export const withoutNotes = (names: readonly string[]): string[] => names.filter((name) => !isNote(name));

export function noteView(
  element: XmlElement,
  key: string,
  base: {line: number; attributes: readonly AttributeView[]; repeated: readonly string[]},
  path: string,
): NoteView {
  const number = (name: string): number => Number(attributeValue(element, name) ?? NaN);
  const size = (name: 'width' | 'height'): number | null => (number(name) >= 1 ? number(name) : null);
  const picture = attributeValue(element, 'picture');
  const source = picture !== undefined && kPictureEnding.test(picture) ? resolvePath(path, picture) : undefined;
  return {
    ...base,
    key,
    x: number('x'),
    y: number('y'),
    text: attributeValue(element, 'text') ?? '',
    width: size('width') ?? (picture === undefined ? null : kPictureSize.width),
    height: picture === undefined ? 0 : (size('height') ?? kPictureSize.height),
    ...(source === undefined ? {} : {source}),
  };
}

/** The element of a note that an operation may change. */
export function noteElement(tree: SystemTree, key: string): XmlElement {
  const element = tree.elementOf(key);
  const view = tree.notes.get(key);
  if (!element || !view) throw new EditRefused('there is no such note any more');
  if (view.repeated.length > 0) throw new EditRefused('the note is made by a <For>; edit it as text');
  return element;
}

/** The attributes of a note that is put elsewhere. */
export function noteAttributes(element: XmlElement, dx: number, dy: number): [string, string][] {
  const by = new Map([
    ['x', dx],
    ['y', dy],
  ]);
  return element.attributes.map(({name, value}) => {
    const at = Number(value);
    return [name, by.has(name) && Number.isFinite(at) ? formatCoordinate(at + by.get(name)!) : value];
  });
}

export function addedNote(tree: SystemTree, attributes: readonly (readonly [string, string])[]): TextEdit[] {
  const {document, layout} = tree;
  const note = {name: 'Note', attributes};
  if (layout)
    return insertLines(document, {parent: layout, after: elementsIn(layout).at(-1) ?? null}, (indent, step) =>
      writeElement(note, indent, step),
    );
  return insertLines(document, placeFor(tree.root, 'Layout'), (indent, step) =>
    writeElement({name: 'Layout', attributes: [], children: [note]}, indent, step),
  );
}

export function movedNotes(tree: SystemTree, keys: readonly string[], dx: number, dy: number): TextEdit[] {
  return keys.flatMap((key) => {
    const element = noteElement(tree, key);
    const {x, y} = tree.notes.get(key)!;
    return (
      [
        ['x', x, dx],
        ['y', y, dy],
      ] as const
    )
      .filter(([, at, by]) => by !== 0 && Number.isFinite(at))
      .map(([name, at, by]) => setAttribute(tree.document, element, name, formatCoordinate(at + by)));
  });
}
