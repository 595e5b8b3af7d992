// A part of a system as a text of its own: what a clipboard holds, and what a group of components is made of.
import {EditRefused} from '../project_types.ts';
import type {Place} from '../system_types.ts';
import {escapeValue} from '../xml/entities.ts';
import {linesOf, writeElement} from '../xml/edits.ts';
import {elementsIn, attributeValue} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';
import {firstName} from '../names.ts';
import {isNote, noteAttributes, noteElement, withoutNotes} from './notes.ts';
import {compareNames, placeElement} from './places.ts';
import type {SystemTree} from './read_system.ts';

/** The elements of a fragment, each as the lines it is written in. */
export interface Fragment {
  parameters: string[][];
  components: string[][];
  connects: string[][];
  exposes: string[][];
  routes: string[][];
  places: Map<string, Place>;
  /** The attributes of each. */
  notes: [string, string][][];
}

/** Components that can be taken out of a file. */
export function elementsOf(tree: SystemTree, names: readonly string[]): XmlElement[] {
  const wanted = new Set(names);
  for (const name of wanted) {
    const component = tree.find(name);
    if (!component) throw new EditRefused(`there is no component ${name}`);
    if (component.repeated.length > 0) throw new EditRefused(`${name} is made by a <For>; edit it as text`);
  }
  return tree.components.filter(({name}) => wanted.has(name)).map(({name}) => tree.elements.get(name)!);
}

/** Connects and Routes with both ends at the components. */
export function wiresBetween(tree: SystemTree, names: ReadonlySet<string>): XmlElement[] {
  return [...tree.connects, ...tree.routes]
    .filter(({from, to, repeated}) => repeated.length === 0 && names.has(firstName(from)) && names.has(firstName(to)))
    .map(({key}) => tree.references.get(key)!);
}

export function takeFragment(tree: SystemTree, names: readonly string[]): Fragment {
  const {document} = tree;
  const wanted = new Set(names);
  const components = elementsOf(tree, withoutNotes(names)).map((element) => linesOf(document, element));
  const wires = wiresBetween(tree, wanted);
  const lines = (kind: string): string[][] =>
    wires.filter(({name}) => name === kind).map((element) => linesOf(document, element));
  const places = new Map([...tree.places].filter(([name]) => wanted.has(name)));
  const notes = names.filter(isNote).map((key) => noteAttributes(noteElement(tree, key), 0, 0));
  return {parameters: [], components, connects: lines('Connect'), exposes: [], routes: lines('Route'), places, notes};
}

/** A system file with the fragment in it. */
export function writeFragment(name: string, fragment: Fragment, eol: string, step: string, comment?: string): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  if (comment !== undefined) lines.push(`<!-- ${comment} -->`);
  lines.push(`<System name="${escapeValue(name)}" xmlns="urn:davit:system:1">`);
  const {parameters, components, connects, exposes, routes, places, notes} = fragment;
  let isFirst = true;
  for (const group of [parameters, components, [...connects, ...exposes], routes]) {
    if (group.length === 0) continue;
    if (!isFirst) lines.push('');
    isFirst = false;
    for (const element of group) lines.push(...element.map((line) => (line === '' ? '' : step + line)));
  }
  if (places.size + notes.length > 0) {
    const children = [
      ...[...places].sort(([a], [b]) => compareNames(a, b)).map(([one, place]) => placeElement(one, place)),
      ...notes.map((attributes) => ({name: 'Note', attributes})),
    ];
    if (!isFirst) lines.push('');
    lines.push(...writeElement({name: 'Layout', attributes: [], children}, step.length, step).map((line) => step + line));
  }
  lines.push('</System>', '');
  return lines.join(eol);
}

/** What a file has to give to another: all but its parameters, ports, manager and places in a <For>. */
export interface Contents {
  plugins: XmlElement[];
  components: XmlElement[];
  connects: XmlElement[];
  routes: XmlElement[];
  ats: XmlElement[];
  records: XmlElement[];
}

export function contentsOf(root: XmlElement): Contents {
  const contents: Contents = {plugins: [], components: [], connects: [], routes: [], ats: [], records: []};
  const listOf = (element: XmlElement): XmlElement[] | null => {
    switch (element.name) {
      case 'Connect':
        return contents.connects;
      case 'Route':
        return contents.routes;
      case 'At':
        return contents.ats;
      case 'Record':
        return contents.records;
      case 'Plugin':
        return contents.plugins;
      case 'Parameter':
      case 'SimulatorManager':
      case 'Expose':
      case 'Layout':
      case 'Start':
        return null;
      case 'For': {
        const first = elementsIn(element)[0];
        return first ? listOf(first) : null;
      }
      default:
        return contents.components;
    }
  };
  for (const element of elementsIn(root)) listOf(element)?.push(element);
  return contents;
}

/** The names in `${...}` anywhere in these texts. */
export function parametersIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\$\{\s*([A-Za-z_]\w*)\s*\}/g)].map((match) => match[1]!)))];
}

/** The value of an attribute as it is written, between its quotes. */
export function writtenValue(document: XmlDocument, element: XmlElement, name: string): string | undefined {
  const attribute = element.attributes.find((one) => one.name === name);
  return attribute && document.text.slice(attribute.valueStart, attribute.valueEnd);
}

export const nameOf = (element: XmlElement): string => attributeValue(element, 'name') ?? '';
