// Study files: what their studies have, and edits in the lines they concern.
import {EditRefused, type Project} from '../project_types.ts';
import {insertLines, removeAttribute, removeNodes, setAttribute, writeElement} from '../xml/edits.ts';
import {elementsIn, isElement} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';

export interface StudyAttribute {
  name: string;
  value: string;
}

/** An element inside a study: `<Vary path= values=>`. */
export interface StudyRow {
  element: string;
  attributes: readonly StudyAttribute[];
}

export interface StudyView {
  /** `Sweep` */
  element: string;
  attributes: readonly StudyAttribute[];
  /** In the order of the file. */
  rows: readonly StudyRow[];
}

const attributesOf = (element: XmlElement): StudyAttribute[] => element.attributes.map(({name, value}) => ({name, value}));

export const givenIn = (of: {attributes: readonly StudyAttribute[]}, name: string): string | null =>
  of.attributes.find((one) => one.name === name)?.value ?? null;

/** The studies of a file; none where it is not well-formed. */
export function studiesIn(project: Project, path: string): StudyView[] {
  const {document} = project.parse(path);
  return document?.root.name === 'Study'
    ? elementsIn(document.root).map((study) => ({
        element: study.name,
        attributes: attributesOf(study),
        rows: elementsIn(study).map((row) => ({element: row.name, attributes: attributesOf(row)})),
      }))
    : [];
}

/** A study, or a case of a bench. */
export interface StudyPlace {
  path: string;
  /** Its place among the elements of the file; -1: the root, for the attributes and settings of a bench. */
  place: number;
}

/** A case has a place and is in form a study. */
export interface BenchView extends StudyView {
  cases: readonly (StudyView & {place: number; name: string})[];
}

/** Null where the file is no bench, or is not well-formed. Its rows are those of all cases, and cases themselves. */
export function benchIn(project: Project, path: string): BenchView | null {
  const {document} = project.parse(path);
  if (document?.root.name !== 'Bench') return null;
  const viewOf = (element: XmlElement): StudyView => ({
    element: element.name,
    attributes: attributesOf(element),
    rows: elementsIn(element).map((row) => ({element: row.name, attributes: attributesOf(row)})),
  });
  return {
    ...viewOf(document.root),
    cases: elementsIn(document.root)
      .map((element, place) => ({...viewOf(element), place}))
      .filter(({element}) => element === 'Case')
      .map((one) => ({...one, name: givenIn(one, 'name') ?? ''})),
  };
}

function find(project: Project, {path, place}: StudyPlace): {document: XmlDocument; study: XmlElement} {
  const {document} = project.parse(path);
  const study = document && (place < 0 ? document.root : elementsIn(document.root)[place]);
  if (!study) throw new EditRefused(`${path} cannot be read; correct its text first`);
  return {document, study};
}

export function setStudyAttribute(
  project: Project,
  at: StudyPlace,
  row: number | null,
  name: string,
  value: string | null,
): void {
  const {document, study} = find(project, at);
  const element = row === null ? study : elementsIn(study)[row]!;
  const edit = value === null ? removeAttribute(document, element, name) : setAttribute(document, element, name, value);
  if (edit) project.edit(at.path, [edit]);
}

/** Behind the last element of its kind, or at the end. */
export function addStudyRow(
  project: Project,
  at: StudyPlace,
  element: string,
  attributes: readonly (readonly [string, string])[],
): void {
  const {document, study} = find(project, at);
  const after = elementsIn(study, element).at(-1) ?? study.children.filter(isElement).at(-1) ?? null;
  const write = (indent: number, step: string) => writeElement({name: element, attributes}, indent, step);
  project.edit(at.path, insertLines(document, {parent: study, after}, write));
}

export function removeStudyRow(project: Project, at: StudyPlace, row: number): void {
  const {document, study} = find(project, at);
  project.edit(at.path, removeNodes(document, [elementsIn(study)[row]!]));
}

/** A new bench with one case that expects what is always true of its time. */
export function createBench(project: Project, path: string, system: string): void {
  const first = {
    name: 'Case',
    attributes: [['name', 'first']] as const,
    children: [{name: 'Always', attributes: [['expr', '']] as const}],
  };
  const lines = writeElement({name: 'Bench', attributes: [['system', system]], children: [first]}, 0, '  ');
  project.create(path, lines.join('\n') + '\n');
}

/** A new file with one study. */
export function createStudy(
  project: Project,
  path: string,
  element: string,
  attributes: readonly (readonly [string, string])[],
): void {
  const lines = writeElement({name: 'Study', attributes: [], children: [{name: element, attributes}]}, 0, '  ');
  project.create(path, lines.join('\n') + '\n');
}
