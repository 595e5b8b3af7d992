// Components into a sub-system of their own, and back.
import {firstName, freeName, isName} from '../names.ts';
import {folderOf, relativePath} from '../paths.ts';
import {EditRefused} from '../project_types.ts';
import {makeProject} from '../project.ts';
import type {GroupOptions, Place} from '../system_types.ts';
import {indentStep, insertLines, setAttribute, writeElement} from '../xml/edits.ts';
import {endOfLine} from '../xml/lines.ts';
import {attributeOf, elementsIn, attributeValue} from '../xml/query.ts';
import type {TextEdit} from '../text_edit.ts';
import {insertSystem, rewriteSources} from './clip.ts';
import {openSystem, type EditableSystem} from './edit_system.ts';
import {elementsOf, parametersIn, takeFragment, wiresBetween, writeFragment, writtenValue} from './fragment.ts';
import {isNote, noteAttributes, noteElement, withoutNotes} from './notes.ts';
import {renameOutside, systemIn} from './outside.ts';
import type {SystemTree} from './read_system.ts';
import {mapReferences, referenceEdits} from './references.ts';

export function groupComponents(system: EditableSystem, chosen: readonly string[], options: GroupOptions): void {
  const {project} = system;
  const {name} = options;
  const names = withoutNotes(chosen);
  const notes = chosen.filter(isNote);
  if (names.length === 0) throw new EditRefused('select the components of the sub-system first');
  system.checkFree(name);
  const tree = system.current();
  const inside = new Set(names);
  const path =
    options.path ?? folderOf(system.path) + freeName(name, (one) => project.has(`${folderOf(system.path)}${one}.xml`)) + '.xml';
  const fragment = takeFragment(tree, chosen);

  // Ports that are connected across the border, and their names outside.
  const exposed = new Map<string, string>();
  for (const {from, to} of tree.connects) {
    for (const [end, other] of [
      [from, to],
      [to, from],
    ] as const) {
      if (!inside.has(firstName(end)) || inside.has(firstName(other)) || exposed.has(end)) continue;
      const last = end.slice(end.lastIndexOf('.') + 1);
      const isTaken = (one: string): boolean => inside.has(one) || [...exposed.values()].includes(one);
      const whole = end.replace(/\W/g, '_');
      exposed.set(end, isName(last) && !isTaken(last) ? last : freeName(whole, isTaken));
    }
  }
  fragment.exposes = [...exposed].map(([port, as]) =>
    writeElement(
      {
        name: 'Expose',
        attributes: [
          ['port', port],
          ['as', as],
        ],
      },
      0,
      '',
    ),
  );

  // Parameters of the system that are used inside are handed down.
  const used = parametersIn(
    [...fragment.components, ...fragment.connects, ...fragment.routes].map((lines) => lines.join('\n')),
  );
  const known = new Map(tree.parameters.map((parameter) => [parameter.name, parameter]));
  const handed = used.filter((parameter) => known.has(parameter));
  fragment.parameters = handed.map((parameter) => {
    const {value, text} = known.get(parameter)!;
    const shown: [string, string][] = [
      ['name', parameter],
      ['value', value.includes('${') ? '0' : value],
    ];
    return writeElement({name: 'Parameter', attributes: text ? [...shown, ['text', text]] : shown}, 2, '  ');
  });

  // Places inside are from the place of the sub-system on.
  const origin = options.place ?? middle([...fragment.places.values()]);
  fragment.places = new Map(
    [...fragment.places].map(([one, place]) => [one, {...place, x: place.x - origin.x, y: place.y - origin.y}]),
  );
  fragment.notes = notes.map((key) => noteAttributes(noteElement(tree, key), -origin.x, -origin.y));

  project.create(path, writeFragment(name, fragment, endOfLine(tree.document.text), indentStep(tree.document)));
  if (folderOf(path) !== folderOf(system.path)) rewriteSources(project, path, system.path, path);

  const outward = (full: string): string => (inside.has(firstName(full)) ? `${name}.${exposed.get(full) ?? full}` : full);
  // A chart that moves too finds the names beside it, as before.
  const movedCharts = new Set(tree.components.filter((component) => inside.has(component.name)).map(({source}) => source));
  for (const one of names) {
    const rename = (full: string): string => (firstName(full) === one ? outward(full) : full);
    renameOutside(project, system.path, one, rename, (chart) => !movedCharts.has(chart));
  }

  // The sub-system stands where the first of its components stood, so that the order of the file stays.
  const before = system.current();
  const attributes: [string, string][] = [
    ['name', name],
    ['src', relativePath(system.path, path)],
  ];
  for (const parameter of handed) attributes.push([parameter, `\${${parameter}}`]);
  system.apply(
    insertLines(before.document, {parent: before.root, after: elementsOf(before, names)[0]!}, (indent, step) =>
      writeElement({name: 'Subsystem', attributes}, indent, step),
    ),
  );

  const now = system.current();
  const gone = [...elementsOf(now, names), ...wiresBetween(now, inside), ...notes.map((key) => noteElement(now, key))];
  const isGone = (edit: TextEdit): boolean => gone.some((element) => element.start <= edit.start && edit.end <= element.end);
  const changes = mapReferences(now, outward);
  changes.edits = changes.edits.filter((edit) => !isGone(edit));
  const oldPlaces = names.map((one) => now.placeElements.get(one)).filter((place) => place !== undefined);
  system.apply(referenceEdits(now.document, changes, [...gone, ...oldPlaces]));
  if (options.place !== undefined || fragment.places.size > 0) system.place({[name]: origin});
}

function middle(places: readonly Place[]): {x: number; y: number} {
  if (places.length === 0) return {x: 0, y: 0};
  const on = (values: number[]): number => Math.round((Math.min(...values) + Math.max(...values)) / 16) * 8;
  return {x: on(places.map(({x}) => x)), y: on(places.map(({y}) => y))};
}

export function ungroupSubsystem(system: EditableSystem, name: string): string[] {
  const {project} = system;
  const tree = system.current();
  const element = elementsOf(tree, [name])[0]!;
  const component = tree.find(name)!;
  if (component.kind !== 'subsystem') throw new EditRefused(`${name} is not a sub-system`);
  if (component.source === undefined) throw new EditRefused(`${name} names no file inside of the folder`);
  const inner = systemIn(project, component.source);
  if (!inner) throw new EditRefused(`the file ${component.source} is not open or not well-formed; open and correct it first`);

  // A project of its own, in which the inner file gets the values that are handed down, and names that are free.
  const scratch = makeProject();
  const file = component.source;
  scratch.open(
    file,
    withValues(inner, (parameter) => writtenValue(tree.document, element, parameter)),
  );
  const timeStep = attributeValue(element, 'TimeStep');
  if (timeStep !== undefined) giveTimeStep(openSystem(scratch, file) as EditableSystem, timeStep);
  if (folderOf(file) !== folderOf(system.path)) rewriteSources(scratch, file, file, system.path);
  const exposed = new Map(inner.exposes.map(({port, as}) => [as, port]));
  const oldNames = inner.components.filter(({repeated}) => repeated.length === 0).map((one) => one.name);

  const place = tree.places.get(name);
  const placeElement = tree.placeElements.get(name);
  const inserted = insertSystem(system, scratch, file, place ?? {x: 0, y: 0});
  const newNames = new Map(oldNames.map((old, index) => [old, inserted[index] ?? old]));
  const outward = (full: string): string => {
    if (!full.startsWith(`${name}.`)) return full;
    const rest = full.slice(name.length + 1);
    const first = firstName(rest);
    const port = exposed.get(first);
    const path = port === undefined ? rest : port + rest.slice(first.length);
    const head = firstName(path);
    return (newNames.get(head) ?? head) + path.slice(head.length);
  };
  renameOutside(project, system.path, name, outward);
  const now = system.current();
  const gone = [now.elements.get(name)!, ...(placeElement ? [now.placeElements.get(name)!] : [])];
  system.apply(referenceEdits(now.document, mapReferences(now, outward), gone));
  return inserted;
}

/** The text of a sub-system with values in place of its parameters. */
function withValues(inner: SystemTree, handed: (parameter: string) => string | undefined): string {
  const values = new Map<string, string>();
  for (const parameter of elementsIn(inner.root, 'Parameter')) {
    const name = attributeValue(parameter, 'name') ?? '';
    values.set(name, handed(name) ?? writtenValue(inner.document, parameter, 'value') ?? '');
  }
  const fill = (text: string, depth = 0): string =>
    depth > 8
      ? text
      : text.replace(/\$\{\s*([A-Za-z_]\w*)\s*\}/g, (whole, name: string) => {
          const value = values.get(name);
          if (value === undefined) return whole;
          return (handed(name) === undefined ? fill(value, depth + 1) : value).replace(/"/g, '&quot;').replace(/'/g, '&apos;');
        });
  const {text} = inner.document;
  const end = inner.root.openEnd;
  return text.slice(0, end) + fill(text.slice(end));
}

/** A TimeStep of a sub-system is that of all inside that have none of their own. */
function giveTimeStep(system: EditableSystem, value: string): void {
  const tree = system.current();
  system.apply(
    tree.components
      .filter(({name}) => tree.elements.has(name))
      .flatMap(({name}) => {
        const element = tree.elements.get(name)!;
        return attributeOf(element, 'TimeStep') ? [] : [setAttribute(tree.document, element, 'TimeStep', value)];
      }),
  );
}
