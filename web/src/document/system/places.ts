// The <Layout> of a system file: a line for each component, in the order of the names, so that two people can merge.
import type {Place} from '../system_types.ts';
import type {TextEdit} from '../text_edit.ts';
import {insertLines, removeAttribute, removeNodes, setAttribute, writeElement, type NewElement} from '../xml/edits.ts';
import {attributeOf, elementsIn, attributeValue} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';
import {placeFor} from './order.ts';
import type {SystemTree} from './read_system.ts';

export const kNoPlace: Readonly<Place> = {x: 0, y: 0, rotation: 0, mirror: false};

/** A coordinate as it is written: three digits behind the point, no -0. */
export const formatCoordinate = (value: number): string => String(Math.round(value * 1000) / 1000 || 0);

export const turned = (degrees: number): number => (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;

/** As people sort names: by characters, not by the language of the reader. */
export const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function placeElement(name: string, place: Place): NewElement {
  const attributes: [string, string][] = [
    ['name', name],
    ['x', formatCoordinate(place.x)],
    ['y', formatCoordinate(place.y)],
  ];
  if (turned(place.rotation) !== 0) attributes.push(['rotation', String(turned(place.rotation))]);
  if (place.mirror) attributes.push(['mirror', 'true']);
  return {name: 'Place', attributes};
}

export function placeEdits(tree: SystemTree, places: ReadonlyMap<string, Partial<Place>>): TextEdit[] {
  const edits: TextEdit[] = [];
  const added: [string, Place][] = [];
  for (const [name, place] of places) {
    const element = tree.placeElements.get(name);
    if (element) edits.push(...changedPlace(tree.document, element, place));
    else added.push([name, {...kNoPlace, ...place}]);
  }
  added.sort(([a], [b]) => compareNames(a, b));
  return [...edits, ...addedPlaces(tree, added)];
}

function changedPlace(document: XmlDocument, element: XmlElement, place: Partial<Place>): TextEdit[] {
  const edits: TextEdit[] = [];
  const coordinate = (name: 'x' | 'y', value: number | undefined): void => {
    if (value === undefined) return;
    const known = attributeValue(element, name);
    if (known === undefined || formatCoordinate(Number(known)) !== formatCoordinate(value))
      edits.push(setAttribute(document, element, name, formatCoordinate(value)));
  };
  const option = (name: 'rotation' | 'mirror', value: string | null): void => {
    if (value !== null && attributeValue(element, name) !== value) {
      edits.push(setAttribute(document, element, name, value));
    } else if (value === null && attributeOf(element, name)) {
      const edit = removeAttribute(document, element, name);
      if (edit) edits.push(edit);
    }
  };
  coordinate('x', place.x);
  coordinate('y', place.y);
  if (place.rotation !== undefined) option('rotation', turned(place.rotation) === 0 ? null : String(turned(place.rotation)));
  if (place.mirror !== undefined) option('mirror', place.mirror ? 'true' : null);
  return edits;
}

function addedPlaces(tree: SystemTree, added: readonly [string, Place][]): TextEdit[] {
  if (added.length === 0) return [];
  const {document, layout} = tree;
  if (!layout) {
    return insertLines(document, placeFor(tree.root, 'Layout'), (indent, step) =>
      writeElement(
        {name: 'Layout', attributes: [], children: added.map(([name, place]) => placeElement(name, place))},
        indent,
        step,
      ),
    );
  }
  return insertSorted(
    document,
    layout,
    'name',
    added.map(([name, place]) => ({name, element: placeElement(name, place)})),
  );
}

/** Adds places to a <Layout>, in the order of the names where it has that order, else at its end. */
export function insertSorted(
  document: XmlDocument,
  layout: XmlElement,
  key: string,
  added: readonly {name: string; element: NewElement}[],
): TextEdit[] {
  const known = elementsIn(layout, 'Place').map((element) => ({element, name: attributeValue(element, key) ?? ''}));
  const isSorted = known.every(({name}, index) => index === 0 || compareNames(known[index - 1]!.name, name) <= 0);
  const last = elementsIn(layout).at(-1) ?? null;
  // Those that go to one place of the text are one edit.
  const groups = new Map<XmlElement | null, NewElement[]>();
  for (const one of added) {
    let after: XmlElement | null = isSorted ? null : last;
    if (isSorted) for (const {element, name} of known) if (compareNames(name, one.name) < 0) after = element;
    groups.set(after, [...(groups.get(after) ?? []), one.element]);
  }
  return [...groups].flatMap(([after, list]) =>
    insertLines(document, {parent: layout, after}, (indent, step) =>
      list.flatMap((element) => writeElement(element, indent, step)),
    ),
  );
}

/** Gives a <Place> another name; in a <Layout> that has the order of the names it moves to where that name belongs. */
export function renamedPlace(document: XmlDocument, place: XmlElement, key: string, to: string): TextEdit[] {
  const layout = place.parent!;
  const known = elementsIn(layout, 'Place').map((element) => ({element, name: attributeValue(element, key) ?? ''}));
  const isSorted = known.every(({name}, index) => index === 0 || compareNames(known[index - 1]!.name, name) <= 0);
  const index = known.findIndex(({element}) => element === place);
  const others = known.filter(({element}) => element !== place);
  let slot = 0;
  while (slot < others.length && compareNames(others[slot]!.name, to) < 0) ++slot;
  if (!isSorted || slot === index) return [setAttribute(document, place, key, to)];
  const after = others[slot - 1]?.element ?? null;
  const attributes = place.attributes.map(({name, value}) => [name, name === key ? to : value] as const);
  return [
    ...removeNodes(document, [place]),
    ...insertLines(document, {parent: layout, after}, (indent, step) =>
      writeElement({name: 'Place', attributes}, indent, step),
    ),
  ];
}
