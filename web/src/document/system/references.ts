// Paths in a system file that name its components: found, mapped to others, or removed.
import {EditRefused} from '../project_types.ts';
import type {TextEdit} from '../text_edit.ts';
import {escapeValue} from '../xml/entities.ts';
import {removeNodes} from '../xml/edits.ts';
import {attributeOf, elementsIn} from '../xml/query.ts';
import type {XmlAttribute, XmlDocument, XmlElement} from '../xml/syntax.ts';
import type {SystemTree} from './read_system.ts';

/** The path that takes the place of another; null removes what refers to it. */
export type PathMap = (path: string) => string | null;

/** The attributes of references that hold one path. */
const kPathAttributes: Readonly<Record<string, readonly string[]>> = {
  Connect: ['from', 'to'],
  Route: ['from', 'to'],
  Expose: ['port'],
  At: ['set', 'to'],
  Record: [],
};

/** The same of elements of panels. */
const kPanelPaths = ['set', 'show', 'x', 'y', 'chart', 'to', 'warning_item', 'alarm_item'];

/** What changes where paths change: edits of attributes, and elements that have nothing left to refer to. */
export interface ReferenceChanges {
  edits: TextEdit[];
  removed: XmlElement[];
}

export function mapReferences(tree: SystemTree, map: PathMap): ReferenceChanges {
  const changes: ReferenceChanges = {edits: [], removed: []};
  for (const element of tree.references.values()) {
    if (element.name === 'Record') mapSignals(tree.document, element, map, changes);
    else mapPaths(element, kPathAttributes[element.name] ?? [], map, changes);
  }
  for (const element of elementsIn(tree.root, 'Panel').flatMap((panel) => elementsIn(panel)))
    mapPaths(element, kPanelPaths, map, changes);
  return changes;
}

/** The edits of mapReferences, with the removals and those of further elements. */
export function referenceEdits(
  document: XmlDocument,
  changes: ReferenceChanges,
  alsoRemoved: readonly XmlElement[] = [],
): TextEdit[] {
  return [...changes.edits, ...removeElements(document, [...changes.removed, ...alsoRemoved])];
}

function mapPaths(element: XmlElement, names: readonly string[], map: PathMap, changes: ReferenceChanges): void {
  const edits: TextEdit[] = [];
  for (const name of names) {
    const attribute = attributeOf(element, name);
    if (!attribute) continue;
    const path = attribute.value.trim();
    const mapped = map(path);
    if (mapped === null) {
      changes.removed.push(element);
      return;
    }
    if (mapped !== path) edits.push(valueEdit(attribute, mapped));
  }
  changes.edits.push(...edits);
}

const valueEdit = (attribute: XmlAttribute, value: string): TextEdit => ({
  start: attribute.valueStart,
  end: attribute.valueEnd,
  text: escapeValue(value, attribute.quote),
});

/** The signals of a <Record>; what parts them stays as it is written. */
function mapSignals(document: XmlDocument, element: XmlElement, map: PathMap, changes: ReferenceChanges): void {
  const attribute = attributeOf(element, 'signals');
  if (!attribute) return;
  const written = document.text.slice(attribute.valueStart, attribute.valueEnd);
  const edits: TextEdit[] = [];
  let left = 0;
  let end = 0;
  for (const match of written.matchAll(/[^\s,]+/g)) {
    const start = match.index;
    const mapped = map(match[0]);
    const place = {start: attribute.valueStart + start, end: attribute.valueStart + start + match[0].length};
    if (mapped !== null) {
      ++left;
      if (mapped !== match[0]) edits.push({...place, text: escapeValue(mapped, attribute.quote)});
      end = start + match[0].length;
    } else if (left > 0) {
      edits.push({start: attribute.valueStart + end, end: place.end, text: ''}); // with what parts it from the one before
      end = start + match[0].length;
    } else {
      const next = /^[\s,]*/.exec(written.slice(start + match[0].length))![0].length;
      edits.push({start: place.start, end: place.end + next, text: ''});
    }
  }
  if (left === 0 && edits.length > 0) changes.removed.push(element);
  else changes.edits.push(...edits);
}

/** Removes elements anywhere in a system; a <Layout> or <For> that has nothing left goes too. */
export function removeElements(document: XmlDocument, elements: readonly XmlElement[]): TextEdit[] {
  const gone = new Set(elements);
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const parent of new Set([...gone].map((element) => element.parent))) {
      if (!parent || gone.has(parent) || (parent.name !== 'Layout' && parent.name !== 'For')) continue;
      if (!elementsIn(parent).every((element) => gone.has(element))) continue;
      gone.add(parent);
      hasGrown = true;
    }
  }
  const byParent = new Map<XmlElement, XmlElement[]>();
  for (const element of gone) {
    if (!element.parent) throw new EditRefused('the root element of a file cannot be removed');
    if (gone.has(element.parent)) continue;
    byParent.set(element.parent, [...(byParent.get(element.parent) ?? []), element]);
  }
  return [...byParent.values()].flatMap((nodes) => removeNodes(document, nodes));
}
