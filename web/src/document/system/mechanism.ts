// The elements of a mechanism: bodies on bodies, and what lies on them or between them. Each has a name; a file of bodies its `src`.
import {checkName, firstName, freeName} from '../names.ts';
import {EditRefused} from '../project_types.ts';
import type {TextEdit} from '../text_edit.ts';
import {insertLines, removeAttribute, setAttribute, writeElement} from '../xml/edits.ts';
import {attributeOf, attributeValue, elementsIn} from '../xml/query.ts';
import type {XmlAttribute, XmlElement} from '../xml/syntax.ts';
import type {EditableSystem} from './edit_system.ts';
import {renameOutside} from './outside.ts';
import {mapReferences, referenceEdits} from './references.ts';

/** Attributes that name other parts: one, or several after each other. */
const kReferences = ['on', 'a', 'b', 'of', 'via'];
export const kBase = 'base';

const nameOf = (part: XmlElement): string => attributeValue(part, 'name') ?? attributeValue(part, 'src') ?? '';
const isPart = ({name}: XmlElement): boolean => name !== 'Start' && name !== 'Level';

function mechanismOf(system: EditableSystem, mechanism: string): XmlElement {
  const element = system.current().elements.get(mechanism);
  if (!element) throw new EditRefused(`there is no component ${mechanism}`);
  return element;
}

function partOf(system: EditableSystem, mechanism: string, name: string): XmlElement {
  const part = elementsIn(mechanismOf(system, mechanism)).find((one) => isPart(one) && nameOf(one) === name);
  if (!part) throw new EditRefused(`${mechanism} has no part ${name}`);
  return part;
}

/** What a part refers to. */
const referencesOf = (part: XmlElement): string[] =>
  kReferences.flatMap((name) => attributeValue(part, name)?.split(/[\s,]+/) ?? []);

/** Adds a part behind those of its kind. Result: its name. */
export function addPart(
  system: EditableSystem,
  mechanism: string,
  kind: string,
  attributes: Readonly<Record<string, string>>,
): string {
  const parent = mechanismOf(system, mechanism);
  const all = elementsIn(parent);
  const taken = new Set([kBase, ...all.map(nameOf)]);
  const name = freeName(kind.toLowerCase(), (one) => taken.has(one));
  const of = (isWanted: (one: XmlElement) => boolean) => all.filter(isWanted).at(-1);
  const after = of((one) => one.name === kind) ?? of(isPart) ?? null;
  const element = {name: kind, attributes: [['name', name], ...Object.entries(attributes)] as [string, string][]};
  system.project.step(`Add ${name}`, () =>
    system.apply(
      insertLines(system.current().document, {parent, after}, (indent, step) => writeElement(element, indent, step)),
    ),
  );
  return name;
}

/** An attribute of a part; null removes it. A name goes through renamePart. */
export function setPart(
  system: EditableSystem,
  mechanism: string,
  name: string,
  attribute: string,
  value: string | null,
): void {
  if (attribute === 'name') return renamePart(system, mechanism, name, value ?? name);
  if (attribute === 'on') return movePart(system, mechanism, name, value ?? kBase);
  const part = partOf(system, mechanism, name);
  const {document} = system.current();
  const edit = value === null ? removeAttribute(document, part, attribute) : setAttribute(document, part, attribute, value);
  if (edit) system.project.step(`${mechanism}.${name}: ${attribute}`, () => system.apply([edit]));
}

/** Puts a part on another body, or on the base; a body is never on what it carries. */
export function movePart(system: EditableSystem, mechanism: string, name: string, on: string): void {
  const part = partOf(system, mechanism, name);
  if ((attributeValue(part, 'on') ?? kBase) === on) return;
  for (let at = on; at !== kBase; ) {
    if (at === name) throw new EditRefused(`${name} carries ${on}; put ${on} on another body first`);
    const carrier = elementsIn(mechanismOf(system, mechanism)).find((one) => one.name === 'Body' && nameOf(one) === at);
    at = (carrier && attributeValue(carrier, 'on')) ?? kBase;
  }
  const {document} = system.current();
  const edit = on === kBase ? removeAttribute(document, part, 'on') : setAttribute(document, part, 'on', on, 'name');
  if (edit) system.project.step(`Put ${name} on ${on}`, () => system.apply([edit]));
}

/** Removes a part, what it carries, what is fixed to these, and all that refers to it. */
export function removePart(system: EditableSystem, mechanism: string, name: string): void {
  const parts = elementsIn(mechanismOf(system, mechanism)).filter(isPart);
  const gone = new Set([partOf(system, mechanism, name)]);
  const names = new Set([name]);
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const part of parts) {
      if (gone.has(part) || !referencesOf(part).some((one) => names.has(one))) continue;
      gone.add(part);
      names.add(nameOf(part));
      hasGrown = true;
    }
  }
  system.project.step(`Remove ${name}`, () => {
    const tree = system.current();
    const owner = ownerOf(mechanism, parts.map(nameOf));
    const changes = mapReferences(tree, (path) => (names.has(owner(path) ?? '') ? null : path));
    system.apply(referenceEdits(tree.document, changes, [...gone]));
  });
}

/** A new name, also where other parts, start values, lines and signals have the old one. */
export function renamePart(system: EditableSystem, mechanism: string, name: string, to: string): void {
  if (name === to) return;
  checkName(to);
  const names = elementsIn(mechanismOf(system, mechanism)).filter(isPart).map(nameOf);
  if (to === kBase || names.includes(to)) throw new EditRefused(`the name ${to} is taken; choose another name`);
  const owner = ownerOf(mechanism, names);
  const map = (path: string): string =>
    owner(path) === name ? `${mechanism}.${to}${path.slice(mechanism.length + 1 + name.length)}` : path;
  system.project.step(`Rename ${name}`, () => {
    renameOutside(system.project, system.path, mechanism, map);
    const tree = system.current();
    const element = mechanismOf(system, mechanism);
    const part = partOf(system, mechanism, name);
    const edits: TextEdit[] = mapReferences(tree, map).edits;
    edits.push(setAttribute(tree.document, part, 'name', to));
    for (const one of elementsIn(element).filter(isPart)) {
      for (const reference of kReferences) edits.push(...renamedWords(attributeOf(one, reference), name, to));
    }
    const starts = elementsIn(element, 'Start').flatMap(({attributes}) => attributes);
    for (const {name: start, start: at} of starts) {
      if (owner(`${mechanism}.${start}`) === name) edits.push({start: at, end: at + name.length, text: to});
    }
    system.apply(edits);
  });
}

/** Which part a path is of: `crane.boom_angle` is of `boom`, unless there is a part `boom_angle`. */
function ownerOf(mechanism: string, names: readonly string[]): (path: string) => string | undefined {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  return (path) => {
    if (firstName(path) !== mechanism) return undefined;
    const item = firstName(path.slice(mechanism.length + 1));
    return longestFirst.find((name) => item === name || item.startsWith(`${name}_`));
  };
}

function renamedWords(attribute: XmlAttribute | undefined, name: string, to: string): TextEdit[] {
  if (!attribute) return [];
  return [...attribute.value.matchAll(/[^\s,]+/g)]
    .filter(([word]) => word === name)
    .map(({index}) => ({start: attribute.valueStart + index, end: attribute.valueStart + index + name.length, text: to}));
}
