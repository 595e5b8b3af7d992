// The clipboard: components with their values, places and what connects them, as a small system file.
import {freeName} from '../names.ts';
import {folderOf, relativePath, resolvePath} from '../paths.ts';
import {EditRefused, type Project} from '../project_types.ts';
import {makeProject} from '../project.ts';
import type {ClipText, Place} from '../system_types.ts';
import {indentStep, linesOf, setAttribute} from '../xml/edits.ts';
import {elementsIn} from '../xml/query.ts';
import {parseXml} from '../xml/parse.ts';
import {lineStart} from '../xml/lines.ts';
import type {XmlElement} from '../xml/syntax.ts';
import {openSystem, type EditableSystem} from './edit_system.ts';
import {contentsOf, takeFragment, writeFragment} from './fragment.ts';
import type {Kind} from './order.ts';
import {moved} from './arrange.ts';
import {addedNote, noteAttributes, noteElement} from './notes.ts';

const kFile = 'clip.xml';
const kComment = /<!-- components of (.*?) -->/;

export function copyText(system: EditableSystem, names: readonly string[]): ClipText {
  const tree = system.current();
  return writeFragment('clip', takeFragment(tree, names), '\n', indentStep(tree.document), `components of ${system.path}`);
}

export function pasteText(system: EditableSystem, clip: ClipText, offset: {x: number; y: number}): string[] {
  const parsed = parseXml(clip);
  if (parsed.document?.root.name !== 'System') throw new EditRefused('the clipboard holds no components; copy some first');
  const project = makeProject();
  project.open(kFile, clip);
  const origin = kComment.exec(clip)?.[1];
  if (origin !== undefined && folderOf(origin) !== folderOf(system.path)) rewriteSources(project, kFile, origin, system.path);
  return insertSystem(system, project, kFile, offset);
}

/** Files that were named from one file are named from another. */
export function rewriteSources(project: Project, file: string, origin: string, target: string): void {
  const {document} = project.parse(file);
  if (!document) return;
  const notes = elementsIn(document.root, 'Layout').flatMap((layout) => elementsIn(layout, 'Note'));
  const edits = [...elementsIn(document.root), ...notes].flatMap((element) =>
    element.attributes
      .filter(({name}) => name === 'src' || name === 'chart' || (name === 'picture' && element.name === 'Note'))
      .flatMap((attribute) => {
        const path = resolvePath(origin, attribute.value);
        return path === undefined ? [] : [setAttribute(document, element, attribute.name, relativePath(target, path))];
      }),
  );
  project.edit(file, edits);
}

/**
 * Puts all that a system file of another project has, but for its parameters and exposed ports, into a system; names that
 * are taken become new ones. Result: the names of the components, in their order, then the keys of the notes.
 */
export function insertSystem(target: EditableSystem, project: Project, file: string, offset: {x: number; y: number}): string[] {
  const source = openSystem(project, file) as EditableSystem;
  for (const {name, repeated} of source.current().components) {
    const tree = target.current();
    const isTaken = (one: string): boolean => tree.isTaken(one) || tree.exposes.some(({as}) => as === one);
    if (!isTaken(name)) continue;
    if (repeated.length > 0) throw new EditRefused(`the name ${name} is taken inside a <For>; rename it as text first`);
    source.rename(
      name,
      freeName(name, (one) => isTaken(one) || source.current().isTaken(one)),
    );
  }
  const tree = source.current();
  const {plugins, components, connects, routes, ats, records} = contentsOf(tree.root);
  const known = new Set(target.current().plugins);
  const lists: readonly (readonly [Kind, readonly XmlElement[]])[] = [
    ['Plugin', plugins.filter((element) => !known.has(element.attributes.find(({name}) => name === 'src')?.value ?? ''))],
    ['component', components],
    ['Connect', connects],
    ['Route', routes],
    ['At', ats],
    ['Record', records],
  ];
  for (const [kind, elements] of lists) {
    const lines = elements.flatMap((element) => [
      ...commentAbove(tree.document.text, element),
      ...linesOf(tree.document, element),
    ]);
    if (lines.length > 0) target.insert(kind, () => lines);
  }
  const places = new Map<string, Place>([...tree.places].filter(([name]) => tree.find(name)));
  if (places.size > 0) target.place(moved(places, offset.x, offset.y));
  const notes = [...tree.notes].filter(([, {repeated}]) => repeated.length === 0).map(([key]) => noteElement(tree, key));
  const before = target.current().notes.size;
  for (const note of notes) target.apply(addedNote(target.current(), noteAttributes(note, offset.x, offset.y)));
  return [
    ...tree.components.filter(({repeated}) => repeated.length === 0).map(({name}) => name),
    ...(notes.length > 0 ? [...target.current().notes.keys()].slice(before) : []),
  ];
}

/** The comment in the lines directly above an element. */
function commentAbove(text: string, element: XmlElement): string[] {
  const siblings = element.parent?.children ?? [];
  const index = siblings.indexOf(element);
  const [comment, space] = [siblings[index - 2], siblings[index - 1]];
  if (comment?.kind !== 'comment' || space?.kind !== 'text' || !/^[ \t]*\r?\n[ \t]*$/.test(text.slice(space.start, space.end)))
    return [];
  const start = lineStart(text, comment.start);
  const indent = text.slice(start, comment.start);
  if (indent.trim() !== '') return [];
  return text
    .slice(comment.start, comment.end)
    .split(/\r?\n/)
    .map((line, row) => (row > 0 && line.startsWith(indent) ? line.slice(indent.length) : line));
}
