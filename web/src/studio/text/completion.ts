// Completion in the text view: elements, attributes and values, from the descriptions of the models.
import type {Completion, CompletionContext, CompletionResult} from '@codemirror/autocomplete';
import type {ElementInfo, Model} from '../api/types.ts';
import {allEnds} from '../sheet/ends.ts';
import {rangeOf} from '../form/component_form.tsx';
import {files} from '../state/workspace.ts';
import {attributesOf, elements, modelOf, models} from '../state/models.ts';
import {project, view} from '../state/workspace.ts';

/** Where a place of an XML text is: in the name of an element, of an attribute, or in a value. */
export interface XmlPlace {
  kind: 'element' | 'attribute' | 'value';
  element: string;
  attribute: string;
  /** Of the word before the place. */
  from: number;
  word: string;
  /** Attributes that the element has already, before the place. */
  present: string[];
  parent: string;
}

export function placeAt(text: string, at: number): XmlPlace | null {
  const open = text.lastIndexOf('<', at - 1);
  if (open < 0) return null;
  const inside = text.slice(open, at);
  const element = /^<([\w.:-]*)$/.exec(inside);
  if (element)
    return {
      kind: 'element',
      element: '',
      attribute: '',
      from: open + 1,
      word: element[1]!,
      present: [],
      parent: parentAt(text, open),
    };
  const head =
    /^<([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)(\s+)(?:([\w.:-]*)|([\w.:-]+)\s*=\s*(["'])([^"'<]*))$/.exec(
      inside,
    );
  if (!head) return null;
  const present = [...head[2]!.matchAll(/([\w.:-]+)\s*=/g)].map((match) => match[1]!);
  const parent = parentAt(text, open);
  if (head[5] !== undefined) {
    const value = head[7]!;
    const word = /[^\s]*$/.exec(value)![0];
    return {kind: 'value', element: head[1]!, attribute: head[5], from: at - word.length, word, present, parent};
  }
  return {
    kind: 'attribute',
    element: head[1]!,
    attribute: '',
    from: at - (head[4] ?? '').length,
    word: head[4] ?? '',
    present,
    parent,
  };
}

/** The element around a place; elements inside of one line of a start tag do not matter here. */
function parentAt(text: string, at: number): string {
  const stack: string[] = [];
  for (const match of text
    .slice(0, at)
    .matchAll(/<!--[\s\S]*?(?:-->|$)|<\/([\w.:-]+)\s*>|<([\w.:-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>/g)) {
    if (match[1] !== undefined) stack.pop();
    else if (match[2] !== undefined && !match[4]) stack.push(match[2]);
  }
  return stack.at(-1) ?? '';
}

const unitOf = (unit: string): string => (unit && unit !== '1' ? ` [${unit}]` : '');

const attribute = ({name, options = [], text}: {name: string; options?: string[]; text?: string}): Completion => ({
  label: name,
  type: 'property',
  detail: options.join(' | '),
  info: text,
});

function attributesOfModel(model: Model): Completion[] {
  const hasIt = (name: string) => (name === 'level' ? model.levels.length > 0 : name !== 'chart' || model.takesChart);
  const list = attributesOf('')
    .filter(({name}) => hasIt(name))
    .map((one) => attribute(one.name === 'level' ? {...one, options: model.levels} : one));
  list.push(...model.aspects.map(attribute));
  for (const info of [...model.parameters, ...model.common]) {
    list.push({
      label: info.name,
      type: 'property',
      detail: `${info.default ?? ''}${unitOf(info.unit)}`,
      info: [info.text, rangeOf(info)].filter(Boolean).join('\n'),
    });
  }
  return list;
}

const withValue = (list: Completion[]): Completion[] =>
  list.map((one) => ({
    ...one,
    apply: (view, _, from, to) =>
      view.dispatch({changes: {from, to, insert: `${one.label}=""`}, selection: {anchor: from + one.label.length + 2}}),
  }));

function valuesOf({element, attribute, parent}: XmlPlace): Completion[] {
  const model = models.peek().get(element);
  const now = view.peek();
  if (model) {
    if (attribute === 'level') return model.levels.map((label) => ({label, type: 'enum'}));
    const options =
      model.aspects.find(({name}) => name === attribute)?.options ??
      model.parameters.find(({name}) => name === attribute)?.options;
    if (options) return options.map((label) => ({label, type: 'enum'}));
    const info = model.parameters.find(({name}) => name === attribute);
    if (info?.default != null) return [{label: String(info.default), type: 'constant', detail: 'default'}];
  }
  const {options = []} = attributesOf(element).find(({name}) => name === attribute) ?? {};
  if (options.length) return options.map((label) => ({label, type: 'enum'}));
  if (element === 'Connect' && now)
    return allEnds(project, now, modelOf)
      .filter(({kind}) => kind === 'port')
      .map(({path, domain, role, text}) => ({label: path, type: 'variable', detail: `${domain} ${role}`, info: text}));
  if (element === 'Route' && now) {
    return allEnds(project, now, modelOf)
      .filter(({kind}) => kind === (attribute === 'from' ? 'output' : 'input'))
      .map(({path, unit, text}) => ({label: path, type: 'variable', detail: unit, info: text}));
  }
  if (element === 'Place' && attribute === 'name' && now)
    return now.components.map(({name}) => ({label: name, type: 'variable'}));
  if (attribute === 'src' || attribute === 'chart') {
    const kind = element === 'Subsystem' ? 'system' : 'chart';
    return files
      .peek()
      .filter((file) => file.kind === kind)
      .map(({path}) => ({label: path, type: 'text'}));
  }
  if (element === 'Record' && attribute === 'signals' && now)
    return allEnds(project, now, modelOf)
      .filter(({kind}) => kind === 'output')
      .map(({path, text}) => ({label: path, type: 'variable', info: text}));
  void parent;
  return [];
}

export function completeSystem(context: CompletionContext): CompletionResult | null {
  const place = placeAt(context.state.sliceDoc(0, context.pos), context.pos);
  if (!place) return null;
  if (place.kind === 'element') {
    const parent = models.peek().get(place.parent);
    const isInPanel = place.parent === 'Panel';
    const isHere = ({name, place: where}: ElementInfo) =>
      name !== '' && (isInPanel || where === 'panel' ? isInPanel && where === 'panel' : (where === 'component') === !!parent);
    const list: Completion[] = [
      ...elements
        .peek()
        .filter(isHere)
        .map(({name, text}): Completion => ({label: name, type: 'type', info: text})),
      ...(parent
        ? parent.elements.map((name) => models.peek().get(name) ?? {name, text: ''})
        : isInPanel
          ? []
          : [...models.peek().values()]
      ).map(({name, text}): Completion => ({label: name, type: 'class', detail: text})),
    ];
    return {from: place.from, options: list, validFor: /^[\w.:-]*$/};
  }
  if (place.kind === 'attribute') {
    const model = models.peek().get(place.element);
    const parent = models.peek().get(place.parent);
    const list = model
      ? attributesOfModel(model)
      : place.element === 'Start' && parent
        ? parent.starts.map(({name, text, unit}): Completion => ({label: name, type: 'property', detail: unit, info: text}))
        : [...attributesOf(place.element), ...(place.element === 'Level' && parent ? parent.aspects : [])].map(attribute);
    return {
      from: place.from,
      options: withValue(list.filter(({label}) => !place.present.includes(label))),
      validFor: /^[\w.:-]*$/,
    };
  }
  return {from: place.from, options: valuesOf(place), validFor: /^[^"']*$/};
}
