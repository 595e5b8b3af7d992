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

/** A study of a file that is edited. */
export interface StudyPlace {
  path: string;
  /** Its place among those of the file. */
  place: number;
}

function find(project: Project, {path, place}: StudyPlace): {document: XmlDocument; study: XmlElement} {
  const {document} = project.parse(path);
  const study = document && elementsIn(document.root)[place];
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
