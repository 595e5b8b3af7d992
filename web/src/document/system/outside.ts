// Files outside of a system that name its components: systems that contain it, and charts.
import type {Project} from '../project_types.ts';
import {firstName} from '../names.ts';
import type {XmlDocument} from '../xml/syntax.ts';
import {chartPaths, mapChartPaths} from './chart_paths.ts';
import {readSystem, type SystemTree} from './read_system.ts';
import {mapReferences, referenceEdits} from './references.ts';

type Rename = (path: string) => string;

/** The system in a file; nothing where it is none, or not well-formed. */
export function systemIn(project: Project, path: string): SystemTree | null {
  const document = rootIn(project, path, 'System');
  return document && cachedSystem(document, path);
}

const trees = new WeakMap<XmlDocument, SystemTree>();

/** One tree a text: texts never change, documents are of one text. */
export function cachedSystem(document: XmlDocument, path: string): SystemTree {
  let tree = trees.get(document);
  if (!tree) {
    tree = readSystem(document, path);
    trees.set(document, tree);
  }
  return tree;
}

function rootIn(project: Project, path: string, root: 'System' | 'scxml'): XmlDocument | null {
  if (!project.has(path)) return null;
  const {document} = project.parse(path);
  return document?.root.name === root ? document : null;
}

/** The systems that contain the system of a file, with the names it has there. */
function containers(project: Project, path: string): {path: string; names: string[]}[] {
  const found: {path: string; names: string[]}[] = [];
  for (const other of project.paths) {
    const tree = other === path ? null : systemIn(project, other);
    const names = (tree?.components ?? [])
      .filter(({kind, source}) => kind === 'subsystem' && source === path)
      .map(({name}) => name);
    if (names.length > 0) found.push({path: other, names});
  }
  return found;
}

/** The charts that see the names of a system, its own and those of sub-systems that have no such name themselves. */
function chartsThatSee(project: Project, path: string, name: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const tree = systemIn(project, path);
  if (!tree) return [];
  const charts: string[] = [];
  for (const {kind, source} of tree.components) {
    if (source === undefined) continue;
    if (kind !== 'subsystem') charts.push(source);
    else if (!systemIn(project, source)?.isTaken(name)) charts.push(...chartsThatSee(project, source, name, seen));
  }
  return [...new Set(charts)].filter((chart) => rootIn(project, chart, 'scxml'));
}

/** Whether a system that is neither of `paths` uses a chart and has a component of that name: the name there is another one. */
function isUsedElsewhere(project: Project, chart: string, name: string, paths: ReadonlySet<string>): boolean {
  return project.paths.some((path) => {
    if (paths.has(path)) return false;
    const tree = systemIn(project, path);
    return tree?.isTaken(name) === true && tree.components.some(({source}) => source === chart);
  });
}

/** Renames what the charts and the containing systems say; `name` is the first name of all paths that `rename` changes. */
export function renameOutside(
  project: Project,
  path: string,
  name: string,
  rename: Rename,
  isOwnChart: (chart: string) => boolean = () => true,
  paths: ReadonlySet<string> = new Set([path]),
): void {
  for (const chart of chartsThatSee(project, path, name)) {
    if (!isOwnChart(chart) || isUsedElsewhere(project, chart, name, paths)) continue;
    project.edit(chart, mapChartPaths(rootIn(project, chart, 'scxml')!, rename));
  }
  for (const {path: outer, names} of containers(project, path)) {
    if (paths.has(outer)) continue;
    for (const inner of names) {
      const inOuter = (full: string): string => {
        if (firstName(full) !== inner || !full.startsWith(`${inner}.`)) return full;
        return `${inner}.${rename(full.slice(inner.length + 1))}`;
      };
      const tree = systemIn(project, outer)!;
      project.edit(outer, referenceEdits(tree.document, mapReferences(tree, inOuter)));
      renameOutside(project, outer, inner, inOuter, () => true, new Set([...paths, outer]));
    }
  }
}

/** Where other files name a component. */
export function referencesOutside(
  project: Project,
  path: string,
  name: string,
  seen: ReadonlySet<string> = new Set([path]),
): {path: string; line: number; text: string}[] {
  const found: {path: string; line: number; text: string}[] = [];
  const isIt = (full: string): boolean => full === name || full.startsWith(`${name}.`);
  for (const chart of chartsThatSee(project, path, name.split('.')[0]!)) {
    const document = rootIn(project, chart, 'scxml')!;
    for (const one of chartPaths(document))
      if (isIt(one.path)) found.push({path: chart, line: document.lineAt(one.start), text: one.path});
  }
  for (const {path: outer, names} of containers(project, path)) {
    if (seen.has(outer)) continue;
    const tree = systemIn(project, outer)!;
    for (const inner of names) {
      const full = `${inner}.${name}`;
      const note = (line: number, text: string): void => {
        if (text.startsWith(`${inner}.`) && isIt(text.slice(inner.length + 1))) found.push({path: outer, line, text});
      };
      const said = [
        ...[...tree.connects, ...tree.routes].map(({line, from, to}) => ({line, texts: [from, to]})),
        ...tree.ats.map(({line, set, to}) => ({line, texts: [set, to]})),
        ...tree.records.map(({line, signals}) => ({line, texts: signals})),
      ];
      for (const {line, texts} of said) for (const text of texts) if (text !== undefined) note(line, text);
      for (const {line, port} of tree.exposes) note(line, port);
      found.push(...referencesOutside(project, outer, full, new Set([...seen, outer])));
    }
  }
  return found;
}
